#include "reports/document_words.h"

namespace redeliver::reports {

std::string_view document_word(scenarios::Expected expected) {
    using scenarios::Expected;
    switch (expected) {
    case Expected::holds: return "holds";
    case Expected::breaks: return "breaks";
    case Expected::nothing: return "nothing";
    }
    return "?";
}

std::string_view document_word(sim::Ending ending) {
    switch (ending) {
    case sim::Ending::settled: return "settled";
    case sim::Ending::quiet: return "quiet";
    case sim::Ending::drained: return "drained";
    case sim::Ending::out_of_steps: return "out_of_steps";
    case sim::Ending::out_of_time: return "out_of_time";
    }
    return "?";
}

std::string_view document_word(Judgement::Outcome outcome) {
    switch (outcome) {
    case Judgement::Outcome::as_expected: return "as_expected";
    case Judgement::Outcome::wrong: return "wrong";
    case Judgement::Outcome::inconclusive: return "inconclusive";
    }
    return "?";
}

}  // namespace redeliver::reports
