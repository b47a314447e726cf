#include "tests/conformance/postgresql/differential.h"

#include <chrono>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "model/database/server.h"
#include "tests/conformance/draw.h"
#include "tests/conformance/postgresql/duel.h"
#include "tests/conformance/postgresql/generate.h"
#include "tests/conformance/postgresql/shrink.h"

namespace redeliver::conformance::postgresql {
namespace {

std::string report(std::uint64_t seed, const Script& script, const Difference& difference) {
    return fmt::format("the model and PostgreSQL differ; seed {}\n\n{}\n{}", seed,
                       in_columns(script, difference.lines), difference.text);
}

/// The smallest script like it that differs, and how.
std::string explain(Duel& duel, std::uint64_t seed, Script script, const Difference& difference,
                    DifferentialOptions::Shrinking shrinking) {
    if (shrinking == DifferentialOptions::Shrinking::none) return report(seed, script, difference);
    const Script small =
        shrink(script, [&](const Script& candidate) { return duel.play(candidate).has_value(); });
    if (const auto again = duel.play(small)) return report(seed, small, *again);
    return "only once: " + report(seed, script, difference);
}

void show_progress(std::uint64_t done, std::uint64_t of) {
    constexpr std::uint64_t often = 500;
    if (::isatty(STDERR_FILENO) == 0 || (done % often != 0 && done != of)) return;
    std::cerr << fmt::format("\r{} of {} interleavings", done, of) << (done == of ? "\n" : "");
}

}  // namespace

DifferentialResult compare_interleavings(const DifferentialOptions& options) {
    TemporaryFolder folder;
    ReferenceClock clock(folder.path());
    PostgresServer server(clock);
    Duel duel(server, clock);
    DifferentialResult result{.version = server.version(), .tally = {}, .mismatch = {}};
    for (std::uint64_t done = 0; done < options.interleavings; ++done) {
        const std::uint64_t seed = options.seed + done;
        Script script = script_of(seed);
        const auto difference = duel.play(script);
        result.tally = duel.tally();
        if (difference) {
            result.mismatch =
                explain(duel, seed, std::move(script), *difference, options.shrinking);
            break;
        }
        show_progress(done + 1, options.interleavings);
    }
    return result;
}

LimitResult compare_limit() {
    using namespace model::database;
    constexpr std::size_t limit = 7;
    LimitResult result{.limit = limit, .modelled = {}, .real = {}};
    Server modelled({}, {.connection_limit = limit});
    std::size_t accepted = 0;
    SqlState state = SqlState::ok;
    while ((state = modelled.connect(SessionId{accepted})) == SqlState::ok) ++accepted;
    result.modelled = fmt::format("{}, then {}", accepted, code(state));

    TemporaryFolder folder;
    ReferenceClock clock(folder.path());
    PostgresServer server(clock, {{"max_connections", "10"},
                                  {"superuser_reserved_connections", "3"},
                                  {"log_error_verbosity", "verbose"}});
    // Its own connection, and those that asked whether the server is up, are gone before any that
    // are counted.
    PostgresSession session(server.address());
    session.query("create role client login");
    session.close();
    do std::this_thread::sleep_for(std::chrono::milliseconds{50});
    while (!session.has_ended());
    std::vector<std::unique_ptr<PostgresSession>> clients;
    try {
        while (true) clients.push_back(std::make_unique<PostgresSession>(server.address("client")));
    } catch (const std::runtime_error&) {
        result.real = fmt::format("{}, then {}", clients.size(), server.last_state_in_log());
    }
    return result;
}

namespace {

/// One loss for each of so many interleavings.
template <typename Play>
LossResult compare_losses(std::uint64_t losses, std::uint64_t seed, Play play) {
    LossResult result;
    for (; result.losses < losses; ++result.losses) {
        const std::uint64_t script_seed = seed + result.losses;
        const Script script = script_of(script_seed);
        Draw draw{rc::Random(script_seed)};
        const Duel::Loss loss = play(script, draw);
        if (loss.difference) {
            result.mismatch = report(script_seed, script, *loss.difference);
            break;
        }
        result.undone += loss.undone;
        result.survived += loss.rows;
        if (loss.undone > 0) ++result.lossy;
    }
    return result;
}

}  // namespace

LossResult compare_crashes(std::uint64_t kills, std::uint64_t seed,
                           model::database::SynchronousCommit commit) {
    TemporaryFolder folder;
    ReferenceClock clock(folder.path());
    PostgresServer server(clock);
    Duel duel(server, clock, commit);
    return compare_losses(kills, seed, [&duel](const Script& script, Draw& draw) {
        return duel.play_until_crash(script, 1 + draw.below(script.steps.size()));
    });
}

LossResult compare_failovers(std::uint64_t failovers, std::uint64_t seed) {
    TemporaryFolder folder;
    ReferenceClock clock(folder.path());
    PostgresServer server(clock);
    Duel duel(server, clock);
    return compare_losses(failovers, seed, [&duel](const Script& script, Draw& draw) {
        const std::size_t step = 1 + draw.below(script.steps.size());
        return duel.play_until_failover(script, draw.below(step), step);
    });
}

}  // namespace redeliver::conformance::postgresql
