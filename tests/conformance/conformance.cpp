// The judge that compares our model of Redis with a real redis-server 7.0.15.

#include <algorithm>
#include <chrono>
#include <exception>
#include <fstream>
#include <iostream>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "tests/conformance/coverage.h"
#include "tests/conformance/differential.h"
#include "tests/conformance/faults.h"

namespace redeliver::conformance {
namespace {

enum ExitCode { as_expected = 0, differs = 1, not_covered = 2, usage = 64, failed = 70 };

/// What is worse comes first; a difference is worse than something never met.
int worse_of(int one, int other) {
    if (one == differs || other == differs) return differs;
    return std::max(one, other);
}

struct Options {
    DifferentialOptions differential;
    std::uint64_t restarts = 120;
    std::uint64_t failovers = 60;
    std::string cells_path = REDELIVER_CELLS;
    std::string json_path;
    bool shows_table = false;
    bool declares = false;
};

std::string read_file(const std::string& path) {
    std::ifstream in(path);
    if (!in) throw std::runtime_error("cannot read " + path);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

std::string summary_of(const DifferentialResult& result, std::chrono::duration<double> took) {
    const auto& coverage = result.coverage;
    return fmt::format(
        "differential: {} commands in {} scripts agree, and {} questions about the state\n"
        "  {} % of the commands met pending entries; {} replies were waited for\n"
        "  {} clock steps, {} of them back; {} disconnects; {} different error texts\n"
        "  masked fields: none; order not compared: reads that time out at the same instant\n"
        "  {:.1f} s, {:.0f} commands a second\n",
        coverage.commands(), result.scripts, result.questions, coverage.percent_meeting_pending(),
        result.awaited, result.clock_steps, result.clock_steps_back, result.disconnects,
        coverage.error_texts().size(), took.count(),
        static_cast<double>(coverage.commands() + result.questions) / took.count());
}

/// At most so many differences may not come again when their script is played again.
std::uint64_t most_unrepeated(const Coverage& coverage) {
    constexpr std::uint64_t commands_for_one = 100'000;
    return 1 + coverage.commands() / commands_for_one;
}

int judge_unrepeated(const DifferentialResult& result) {
    const std::uint64_t most = most_unrepeated(result.coverage);
    if (!result.unrepeated.empty())
        std::cout << fmt::format(
            "  {} scripts differed and agreed over new connections ({} may): seeds {}\n",
            result.unrepeated.size(), most, fmt::join(result.unrepeated, ", "));
    return result.unrepeated.size() > most ? differs : as_expected;
}

/// What a reader of the counts would otherwise take on trust.
int judge_coverage(const Options& options, const Coverage& coverage) {
    constexpr std::uint64_t least_percent_meeting_pending = 30;
    int code = as_expected;
    if (coverage.percent_meeting_pending() < least_percent_meeting_pending) {
        std::cout << "too few commands met pending entries\n";
        code = not_covered;
    }
    const DeclaredCells declared(read_file(options.cells_path));
    const auto missing = declared.missing_from(coverage);
    for (const std::string& cell : missing) std::cout << "never met: " << cell << "\n";
    std::cout << fmt::format("coverage: {} of {} declared cells were met\n",
                             declared.size() - missing.size(), declared.size());
    return missing.empty() ? code : not_covered;
}

int run_differential(const Options& options, nlohmann::json& summary) {
    const auto began = std::chrono::steady_clock::now();
    const DifferentialResult result = compare_with_reference(options.differential);
    const auto took = std::chrono::steady_clock::now() - began;
    if (result.mismatch) {
        std::cout << *result.mismatch
                  << fmt::format("\ncaught by the differential after {} commands\n",
                                 result.coverage.commands());
        return differs;
    }
    std::cout << summary_of(result, took);
    if (options.shows_table) std::cout << result.coverage.as_table();
    if (options.declares) std::cout << DeclaredCells::text_of(result.coverage, 12);
    summary["differential"] = {
        {"commands", result.coverage.commands()}, {"scripts", result.scripts},
        {"questions", result.questions},          {"seed", options.differential.seed},
        {"masked", nlohmann::json::array()},      {"coverage", result.coverage.as_json()}};
    return worse_of(judge_unrepeated(result), judge_coverage(options, result.coverage));
}

int judge_faults(const char* name, const FaultResult& result, nlohmann::json& summary) {
    for (const std::string& line : result.lines) std::cout << line << "\n";
    if (result.mismatch) {
        std::cout << *result.mismatch
                  << fmt::format("\ncaught by {} number {}\n", name, result.faults + 1);
        return differs;
    }
    std::cout << fmt::format("{}: {} agree with the model\n", name, result.faults);
    summary[name] = {{"faults", result.faults}, {"lines", result.lines}};
    return as_expected;
}

/// Everything that was asked for, until something differs.
int run_all(const Options& options, nlohmann::json& summary) {
    int code = as_expected;
    if (options.differential.commands > 0) code = run_differential(options, summary);
    const auto seed = options.differential.seed;
    if (code != differs && options.restarts > 0)
        code = worse_of(
            code, judge_faults("restarts", compare_restarts(options.restarts, seed), summary));
    if (code != differs && options.failovers > 0)
        code = worse_of(
            code, judge_faults("failovers", compare_failovers(options.failovers, seed), summary));
    return code;
}

int run(int argc, char** argv) {
    Options options;
    CLI::App app{"Compares the model of Redis with a real redis-server 7.0.15, byte for byte."};
    app.add_option("--commands", options.differential.commands, "commands to compare")
        ->capture_default_str();
    app.add_option("--seed", options.differential.seed, "of the first script; a mismatch names one")
        ->capture_default_str();
    app.add_option("--restarts", options.restarts, "servers to kill and restart")
        ->capture_default_str();
    app.add_option("--failovers", options.failovers, "replicas to promote")->capture_default_str();
    app.add_option("--cells", options.cells_path, "what has to be met")->capture_default_str();
    app.add_option("--json", options.json_path, "also write the counts to this file");
    app.add_flag("--table", options.shows_table, "print every cell that was met");
    app.add_flag("--declare", options.declares,
                 "print a table of cells that declares what was met");
    app.add_flag_callback("--no-shrink", [&options] {
        options.differential.shrinking = DifferentialOptions::Shrinking::none;
    });
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? as_expected : usage;
    }

    nlohmann::json summary;
    const int code = run_all(options, summary);
    if (!options.json_path.empty()) std::ofstream(options.json_path) << summary.dump(2) << "\n";
    return code;
}

}  // namespace
}  // namespace redeliver::conformance

int main(int argc, char** argv) {
    try {
        return redeliver::conformance::run(argc, argv);
    } catch (const std::exception& error) {
        std::cerr << "redis_conformance: " << error.what() << "\n";
        return redeliver::conformance::failed;
    }
}
