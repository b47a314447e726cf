#include "sim/ensure.h"

#include <fmt/format.h>

namespace redeliver::sim {

void fail_harness(const char* what_should_be_true, std::source_location where) {
    throw HarnessError(fmt::format("{}:{}: broken invariant: {}", where.file_name(), where.line(),
                                   what_should_be_true));
}

}  // namespace redeliver::sim
