#include "tests/conformance/reference_clock.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sim/ensure.h"

namespace redeliver::conformance {

ReferenceClock::ReferenceClock(const std::string& folder) : path_(folder + "/clock") {
    const int file = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    sim::ensure(file >= 0 && ::ftruncate(file, sizeof *page_) == 0, "the clock page can be made");
    void* const page = ::mmap(nullptr, sizeof *page_, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    ::close(file);
    sim::ensure(page != MAP_FAILED, "the clock page can be mapped");
    page_ = static_cast<volatile long long*>(page);
    set(now_);
}

ReferenceClock::~ReferenceClock() {
    ::munmap(const_cast<long long*>(page_), sizeof *page_);
    ::unlink(path_.c_str());
}

void ReferenceClock::set(sim::WallTime now) {
    now_ = now;
    *page_ = now.time_since_epoch().count();
}

}  // namespace redeliver::conformance
