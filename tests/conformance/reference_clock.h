#pragma once

#include <string>

#include "sim/time.h"

namespace redeliver::conformance {

/// The time of day of every reference server started with `path()`: it stands still until set.
class ReferenceClock {
public:
    /// `folder` must exist; the page is a file in it.
    explicit ReferenceClock(const std::string& folder);
    ReferenceClock(const ReferenceClock&) = delete;
    ReferenceClock& operator=(const ReferenceClock&) = delete;
    ~ReferenceClock();

    void set(sim::WallTime now);
    sim::WallTime now() const { return now_; }
    const std::string& path() const { return path_; }

private:
    std::string path_;
    volatile long long* page_ = nullptr;
    sim::WallTime now_ = sim::wall_start;
};

}  // namespace redeliver::conformance
