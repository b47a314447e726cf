#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cli/inputs.h"
#include "reports/look.h"
#include "reports/surprise_block.h"
#include "scenarios/explore/campaign.h"
#include "scenarios/explore/trial.h"

namespace redeliver::cli {

/// Runs the trials that show what was unexpected once more, keeps them as case files if there is a
/// folder for it, and tells of them.
class Findings {
public:
    Findings(std::optional<std::filesystem::path> folder, std::vector<std::string> settings)
        : folder_(std::move(folder)), settings_(std::move(settings)) {}

    /// Writes a case for each seed that a surprise names: `FOLDER/<story>/<seed>/case.json`.
    void keep(const Selected& story, const scenarios::StoryResult& result);

    /// Everything that was unexpected about a story, a block for each seed that shows some of it;
    /// the first few.
    std::string tell(const Selected& story, const scenarios::StoryResult& result,
                     const reports::Look& look);

private:
    /// A trial with all its steps, and the plan that it followed.
    struct Shown {
        scenarios::Plan plan;
        scenarios::TrialResult result;
    };

    Shown show(const scenarios::Scenario& scenario, std::uint64_t seed);
    std::string tell_group(const Selected& story, const scenarios::StoryResult& result,
                           std::span<const scenarios::SurpriseReport> surprises,
                           const reports::Look& look);
    std::filesystem::path case_path(const Selected& story, std::uint64_t seed) const;
    std::string replay_by_seed(const Selected& story, std::uint64_t seed) const;

    std::optional<std::filesystem::path> folder_;
    std::vector<std::string> settings_;
    scenarios::TrialRunner runner_;
};

}  // namespace redeliver::cli
