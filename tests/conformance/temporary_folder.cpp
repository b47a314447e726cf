#include "tests/conformance/temporary_folder.h"

#include <cstdint>
#include <cstdlib>
#include <filesystem>

#include <sys/statvfs.h>
#include <unistd.h>

#include "sim/ensure.h"

namespace redeliver::conformance {
namespace {

/// Of data, logs and all: what the largest of our servers may come to.
constexpr std::uint64_t room_needed = std::uint64_t{1} << 30;

bool has_room(const char* folder) {
    struct statvfs place {};
    return ::access(folder, W_OK) == 0 && ::statvfs(folder, &place) == 0 &&
           std::uint64_t{place.f_bavail} * place.f_frsize >= room_needed;
}

/// In memory, if there is enough of it: containers often have little.
std::string folder_for_servers() {
    for (const char* const folder : {"/dev/shm", "/tmp"})
        if (has_room(folder)) return folder;
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
