#include "cli/explore_arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <limits>
#include <thread>

#include "cli/errors.h"
#include "cli/help.h"
#include "cli/numbers.h"
#include "scenarios/json/limits.h"
#include "scenarios/json/nearest.h"
#include "scenarios/json/printable.h"
#include "scenarios/json/units.h"

namespace redeliver::cli {

namespace {

using scenarios::Mishap;
using Way = ExploreOptions::Strategy;

constexpr std::uint64_t any = std::numeric_limits<std::uint64_t>::max();
constexpr Bounds depth_bounds{.least = 1, .most = 16};
constexpr Bounds trials_bounds{.least = 1, .most = 1'000'000'000};
constexpr Bounds seconds_bounds{.least = 1, .most = 1'000'000};
constexpr Bounds jobs_bounds{.least = 1, .most = 256};
constexpr Bounds seed_bounds{.least = 0, .most = any};

Way way_named(const std::string& name) {
    std::vector<std::string_view> names;
    for (const Way way :
         {Way::random, Way::swarm, Way::enumerate, Way::priority, Way::mutate, Way::exhaustive}) {
        if (text(way) == name) return way;
        names.push_back(text(way));
    }
    throw UsageError(
        fmt::format("--strategy: found '{}'{}", name, scenarios::json::advice(name, names)));
}

Mishap mishap_named(const std::string& name) {
    std::vector<std::string_view> names;
    for (const scenarios::MishapInfo& info : scenarios::mishaps()) {
        if (info.name == name) return info.mishap;
        names.push_back(info.name);
    }
    throw UsageError(
        fmt::format("--only: found '{}'{}", name, scenarios::json::advice(name, names)));
}

scenarios::Duration parse_slack(const std::string& text) {
    const auto slack = scenarios::json::parse_duration(text);
    if (!slack || *slack <= scenarios::Duration::zero() || *slack > scenarios::json::max_slack)
        throw UsageError(
            fmt::format("--slack: found '{}', allowed is a time from 1us to {}, such as 5ms",
                        scenarios::printable(text, 40),
                        scenarios::json::duration_text(scenarios::json::max_slack)));
    return *slack;
}

}  // namespace

ExploreArguments::ExploreArguments(CLI::App& command) {
    command.add_option("story", story_, "a story by name, or its file")
        ->type_name("STORY")
        ->required();
    command
        .add_option("--strategy", strategy_,
                    "enumerate (the default), random, swarm, priority, mutate or exhaustive")
        ->type_name("NAME");
    command
        .add_option("--faults", faults_,
                    "of enumerate: 1 (default), or 2 for pairs as well; of priority: 0 (default) "
                    "or 1; of exhaustive: 0 or 1 (default)")
        ->type_name("N");
    command.add_option("--depth", depth_, "of priority: changes of priority, and one (default 3)")
        ->type_name("D");
    command
        .add_option(
            "--slack", slack_,
            "what is due so soon after another may overtake it (default 5ms; of exhaustive 1us)")
        ->type_name("TIME");
    command.add_option("--only", only_, "only this kind of fault; see below (repeatable)")
        ->type_name("KIND")
        ->allow_extra_args(false);
    command.add_option("--trials", trials_, "attempts at most (10000 where there is no end)")
        ->type_name("N");
    command.add_option("--seconds", seconds_, "begin nothing new after so long")->type_name("N");
    command.add_option("--seed", seed_, "the first seed; of enumerate, the only one (default 1)")
        ->type_name("SEED");
    command
        .add_option("--minimum-hits", minimum_hits_,
                    "of random and swarm: not proven unless each kind of fault told so often")
        ->type_name("N");
    command.add_option("--jobs", jobs_, "threads (default: one per core)")->type_name("N");
    command
        .add_option("--set", settings_,
                    "change one value: worker.idle_threshold=5s, workload.runs=3 (repeatable)")
        ->type_name("PATH=VALUE")
        ->allow_extra_args(false);
    command.add_flag("--json", json_, "as one JSON document");
    command.add_option("--out", out_, "folder for report.json and a case per broken promise")
        ->type_name("DIR");
    command.footer(std::string(help::after_explore));
}

void ExploreArguments::refuse_what_does_not_apply(Way strategy) const {
    const bool is_of_seeds = strategy == Way::random || strategy == Way::swarm;
    const bool makes_schedules = !is_of_seeds && strategy != Way::enumerate;
    if (minimum_hits_ && !is_of_seeds)
        throw UsageError("--minimum-hits: only --strategy random and swarm draw faults");
    if (faults_ && strategy == Way::mutate)
        throw UsageError("--faults: mutate adds and drops them, so that their number varies");
    if (faults_ && is_of_seeds)
        throw UsageError(fmt::format("--faults: the faults of {} are the story's", text(strategy)));
    if (!only_.empty() && is_of_seeds)
        throw UsageError(fmt::format("--only: the faults of {} are the story's", text(strategy)));
    if (depth_ && strategy != Way::priority)
        throw UsageError("--depth: only --strategy priority has a depth");
    if (slack_ && !makes_schedules)
        throw UsageError(fmt::format("--slack: {} leaves the order as it is", text(strategy)));
}

std::uint32_t ExploreArguments::faults(Way strategy) const {
    const Bounds bounds =
        strategy == Way::enumerate ? Bounds{.least = 1, .most = 2} : Bounds{.least = 0, .most = 1};
    return static_cast<std::uint32_t>(parse_number("--faults", *faults_, bounds));
}

ExploreOptions ExploreArguments::options() const {
    if (out_ && out_->empty()) throw UsageError("--out: found '', allowed is a folder");
    ExploreOptions options;
    options.story = story_;
    options.settings = settings_;
    options.folder = out_;
    if (strategy_) options.strategy = way_named(*strategy_);
    refuse_what_does_not_apply(options.strategy);
    if (faults_) options.faults = faults(options.strategy);
    if (depth_)
        options.depth = static_cast<std::uint32_t>(parse_number("--depth", *depth_, depth_bounds));
    if (slack_) options.slack = parse_slack(*slack_);
    for (const std::string& name : only_) options.mishaps.push_back(mishap_named(name));
    std::ranges::sort(options.mishaps);
    const auto repeated = std::ranges::unique(options.mishaps);
    options.mishaps.erase(repeated.begin(), repeated.end());
    if (trials_) options.trials = parse_number("--trials", *trials_, trials_bounds);
    if (seconds_) options.seconds = parse_number("--seconds", *seconds_, seconds_bounds);
    if (minimum_hits_)
        options.minimum_hits = parse_number("--minimum-hits", *minimum_hits_, trials_bounds);
    if (seed_) options.seed = parse_number("--seed", *seed_, seed_bounds);
    const std::uint64_t cores = std::clamp<std::uint64_t>(std::thread::hardware_concurrency(),
                                                          jobs_bounds.least, jobs_bounds.most);
    options.jobs =
        static_cast<std::uint32_t>(jobs_ ? parse_number("--jobs", *jobs_, jobs_bounds) : cores);
    options.format = json_ ? Format::json : Format::text;
    return options;
}

}  // namespace redeliver::cli
