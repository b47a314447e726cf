#include "cli/bench_arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <thread>

#include "cli/errors.h"
#include "cli/help.h"
#include "cli/numbers.h"
#include "scenarios/json/nearest.h"

namespace redeliver::cli {

namespace {

constexpr Bounds repeats_bounds{.least = 1, .most = 1'000};
constexpr Bounds trials_bounds{.least = 1, .most = 1'000'000'000};
constexpr Bounds seed_bounds{.least = 0, .most = 1'000'000'000'000};
constexpr Bounds jobs_bounds{.least = 1, .most = 256};

/// The one of this name, of whatever has names.
template <class Named>
const Named* named(const char* option, const std::vector<Named>& all, const std::string& name) {
    std::vector<std::string_view> names;
    for (const Named& each : all) {
        if (each.name == name) return &each;
        names.push_back(each.name);
    }
    throw UsageError(
        fmt::format("{}: found '{}'{}", option, name, scenarios::json::advice(name, names)));
}

template <class Named>
std::vector<const Named*> all_named(const char* option, const std::vector<Named>& all,
                                    const std::vector<std::string>& names) {
    std::vector<const Named*> found;
    for (const std::string& name : names) {
        const Named* const each = named(option, all, name);
        if (std::ranges::count(found, each) == 0) found.push_back(each);
    }
    return found;
}

}  // namespace

BenchArguments::BenchArguments(CLI::App& command) {
    command.add_flag("--bugs", bugs_, "what to measure: how soon planted bugs are found")
        ->required();
    command.add_option("--only", only_, "this bug (repeatable)")
        ->type_name("NAME")
        ->allow_extra_args(false);
    command.add_option("--strategy", strategies_, "this strategy (repeatable); see below")
        ->type_name("NAME")
        ->allow_extra_args(false);
    command.add_option("--repeats", repeats_, "how often each begins anew (default 20)")
        ->type_name("N");
    command.add_option("--trials", trials_, "attempts where there is no end (default 10000)")
        ->type_name("N");
    command.add_option("--seed", seed_, "the first seed (default 1)")->type_name("SEED");
    command.add_option("--jobs", jobs_, "threads (default: one per core)")->type_name("N");
    auto* const json = command.add_flag("--json", json_, "as one JSON document");
    command.add_flag("--markdown", markdown_, "as a page in Markdown")->excludes(json);
    command.add_option("--out", out_, "folder for report.json and the smallest case of each bug")
        ->type_name("DIR");
    command.footer(std::string(help::after_bench));
}

BenchOptions BenchArguments::options() const {
    if (out_ && out_->empty()) throw UsageError("--out: found '', allowed is a folder");
    BenchOptions options;
    options.bugs = all_named("--only", scenarios::planted_bugs(), only_);
    options.hunters = all_named("--strategy", scenarios::hunters(), strategies_);
    options.folder = out_;
    if (repeats_)
        options.repeats =
            static_cast<std::uint32_t>(parse_number("--repeats", *repeats_, repeats_bounds));
    if (trials_) options.trials = parse_number("--trials", *trials_, trials_bounds);
    if (seed_) options.seed = parse_number("--seed", *seed_, seed_bounds);
    const std::uint64_t cores = std::clamp<std::uint64_t>(std::thread::hardware_concurrency(),
                                                          jobs_bounds.least, jobs_bounds.most);
    options.jobs =
        static_cast<std::uint32_t>(jobs_ ? parse_number("--jobs", *jobs_, jobs_bounds) : cores);
    if (json_) options.format = BenchOptions::Format::json;
    if (markdown_) options.format = BenchOptions::Format::markdown;
    return options;
}

}  // namespace redeliver::cli
