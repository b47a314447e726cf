#include "properties/verdict.h"

#include "sim/ensure.h"

namespace redeliver::properties {

std::string_view text(Holds holds) {
    switch (holds) {
    case Holds::holds: return "holds";
    case Holds::violated: return "violated";
    case Holds::vacuous: return "vacuous";
    case Holds::inconclusive: return "inconclusive";
    }
    sim::ensure(false, "a verdict is one of four");
    return {};
}

}  // namespace redeliver::properties
