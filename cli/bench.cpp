#include "cli/bench.h"

#include <fmt/format.h>

#include <filesystem>

#include "cli/files.h"
#include "cli/progress.h"
#include "reports/bug_bench.h"
#include "scenarios/explore/bug_bench.h"
#include "scenarios/json/codec.h"

namespace redeliver::cli {

namespace {

using scenarios::BugBench;
using scenarios::BugResult;
using scenarios::Hunting;

scenarios::BugBenchOptions asked_for(const BenchOptions& options) {
    scenarios::BugBenchOptions asked{.bugs = options.bugs,
                                     .hunters = options.hunters,
                                     .repeats = options.repeats,
                                     .trials = options.trials,
                                     .first_seed = options.seed,
                                     .jobs = options.jobs};
    if (asked.bugs.empty())
        for (const scenarios::PlantedBug& bug : scenarios::planted_bugs())
            asked.bugs.push_back(&bug);
    if (asked.hunters.empty())
        for (const scenarios::Hunter& hunter : scenarios::hunters())
            asked.hunters.push_back(&hunter);
    return asked;
}

/// The smallest case of each bug, whoever found it.
void keep_cases(const std::filesystem::path& folder, const BugBench& bench) {
    for (const BugResult& result : bench.bugs) {
        const scenarios::SmallCase* const smallest = reports::smallest_case(result);
        if (smallest == nullptr) continue;
        write_file(folder / result.bug->name / "case.json", scenarios::write_case(smallest->best));
    }
}

std::string answer(const BugBench& result, BenchOptions::Format format, const reports::Look& look) {
    switch (format) {
    case BenchOptions::Format::json: return reports::bug_bench_document(result);
    case BenchOptions::Format::markdown: return reports::bug_bench_markdown(result);
    case BenchOptions::Format::text: break;
    }
    return reports::bug_bench_text(result, look);
}

}  // namespace

ExitCode bench(const BenchOptions& options, Streams& streams) {
    const auto watched = streams.err_is_terminal ? Progress::Watched::yes : Progress::Watched::no;
    Progress progress(watched, 0, streams.err_look, streams.err);
    scenarios::BugBenchOptions asked = asked_for(options);
    asked.progress = [&](std::size_t done, std::size_t all) {
        progress.begin(fmt::format("{} of {} hunts", done, all));
        progress.update(done);
    };
    const BugBench result = bench_bugs(asked);
    progress.end(0);
    if (options.folder) {
        const std::filesystem::path folder(*options.folder);
        write_file(folder / "report.json", reports::bug_bench_document(result));
        keep_cases(folder, result);
    }
    streams.out.print(answer(result, options.format, streams.look));
    return result.is_as_it_should_be() ? ExitCode::as_expected : ExitCode::not_as_expected;
}

}  // namespace redeliver::cli
