#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "cli/output.h"
#include "reports/look.h"

namespace redeliver::cli {

/// One line that says how far a run has come, written again and again; nothing at all unless
/// somebody watches.
class Progress {
public:
    enum class Watched : std::uint8_t { no, yes };

    /// `trials` is how many there will be; 0 when nobody knows.
    Progress(Watched watched, std::uint64_t trials, const reports::Look& look, Output& out);

    /// A story begins, of which `done` trials are counted from 0 again.
    void begin(std::string_view story);
    void update(std::uint64_t done_of_story);
    /// The story is over; takes the line away.
    void end(std::uint64_t trials_of_story);

private:
    using Clock = std::chrono::steady_clock;

    std::string text(std::uint64_t done) const;

    Watched watched_;
    std::uint64_t trials_;
    reports::Look look_;
    Output& out_;
    std::uint64_t done_ = 0;
    std::string story_;
    Clock::time_point began_ = Clock::now();
    Clock::time_point shown_ = began_;
};

}  // namespace redeliver::cli
