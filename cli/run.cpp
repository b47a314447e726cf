#include "cli/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <stdexcept>

#include "cli/errors.h"
#include "cli/files.h"
#include "cli/findings.h"
#include "cli/inputs.h"
#include "cli/progress.h"
#include "reports/documents.h"
#include "reports/story_lines.h"
#include "scenarios/explore/campaign.h"
#include "sim/fault_table.h"

namespace redeliver::cli {

namespace {

using scenarios::Scenario;
using scenarios::StoryResult;

/// One call of `redeliver run`.
class Run {
public:
    Run(const RunOptions& options, Streams& streams)
        : options_(options),
          streams_(streams),
          stories_(select_stories(options.stories, options.settings)),
          lines_(scenarios(), most_seeds(), streams.look),
          findings_(options.folder, options.settings),
          progress_(watched(), all_trials(), streams.err_look, streams.err) {}

    ExitCode run() {
        check_seeds();
        const auto began = std::chrono::steady_clock::now();
        if (talks()) streams_.out.print(lines_.heading());
        for (const Selected& story : stories_) run(story);
        totals_.seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
        conclude();
        if (totals_.wrong > 0) return ExitCode::not_as_expected;
        return totals_.unproven > 0 ? ExitCode::inconclusive : ExitCode::as_expected;
    }

private:
    std::vector<Scenario> scenarios() const {
        std::vector<Scenario> all;
        for (const Selected& story : stories_) all.push_back(story.scenario);
        return all;
    }

    std::uint64_t seeds_of(const Scenario& scenario) const {
        return options_.seeds.value_or(scenario.seeds);
    }

    std::uint64_t most_seeds() const {
        std::uint64_t most = 0;
        for (const Selected& story : stories_) most = std::max(most, seeds_of(story.scenario));
        return most;
    }

    std::uint64_t all_trials() const {
        std::uint64_t trials = 0;
        for (const Selected& story : stories_) trials += seeds_of(story.scenario);
        return trials;
    }

    void check_seeds() const {
        constexpr std::uint64_t last = std::numeric_limits<std::uint64_t>::max();
        // The seed after the last one is a number as well.
        if (options_.first_seed > last - most_seeds())
            throw UsageError(fmt::format("--from: found '{}', but {} seeds from there go beyond {}",
                                         options_.first_seed, most_seeds(), last));
    }

    bool talks() const {
        return options_.format == Format::text && options_.talk == RunOptions::Talk::everything;
    }

    Progress::Watched watched() const {
        return streams_.err_is_terminal && options_.talk == RunOptions::Talk::everything
                   ? Progress::Watched::yes
                   : Progress::Watched::no;
    }

    StoryResult campaign(const Selected& story) {
        const scenarios::CampaignOptions campaign{
            .first_seed = options_.first_seed,
            .seeds = seeds_of(story.scenario),
            .jobs = options_.jobs,
            .progress = [this](std::uint64_t done) { progress_.update(done); }};
        try {
            return run_story(story.scenario, campaign);
        } catch (const sim::PlanError& error) {
            throw UsageError(fmt::format("{}: fault {} of its plan: {}", story.argument,
                                         error.fault() + 1, error.what()));
        }
    }

    void run(const Selected& story) {
        progress_.begin(story.scenario.name);
        StoryResult result = campaign(story);
        progress_.end(result.seeds);
        if (talks()) {
            streams_.out.print(lines_.line(story.scenario, result));
            streams_.out.flush();
        }
        findings_.keep(story, result);
        totals_.add(result);
        results_.push_back(std::move(result));
    }

    void conclude() {
        if (options_.folder)
            write_file(std::filesystem::path(*options_.folder) / "report.json",
                       reports::run_document(results_));
        if (options_.format == Format::json)
            return streams_.out.print(reports::run_document(results_));
        if (talks() && !totals_.as_expected()) streams_.out.print("\n");
        for (std::size_t i = 0; i < stories_.size(); ++i)
            streams_.out.print(findings_.tell(stories_[i], results_[i], streams_.look));
        streams_.out.print(summary_line(totals_, streams_.look));
    }

    const RunOptions& options_;
    Streams& streams_;
    std::vector<Selected> stories_;
    reports::StoryLines lines_;
    Findings findings_;
    Progress progress_;
    reports::RunTotals totals_;
    std::vector<StoryResult> results_;
};

}  // namespace

ExitCode run(const RunOptions& options, Streams& streams) { return Run(options, streams).run(); }

}  // namespace redeliver::cli
