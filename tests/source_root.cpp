#include "tests/source_root.h"

namespace redeliver::house {

std::filesystem::path source_root() { return REDELIVER_SOURCE_ROOT; }

std::filesystem::path build_folder() { return REDELIVER_BUILD_FOLDER; }

}  // namespace redeliver::house
