#pragma once

#include <filesystem>

namespace redeliver::house {

/// The work tree the tests were built from: absolute, and not necessarily there any more.
std::filesystem::path source_root();

}  // namespace redeliver::house
