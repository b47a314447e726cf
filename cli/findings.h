#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cli/explained_case.h"
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
    /// the first few. The first is explained, and its shrunk case written beside the case.
    std::string tell(const Selected& story, const scenarios::StoryResult& result,
                     const reports::Look& look);

private:
    /// A trial with all its steps, and the plan that it followed.
    struct Shown {
        scenarios::Plan plan;
        scenarios::TrialResult result;
    };

    Shown show(const scenarios::Scenario& scenario, std::uint64_t seed);
    enum class Telling : std::uint8_t { why, explanation };
    std::string tell_group(const Selected& story, const scenarios::StoryResult& result,
                           std::span<const scenarios::SurpriseReport> surprises, Telling telling,
                           const reports::Look& look);
    /// Nothing when it is not about a promise that broke in this trial.
    std::optional<ExplainedCase> explained(const Selected& story, const Shown& shown,
                                           const scenarios::SurpriseReport& surprise);
    std::filesystem::path path_of(const Selected& story, std::uint64_t seed,
                                  std::string_view file) const;
    /// `redeliver COMMAND STORY --seed SEED` with the settings.
    std::string by_seed(std::string_view command, const Selected& story, std::uint64_t seed) const;

    std::optional<std::filesystem::path> folder_;
    std::vector<std::string> settings_;
    scenarios::TrialRunner runner_;
};

}  // namespace redeliver::cli
