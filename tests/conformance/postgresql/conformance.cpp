// The judge that compares our model of a database with a real PostgreSQL 15.

#include <algorithm>
#include <chrono>
#include <exception>
#include <fstream>
#include <iostream>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "tests/conformance/postgresql/differential.h"

namespace redeliver::conformance::postgresql {
namespace {

using model::database::SynchronousCommit;

enum ExitCode { as_expected = 0, differs = 1, not_covered = 2, usage = 64, failed = 70 };

/// What is worse comes first; a difference is worse than something never met.
int worse_of(int one, int other) {
    if (one == differs || other == differs) return differs;
    return std::max(one, other);
}

struct Options {
    DifferentialOptions differential;
    std::uint64_t kills = 40;
    std::uint64_t failovers = 12;
    std::string json_path;
};

int judge_counts(const Options& options, const Tally& tally) {
    int code = as_expected;
    // A shorter run than the default has to meet its share.
    const double share =
        std::min(1.0, static_cast<double>(options.differential.interleavings) /
                          static_cast<double>(DifferentialOptions{}.interleavings));
    for (const Tally::Count& count : tally.counts()) {
        const bool is_enough =
            static_cast<double>(count.value) >= static_cast<double>(count.least) * share;
        std::cout << fmt::format("  {:>8}  {}{}\n", count.value, count.what,
                                 is_enough ? "" : "  <- too few");
        if (!is_enough) code = not_covered;
    }
    return code;
}

nlohmann::json as_json(const DifferentialResult& result, std::uint64_t seed) {
    auto counts = nlohmann::json::array();
    for (const Tally::Count& count : result.tally.counts())
        counts.push_back({{"what", count.what}, {"value", count.value}});
    return {{"version", result.version},
            {"interleavings", result.tally.interleavings},
            {"statements", result.tally.statements},
            {"seed", seed},
            {"counts", counts}};
}

int run_differential(const Options& options, nlohmann::json& summary) {
    const auto began = std::chrono::steady_clock::now();
    const DifferentialResult result = compare_interleavings(options.differential);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    if (result.mismatch) {
        std::cout << *result.mismatch
                  << fmt::format("\ncaught by interleaving {}\n", result.tally.interleavings + 1);
        return differs;
    }
    std::cout << fmt::format(
        "interleavings: {} of {} statements agree with PostgreSQL {}; seed {}, {:.0f} s\n",
        result.tally.interleavings, result.tally.statements, result.version,
        options.differential.seed, took.count());
    summary["interleavings"] = as_json(result, options.differential.seed);
    return judge_counts(options, result.tally);
}

/// `what` is a key of the summary and, for people, the loss.
int judge_losses(const std::string& what, const LossResult& result, nlohmann::json& summary) {
    if (result.mismatch) {
        std::cout << *result.mismatch
                  << fmt::format("\ncaught by {} number {}\n", what, result.losses + 1);
        return differs;
    }
    std::cout << fmt::format("{}: {} agree; {} rows survived, {} were undone, in {} of them\n",
                             what, result.losses, result.survived, result.undone, result.lossy);
    summary[what] = {{"losses", result.losses},
                     {"survived", result.survived},
                     {"undone", result.undone},
                     {"lossy", result.lossy}};
    return as_expected;
}

/// With the log flushed late, or copied late, something has to be lost.
int judge_late_losses(const std::string& what, const LossResult& result, nlohmann::json& summary) {
    const int code = judge_losses(what, result, summary);
    if (code == differs || result.lossy > 0 || result.losses == 0) return code;
    std::cout << "none of them lost anything\n";
    return not_covered;
}

int run_losses(const Options& options, nlohmann::json& summary) {
    const std::uint64_t seed = options.differential.seed;
    int code = as_expected;
    const auto judge = [&code](int then) { code = worse_of(code, then); };
    if (options.kills > 0) {
        judge(judge_losses("kills with synchronous_commit on",
                           compare_crashes(options.kills, seed, SynchronousCommit::on), summary));
        judge(judge_late_losses("kills with synchronous_commit off",
                                compare_crashes(options.kills, seed, SynchronousCommit::off),
                                summary));
    }
    if (options.failovers > 0)
        judge(judge_late_losses("failovers", compare_failovers(options.failovers, seed), summary));
    return code;
}

int run_limit() {
    const LimitResult result = compare_limit();
    if (result.modelled != result.real) {
        std::cout << fmt::format("of {} connections the model accepts {}, PostgreSQL {}\n",
                                 result.limit, result.modelled, result.real)
                  << "caught by the limit of connections\n";
        return differs;
    }
    std::cout << fmt::format("limit of {} connections: both accept {}\n", result.limit,
                             result.real);
    return as_expected;
}

/// Everything that was asked for, until something differs.
int run_all(const Options& options, nlohmann::json& summary) {
    int code = as_expected;
    if (options.differential.interleavings > 0) code = run_differential(options, summary);
    if (code != differs) code = worse_of(code, run_limit());
    if (code != differs) code = worse_of(code, run_losses(options, summary));
    return code;
}

int run(int argc, char** argv) {
    Options options;
    CLI::App app{"Compares the model of a database with a real PostgreSQL 15, answer by answer."};
    app.add_option("--interleavings", options.differential.interleavings, "to compare")
        ->capture_default_str();
    app.add_option("--seed", options.differential.seed, "of the first; a mismatch names one")
        ->capture_default_str();
    app.add_option("--kills", options.kills, "of the server, with each synchronous_commit")
        ->capture_default_str();
    app.add_option("--failovers", options.failovers, "to an asynchronous replica")
        ->capture_default_str();
    app.add_option("--json", options.json_path, "also write the counts to this file");
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
}  // namespace redeliver::conformance::postgresql

int main(int argc, char** argv) {
    try {
        return redeliver::conformance::postgresql::run(argc, argv);
    } catch (const std::exception& error) {
        std::cerr << "postgresql_conformance: " << error.what() << "\n";
        return redeliver::conformance::postgresql::failed;
    }
}
