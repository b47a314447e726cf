#include "cli/explain_arguments.h"

#include <CLI/CLI.hpp>

#include "cli/errors.h"
#include "cli/help.h"
#include "cli/numbers.h"

namespace redeliver::cli {
namespace {

constexpr Bounds trials_bounds{.least = 1, .most = 1'000'000'000};
constexpr Bounds seconds_bounds{.least = 1, .most = 1'000'000};

}  // namespace

ExplainArguments::ExplainArguments(CLI::App& command) {
    command.add_option("story", what_, "a story by name, its file, or a case")
        ->type_name("STORY|CASE")
        ->required();
    command
        .add_option("--seed", seed_, "of a story (default: the first in which something breaks)")
        ->type_name("SEED");
    command
        .add_option("--promise", promise_,
                    "which one, if several break (default: one that was to hold, if any)")
        ->type_name("NAME");
    command.add_option("--set", settings_, "change one value first, as for run (repeatable)")
        ->type_name("PATH=VALUE")
        ->allow_extra_args(false);
    command
        .add_option("--budget-trials", trials_,
                    "trials to shrink, and as many to try variations (default 10000)")
        ->type_name("N");
    command
        .add_option("--seconds", seconds_,
                    "time to shrink, and as much to try variations (default 60)")
        ->type_name("N");
    command.add_flag("--json", json_, "as one JSON document");
    command.add_option("--out", out_, "file for the shrunk case; without it nothing is written")
        ->type_name("FILE");
    command.footer(std::string(help::after_explain));
}

ExplainOptions ExplainArguments::options() const {
    ExplainOptions options;
    options.what = what_;
    options.promise = promise_;
    options.settings = settings_;
    if (seed_) options.seed = parse_number("--seed", *seed_, {});
    if (trials_) options.trials = parse_number("--budget-trials", *trials_, trials_bounds);
    if (seconds_)
        options.time = std::chrono::seconds(parse_number("--seconds", *seconds_, seconds_bounds));
    if (json_) options.format = Format::json;
    options.file = out_;
    return options;
}

}  // namespace redeliver::cli
