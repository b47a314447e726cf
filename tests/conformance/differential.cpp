#include "tests/conformance/differential.h"

#include <variant>

#include <fmt/format.h>

#include "tests/conformance/duel.h"
#include "tests/conformance/generate.h"
#include "tests/conformance/shrink.h"
#include "tests/conformance/struck_script.h"

namespace redeliver::conformance {
namespace {

void count_steps(const Script& script, DifferentialResult& result) {
    for (const Step& step : script.steps) {
        if (std::holds_alternative<Disconnect>(step)) ++result.disconnects;
        const auto* const move = std::get_if<MoveClock>(&step);
        if (!move) continue;
        ++result.clock_steps;
        if (move->by < sim::Duration{0}) ++result.clock_steps_back;
    }
}

std::string report(std::uint64_t seed, const Script& script, const Difference& difference) {
    return fmt::format("the model and redis-server 7.0.15 differ; seed {}\n", seed) +
           describe(script, difference);
}

/// Whether the script differs in all of several further plays. Counts the last of them.
///
/// Each play has new connections, at other addresses in the server: reads that a script lets time
/// out at the same instant end there in the order of these addresses, the one thing that is not
/// modelled, and what was sent behind them runs in that order.
std::optional<Difference> differs_again(Duel& duel, ReferenceServer& reference,
                                        const Script& script, const DifferentialResult& before,
                                        DifferentialResult& result) {
    constexpr int plays = 5;
    std::optional<Difference> difference;
    for (int play = 0; play < plays; ++play) {
        result = before;
        duel.reconnect_to(reference);
        difference = duel.play(script);
        if (!difference) break;
    }
    return difference;
}

/// The smallest script like it that differs, and how.
std::string explain(Duel& duel, std::uint64_t seed, Script script, Difference difference,
                    DifferentialOptions::Shrinking shrinking) {
    duel.on_command = nullptr;
    duel.on_answered = nullptr;
    if (shrinking == DifferentialOptions::Shrinking::none) return report(seed, script, difference);
    Script small =
        shrink(script, [&](const Script& candidate) { return duel.play(candidate).has_value(); });
    if (const auto again = duel.play(small)) return report(seed, small, *again);
    return "only once: " + report(seed, script, difference);
}

}  // namespace

DifferentialResult compare_with_reference(const DifferentialOptions& options) {
    TemporaryFolder folder;
    ReferenceClock clock(folder.path());
    ReferenceServer reference(clock);
    Duel duel(reference, clock);
    DifferentialResult result;
    std::size_t observer = 0;
    duel.on_command = [&](std::size_t connection, const Words& words, bool meets_pending) {
        if (connection == observer)
            ++result.questions;
        else
            result.coverage.command(words, meets_pending);
    };
    duel.on_answered = [&](const Answered& answered) {
        if (answered.waited) ++result.awaited;
        if (answered.connection != observer)
            result.coverage.answered(answered.request, answered.reply, answered.waited);
    };

    const auto generate = scripts();
    for (std::uint64_t seed = options.seed; result.coverage.commands() < options.commands; ++seed) {
        Script script = generate(rc::Random(seed)).value();
        observer = observer_of(script);
        ++result.scripts;
        count_steps(script, result);
        const DifferentialResult before = result;
        if (!duel.play(script)) continue;
        if (auto difference = differs_again(duel, reference, script, before, result)) {
            result.mismatch =
                explain(duel, seed, std::move(script), std::move(*difference), options.shrinking);
            break;
        }
        result.unrepeated.push_back(seed);
    }
    return result;
}

}  // namespace redeliver::conformance
