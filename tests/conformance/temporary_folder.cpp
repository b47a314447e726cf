#include "tests/conformance/temporary_folder.h"

#include <cstdlib>
#include <filesystem>

#include <unistd.h>

#include "sim/ensure.h"

namespace redeliver::conformance {
namespace {

std::string folder_for_servers() {
    for (const char* const memory : {"/dev/shm", "/tmp"})
        if (::access(memory, W_OK) == 0) return memory;
    return ".";
}

}  // namespace

TemporaryFolder::TemporaryFolder() : path_(folder_for_servers() + "/redeliver-judge-XXXXXX") {
    sim::ensure(::mkdtemp(path_.data()) != nullptr, "a temporary folder can be made");
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

}  // namespace redeliver::conformance
