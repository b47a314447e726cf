#include "cli/report_arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/errors.h"
#include "cli/help.h"
#include "cli/numbers.h"
#include "scenarios/json/nearest.h"

namespace redeliver::cli {

namespace {

const reports::Export* form_named(const std::string& name) {
    std::vector<std::string_view> names;
    for (const reports::Export& form : reports::exports()) {
        if (form.name == name) return &form;
        names.push_back(form.name);
    }
    throw UsageError(
        fmt::format("--format: found '{}'{}", name, scenarios::json::advice(name, names)));
}

}  // namespace

ReportArguments::ReportArguments(CLI::App& command) {
    command.add_option("story", what_, "a story by name, its file, a case, or a trace (.jsonl)")
        ->type_name("STORY|CASE|TRACE")
        ->required();
    command.add_option("--out", folder_, "folder for all that is written")
        ->type_name("DIR")
        ->required();
    command.add_option("--format", forms_, "what to write, with commas between (default html)")
        ->type_name("FORMAT")
        ->delimiter(',')
        ->allow_extra_args(false);
    command.add_option("--seed", seed_, "of a story (default 1)")->type_name("SEED");
    command.add_option("--set", settings_, "change one value first, as for run (repeatable)")
        ->type_name("PATH=VALUE")
        ->allow_extra_args(false);
    command.footer(std::string(help::after_report));
}

ReportOptions ReportArguments::options() const {
    if (folder_.empty()) throw UsageError("--out: found '', allowed is a folder");
    ReportOptions options{.what = what_, .settings = settings_, .folder = folder_, .forms = {}};
    if (seed_) options.seed = parse_number("--seed", *seed_, {});
    for (const std::string& form : forms_.empty() ? std::vector<std::string>{"html"} : forms_) {
        const reports::Export* const found = form_named(form);
        if (std::ranges::count(options.forms, found) == 0) options.forms.push_back(found);
    }
    return options;
}

}  // namespace redeliver::cli
