#include "scenarios/explore/shrink.h"

#include <algorithm>
#include <utility>

#include "scenarios/explore/trial_budget.h"
#include "scenarios/json/bad_input.h"
#include "scenarios/json/codec.h"
#include "sim/ensure.h"
#include "sim/fault_table.h"

namespace redeliver::scenarios {

namespace {

using properties::Holds;

/// Promises that were to hold and did.
std::vector<std::string> kept_promises(const Scenario& scenario, const TrialResult& result) {
    std::vector<std::string> kept;
    std::ranges::copy_if(scenario.expect.holds, std::back_inserter(kept),
                         [&](const std::string& promise) {
                             return verdict_of(result, promise).holds != Holds::violated;
                         });
    return kept;
}

/// What one trial showed of what a story expects of many. The broken promise stays among those that
/// were to hold, so that nobody takes a bug for what was expected.
Expectations narrowed(const Expectations& expect, const TrialResult& result,
                      const std::string& broken) {
    Expectations narrow = expect;
    std::erase_if(narrow.holds, [&](const std::string& promise) {
        return promise != broken && verdict_of(result, promise).holds != Holds::holds;
    });
    std::erase_if(narrow.breaks, [&](const std::string& promise) {
        return verdict_of(result, promise).holds != Holds::violated;
    });
    const bool is_listed = std::ranges::count(narrow.holds, broken) > 0 ||
                           std::ranges::count(narrow.breaks, broken) > 0;
    if (!is_listed) narrow.breaks.push_back(broken);
    std::erase_if(narrow.reaches, [&](const std::string& path) {
        return std::ranges::find(result.reached, path, &ReachedPath::name)->count == 0;
    });
    narrow.totals.clear();
    return narrow;
}

/// The case with its plan as the workload and the faults of its scenario: a story of its own.
Case standing_alone(Case from) {
    from.scenario.workload = Workload{.runs = 0, .messages = from.plan.messages};
    from.scenario.faults.random.clear();
    from.scenario.faults.pinned = from.plan.faults;
    from.scenario.schedule = from.plan.schedule;
    return from;
}

/// Whether a file of it could be read. Only the reader knows all that it refuses.
bool is_readable(const Case& written) {
    try {
        read_case(write_case(written), "shrunk");
        return true;
    } catch (const BadInput&) {
        return false;
    }
}

/// Priorities as the picks that they came to, which can be dropped one by one.
sim::Schedule spelled_out(const sim::Schedule& schedule, const TrialResult& result) {
    if (result.picks.empty()) return {};
    return {.slack = schedule.slack, .picks = result.picks};
}

constexpr std::size_t few = 2;
constexpr std::uint64_t most_choices = 4'000;

bool has_few(const Plan& plan) { return plan.faults.size() <= few && plan.messages.size() <= few; }

/// A variation that takes so much longer than the case itself does something else.
std::uint64_t patience(std::uint64_t events) { return 100'000 + 20 * events; }

/// One shrink.
class Shrinker {
public:
    Shrinker(TrialRunner& runner, Case broken, Breakage breakage, std::vector<std::string> kept,
             const ShrinkOptions& options)
        : runner_(runner),
          options_(options),
          kept_(std::move(kept)),
          budget_(options.trials - 1, options.time),  // The one that broke is over.
          whole_(std::move(broken)) {
        shrunk_.best = whole_;
        shrunk_.breakage = std::move(breakage);
    }

    Shrunk run() {
        drop_chunks(MoveKind::drop_fault);
        drop_chunks(MoveKind::drop_message);
        drop_chunks(MoveKind::plain_schedule);
        try_all_moves();
        if (!budget_.has_ended() && !has_few(shrunk_.best.plan) && begin_with_few())
            try_all_moves();
        shrunk_.trials = budget_.taken() + 1;
        shrunk_.best = recorded(shrunk_.best);
        return std::move(shrunk_);
    }

private:
    void try_all_moves() {
        while (!budget_.has_ended() && pass() > 0) {}
        shrunk_.minimality =
            budget_.has_ended() ? Minimality::budget_ended : Minimality::one_minimal;
    }

    /// Whether some choice of the whole case is as broken, which is then the best.
    bool begin_with_few() {
        std::vector<Choice> of_faults = choices_of_few(whole_.plan.faults.size());
        of_faults.insert(of_faults.begin(), Choice{});
        const std::vector<Choice> of_messages = choices_of_few(whole_.plan.messages.size());
        if (of_faults.size() * of_messages.size() > most_choices) return false;
        std::uint64_t tried = 0;
        for (const Choice& faults : of_faults)
            for (const Choice& messages : of_messages) {
                Case candidate = whole_;
                keep_faults(candidate, faults);
                keep_messages(candidate, messages);
                // With less than was chosen it is another choice.
                if (candidate.plan.faults.size() < faults.size()) continue;
                ++tried;
                if (adopt(MoveKind::keep_few, std::move(candidate))) return true;
                if (budget_.has_ended()) return false;
            }
        shrunk_.choices = tried;
        return false;
    }

    /// Tries every move on the best case there is; a pass without success has tried them all on the
    /// same one. Returns how many helped.
    std::uint64_t pass() {
        const std::uint64_t trials_before = budget_.taken();
        std::uint64_t helped = 0;
        for (std::size_t kind = 0; kind < move_kinds; ++kind)
            helped += try_moves(static_cast<MoveKind>(kind));
        shrunk_.last_pass = budget_.taken() - trials_before;
        return helped;
    }

    std::uint64_t try_moves(MoveKind kind) {
        std::uint64_t helped = 0;
        std::vector<Move> moves = moves_of(shrunk_.best, kind);
        for (std::size_t next = 0; next < moves.size() && !budget_.has_ended();) {
            if (!attempt(kind, moves[next].make)) {
                ++next;
                continue;
            }
            ++helped;
            // What was not removed yet comes next; nothing is lost if it does not, since only a
            // pass without success is the last.
            moves = moves_of(shrunk_.best, kind);
        }
        return helped;
    }

    /// Halves, then quarters, down to pairs; passes take single ones.
    void drop_chunks(MoveKind kind) {
        const auto size = [&] {
            const Plan& plan = shrunk_.best.plan;
            if (kind == MoveKind::drop_fault) return plan.faults.size();
            return kind == MoveKind::drop_message ? plan.messages.size()
                                                  : plan.schedule.picks.size();
        };
        const auto drop = kind == MoveKind::drop_fault     ? &drop_faults
                          : kind == MoveKind::drop_message ? &drop_messages
                                                           : &drop_picks;
        for (std::size_t chunk = size() / 2; chunk >= 2; chunk /= 2)
            for (std::size_t first = 0; first + chunk <= size() && !budget_.has_ended();)
                if (!attempt(kind, [&](Case& from) { drop(from, first, chunk); })) first += chunk;
    }

    bool attempt(MoveKind kind, const std::function<void(Case&)>& make) {
        Case candidate = shrunk_.best;
        make(candidate);
        return adopt(kind, std::move(candidate));
    }

    /// The candidate is the best from here on if it is as broken and there was a trial for it.
    bool adopt(MoveKind kind, Case candidate) {
        if (!budget_.take()) return false;
        if (!is_as_broken(candidate) || !is_readable(standing_alone(candidate))) return false;
        shrunk_.best = std::move(candidate);
        ++shrunk_.helped[static_cast<std::size_t>(kind)];
        if (options_.improved) options_.improved(recorded(shrunk_.best));
        return true;
    }

    bool is_as_broken(const Case& candidate) {
        const TrialResult result =
            runner_.run(candidate.scenario, candidate.plan, candidate.seed, Level::ledger);
        if (breakage_of(result, candidate.plan, shrunk_.breakage.promise) != shrunk_.breakage)
            return false;
        return std::ranges::none_of(kept_, [&](const std::string& promise) {
            return verdict_of(result, promise).holds == Holds::violated;
        });
    }

    /// With the expectations, the fingerprint and the hashes of its own trial.
    Case recorded(const Case& from) {
        Case alone = standing_alone(from);
        const TrialResult result =
            runner_.run(alone.scenario, alone.plan, alone.seed, Level::everything);
        alone.scenario.expect = narrowed(from.scenario.expect, result, shrunk_.breakage.promise);
        return make_case(alone.scenario, alone.plan, alone.seed, result);
    }

    TrialRunner& runner_;
    const ShrinkOptions& options_;
    std::vector<std::string> kept_;
    TrialBudget budget_;
    Case whole_;
    Shrunk shrunk_;
};

}  // namespace

std::optional<Shrunk> shrink(TrialRunner& runner, const Case& broken,
                             const ShrinkOptions& options) {
    sim::ensure(options.trials > 0, "a shrink has a trial to begin with");
    const TrialResult result = runner.run(broken.scenario, broken.plan, broken.seed, Level::ledger);
    const auto promise = options.promise ? options.promise : first_broken(broken.scenario, result);
    if (!promise) return {};
    auto breakage = breakage_of(result, broken.plan, *promise);
    if (!breakage) return {};
    const CappedTrials capped(runner, patience(result.events));
    // Without the hashes of the old trial, which are about none of the new ones.
    Case from = make_case(broken.scenario, broken.plan, broken.seed, result);
    from.plan.schedule = spelled_out(broken.plan.schedule, result);
    return Shrinker(runner, std::move(from), *std::move(breakage),
                    kept_promises(broken.scenario, result), options)
        .run();
}

}  // namespace redeliver::scenarios
