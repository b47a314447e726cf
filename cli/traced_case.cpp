#include "cli/traced_case.h"

#include <fmt/format.h>

#include "cli/files.h"
#include "reports/exports.h"
#include "reports/neighbours.h"
#include "reports/words.h"

namespace redeliver::cli {

reports::Trace traced_case(scenarios::TrialRunner& runner, const scenarios::Case& of,
                           const std::optional<reports::WhyBroken>& why,
                           const std::string& replay) {
    const scenarios::TrialResult result =
        runner.run(of.scenario, of.plan, of.seed, scenarios::Level::everything);
    reports::Trace trace = reports::trace_of(runner, {of.scenario, of.plan, of.seed, result}, why);
    trace.commands = {replay};
    reports::add_neighbours(runner, of, why, replay, trace);
    return trace;
}

void write_page(scenarios::TrialRunner& runner, ExplainedCase& explained) {
    const std::filesystem::path folder = std::filesystem::path(*explained.file).parent_path();
    const reports::Explained view = explained.view();
    reports::Trace trace =
        traced_case(runner, explained.shrunk.best,
                    reports::WhyBroken{explained.shrunk.breakage.promise, explained.explanation},
                    replay_command(view));
    trace.explanation->shrunk = smallness(view);
    write_file(folder / "trace.jsonl", write_trace(trace));
    write_file(folder / "report.html", html(trace));
    explained.page =
        fmt::format("{}#step={}", (folder / "report.html").string(), view.broken().verdict.step);
}

}  // namespace redeliver::cli
