#include "tests/source_root.h"

namespace redeliver::house {

std::filesystem::path source_root() { return REDELIVER_SOURCE_ROOT; }

}  // namespace redeliver::house
