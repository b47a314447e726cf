#pragma once

#include <filesystem>

namespace redeliver::house {

/// The work tree the tests were built from: absolute, and not necessarily there any more.
std::filesystem::path source_root();

/// The build these tests belong to; the program under test is build_folder() / "redeliver".
std::filesystem::path build_folder();

}  // namespace redeliver::house
