#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/look.h"
#include "scenarios/explore/campaign.h"
#include "scenarios/scenario.h"

namespace redeliver::reports {

/// One line per story as `run` finishes it. The columns are fixed by what is going to run, so that
/// each line can be printed as soon as its story is done and all align.
class StoryLines {
public:
    /// The stories that will run, and the largest number of seeds.
    StoryLines(const std::vector<scenarios::Scenario>& stories, std::uint64_t seeds,
               const Look& look);

    std::string heading() const;
    std::string line(const scenarios::Scenario& story, const scenarios::StoryResult& result) const;

private:
    std::string row(const std::vector<std::string>& cells, const std::string& outcome,
                    Tone tone) const;

    std::size_t name_width_ = 5;
    std::size_t seeds_width_ = 5;
    Look look_;
};

/// What all stories came to together.
struct RunTotals {
    std::uint64_t stories = 0;
    std::uint64_t trials = 0;
    std::uint64_t wrong = 0;     ///< Stories.
    std::uint64_t unproven = 0;  ///< Stories in which something was merely not shown.
    std::uint64_t fingerprint = 0;
    double seconds = 0;

    void add(const scenarios::StoryResult& result);
    bool as_expected() const { return wrong == 0 && unproven == 0; }
};

/// `43 stories, 8,600 trials, all as expected in 12.3 s, fingerprint 0123456789abcdef`.
std::string summary_line(const RunTotals& totals, const Look& look);

}  // namespace redeliver::reports
