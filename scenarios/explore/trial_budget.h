#pragma once

#include <chrono>
#include <cstdint>

namespace redeliver::scenarios {

/// How many trials somebody may still run, and until when on this machine's clock.
class TrialBudget {
public:
    TrialBudget(std::uint64_t trials, std::chrono::milliseconds time)
        : left_(trials), deadline_(Clock::now() + time) {}

    /// Takes one trial; false when none is left or the time is over, and from then on.
    bool take() {
        if (left_ == 0 || Clock::now() >= deadline_) has_ended_ = true;
        if (has_ended_) return false;
        --left_;
        ++taken_;
        return true;
    }

    std::uint64_t taken() const { return taken_; }
    /// Whether somebody wanted a trial and got none.
    bool has_ended() const { return has_ended_; }

private:
    using Clock = std::chrono::steady_clock;

    std::uint64_t left_;
    std::uint64_t taken_ = 0;
    Clock::time_point deadline_;
    bool has_ended_ = false;
};

}  // namespace redeliver::scenarios
