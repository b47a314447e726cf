#include "reports/why.h"

#include <algorithm>
#include <iterator>
#include <ranges>
#include <set>
#include <string_view>
#include <tuple>

#include "model/steps.h"
#include "model/subjects.h"
#include "reports/describe.h"
#include "reports/policy_defaults.h"
#include "sim/happenings.h"

namespace redeliver::reports {

namespace {

using scenarios::Recording;
using sim::Step;
using sim::StepNumber;

sim::Subject message_of(sim::Subject subject) {
    return model::is_run(subject) ? model::intention_of(subject) : subject;
}

/// What last befell the server that a request could not reach, or the way to it. No edge leads
/// there.
StepNumber obstacle_to(const Recording& recording, const Step& step) {
    const auto* const refused = step.as<sim::Refused>();
    if (refused == nullptr) return sim::no_step;
    for (StepNumber number = step.number - 1; number != sim::no_step; --number) {
        const Step& before = *find_step(recording, number);
        const auto* const partition = before.as<sim::Partitioned>();
        if (partition != nullptr && before.actor == step.actor && partition->to == refused->server)
            return number;
        const bool befell_server = before.as<sim::Crashed>() != nullptr ||
                                   before.as<sim::FailedOver>() != nullptr ||
                                   before.as<sim::Disturbed>() != nullptr;
        if (befell_server && before.actor == refused->server) return number;
    }
    return sim::no_step;
}

/// Every step that the breach goes back to.
std::set<StepNumber> ancestry(const Recording& recording, const properties::Verdict& verdict) {
    std::set<StepNumber> met;
    std::vector<StepNumber> next = {verdict.step};
    const Step* const breach = find_step(recording, verdict.step);
    if (breach == nullptr) return met;
    const sim::Subject message =
        message_of(verdict.subject == sim::Subject::none ? breach->subject : verdict.subject);
    while (!next.empty()) {
        const Step* const step = find_step(recording, next.back());
        next.pop_back();
        if (step == nullptr || !met.insert(step->number).second) continue;
        next.push_back(step->cause);
        next.push_back(obstacle_to(recording, *step));
        if (model::is_run(step->subject) && message_of(step->subject) == message)
            next.push_back(step->previous);
    }
    return met;
}

/// What a fault did at first that a reader wants to see: the crash, the loss of a message after it
/// was sent.
const Step* effect_of(const Recording& recording, const Step& fired) {
    std::set<StepNumber> caused = {fired.number};
    for (std::size_t next = fired.number; next < recording.steps.size(); ++next) {
        const Step& step = recording.steps[next];
        if (!caused.contains(step.cause)) continue;
        if (is_shown(recording, step)) return &step;
        caused.insert(step.number);
    }
    return nullptr;
}

/// Collects the steps to tell, the indispensable ones first.
class Telling {
public:
    Telling(const Recording& recording, const properties::Verdict& verdict)
        : recording_(recording), verdict_(verdict), ancestry_(ancestry(recording, verdict)) {}

    std::vector<StepNumber> steps() {
        if (ancestry_.empty()) return {};
        tell_breach();
        tell_faults();
        tell_decisions();
        tell_most_telling();
        return {told_.begin(), told_.end()};
    }

private:
    // What never happened has no step: the end of the trial is where it is missed.
    void tell_breach() {
        const Step& last = recording_.steps.back();
        const bool is_owed = verdict_.breach == properties::Breach::owed;
        if (is_owed && last.as<sim::Concluded>() != nullptr) told_.insert(last.number);
        if (!is_owed || is_shown(recording_, *find_step(recording_, verdict_.step)))
            told_.insert(verdict_.step);
    }

    // The latest two: an earlier fault explains the breach only through them.
    void tell_faults() {
        std::size_t left = 2;
        for (auto number = ancestry_.rbegin(); number != ancestry_.rend() && left > 0; ++number) {
            const Step& step = *find_step(recording_, *number);
            const Step* effect = nullptr;
            if (step.as<sim::FaultFired>() != nullptr) effect = effect_of(recording_, step);
            if (step.as<sim::Crashed>() != nullptr) effect = &step;
            if (effect == nullptr || !told_.insert(effect->number).second) continue;
            --left;
        }
    }

    /// The latest decision of each policy that the breach goes back to, the latest first.
    std::vector<const Step*> decisions() const {
        std::vector<const Step*> latest;
        std::set<std::uint16_t> policies;
        for (auto number = ancestry_.rbegin(); number != ancestry_.rend(); ++number) {
            const Step* const step = find_step(recording_, *number);
            const auto* const decided = step->as<model::Decided>();
            if (decided != nullptr && policies.insert(decided->policy).second)
                latest.push_back(step);
        }
        return latest;
    }

    // Two that depart from the reference design; where none does, one that any design has to take,
    // about a run rather than about a poll.
    void tell_decisions() {
        const std::vector<const Step*> taken = decisions();
        std::vector<const Step*> suspects;
        std::ranges::copy_if(taken, std::back_inserter(suspects), [](const Step* step) {
            const auto* const decided = step->as<model::Decided>();
            return departs_from_default(decided->policy, decided->value);
        });
        for (const Step* const suspect : suspects | std::views::take(2))
            told_.insert(suspect->number);
        if (!suspects.empty() || taken.empty()) return;
        const auto about_run =
            std::ranges::find_if_not(taken, [](const Step* s) { return is_poll(*s); });
        told_.insert((about_run == taken.end() ? taken.front() : *about_run)->number);
    }

    void tell_most_telling() {
        std::vector<StepNumber> candidates;
        for (const StepNumber number : ancestry_) {
            const Step& step = *find_step(recording_, number);
            const bool is_candidate = weight_of(step.kind) > 0 && is_shown(recording_, step);
            if (is_candidate && !told_.contains(number)) candidates.push_back(number);
        }
        std::ranges::sort(candidates, [this](StepNumber one, StepNumber other) {
            const auto weight = weight_of(find_step(recording_, one)->kind);
            const auto other_weight = weight_of(find_step(recording_, other)->kind);
            return weight != other_weight ? weight > other_weight : one > other;
        });
        for (const StepNumber number : candidates) {
            if (told_.size() >= most_reasons) return;
            told_.insert(number);
        }
    }

    const Recording& recording_;
    const properties::Verdict& verdict_;
    std::set<StepNumber> ancestry_;
    std::set<StepNumber> told_;
};

/// Runs that the evidence names: `was answered after run-5, which came later`.
std::set<sim::Subject> runs_named_in(std::string_view evidence) {
    std::set<sim::Subject> runs;
    constexpr std::string_view letters = "-0123456789abcdefghijklmnopqrstuvwxyz";
    for (std::size_t at = 0; (at = evidence.find("run-", at)) != std::string_view::npos;) {
        const std::size_t end = std::min(evidence.find_first_not_of(letters, at), evidence.size());
        const auto run = sim::parse_subject(model::run_series(), evidence.substr(at, end - at));
        if (run) runs.insert(*run);
        at = end;
    }
    return runs;
}

/// Collects the steps to tell when it is known what it takes to break the promise.
class Account {
public:
    Account(const Recording& recording, const properties::Verdict& verdict, const Clues& clues)
        : recording_(recording),
          verdict_(verdict),
          clues_(clues),
          ancestry_(ancestry(recording, verdict)),
          others_(runs_named_in(verdict.evidence)) {}

    std::vector<StepNumber> steps() {
        if (ancestry_.empty()) return {};
        const Step& breach = *find_step(recording_, verdict_.step);
        if (verdict_.breach != properties::Breach::owed || is_shown(recording_, breach))
            tell(verdict_.step);
        for (const std::uint32_t fault : clues_.faults) tell(first_effect(recording_, fault));
        tell_other_runs();
        tell_decision();
        tell_own_crash();
        for (const StepNumber number : by_weight()) tell(number);
        return {told_.begin(), told_.end()};
    }

private:
    void tell(StepNumber number) {
        if (number != sim::no_step && told_.size() + 1 < most_reasons) told_.insert(number);
    }

    template <class Payload>
    StepNumber last_of(sim::Subject run) const {
        for (StepNumber number = verdict_.step; number != sim::no_step; --number) {
            const Step& step = *find_step(recording_, number);
            if (step.subject == run && step.as<Payload>() != nullptr) return number;
        }
        return sim::no_step;
    }

    // Which came first, and which was answered first.
    void tell_other_runs() {
        for (const sim::Subject run : others_) tell(last_of<model::ReplyStored>(run));
        for (const sim::Subject run : others_) tell(last_of<model::Accepted>(run));
        if (!others_.empty()) tell(last_of<model::Accepted>(verdict_.subject));
    }

    void tell_decision() {
        if (!clues_.policy) return;
        for (const StepNumber number : ancestry_ | std::views::reverse) {
            const auto* const decided = find_step(recording_, number)->as<model::Decided>();
            if (decided != nullptr && decided->policy == static_cast<std::uint16_t>(*clues_.policy))
                return tell(number);
        }
    }

    // Some messages kill whoever works on them; the latest death explains the earlier ones.
    void tell_own_crash() {
        for (const StepNumber number : ancestry_ | std::views::reverse) {
            const Step& step = *find_step(recording_, number);
            const Step* const cause = find_step(recording_, step.cause);
            const bool is_own = cause == nullptr || cause->as<sim::FaultFired>() == nullptr;
            if (step.as<sim::Crashed>() != nullptr && is_own) return tell(number);
        }
    }

    bool is_about_another_message(const Step& step) const {
        const Step& breach = *find_step(recording_, verdict_.step);
        const sim::Subject own =
            verdict_.subject == sim::Subject::none ? breach.subject : verdict_.subject;
        return model::is_run(step.subject) && message_of(step.subject) != message_of(own) &&
               !others_.contains(step.subject);
    }

    /// What says most first: about the message itself, then by kind, then the latest.
    std::vector<StepNumber> by_weight() const {
        std::vector<StepNumber> candidates;
        std::ranges::copy_if(ancestry_, std::back_inserter(candidates), [this](StepNumber number) {
            const Step& step = *find_step(recording_, number);
            const bool says_nothing = step.as<model::Decided>() != nullptr ||
                                      step.as<sim::Concluded>() != nullptr ||
                                      (step.as<model::BrokerForgot>() != nullptr && is_poll(step));
            return weight_of(step.kind) > 0 && is_shown(recording_, step) && !says_nothing;
        });
        const auto rank = [this](StepNumber number) {
            const Step& step = *find_step(recording_, number);
            return std::tuple(!is_about_another_message(step), weight_of(step.kind), number);
        };
        std::ranges::sort(candidates, std::ranges::greater{}, rank);
        return candidates;
    }

    const Recording& recording_;
    const properties::Verdict& verdict_;
    const Clues& clues_;
    std::set<StepNumber> ancestry_;
    std::set<sim::Subject> others_;
    std::set<StepNumber> told_;
};

}  // namespace

std::vector<StepNumber> why(const Recording& recording, const properties::Verdict& verdict) {
    if (verdict.holds != properties::Holds::violated || recording.steps.empty()) return {};
    return Telling(recording, verdict).steps();
}

std::vector<StepNumber> why(const Recording& recording, const properties::Verdict& verdict,
                            const Clues& clues) {
    if (verdict.holds != properties::Holds::violated || recording.steps.empty()) return {};
    return Account(recording, verdict, clues).steps();
}

StepNumber first_effect(const Recording& recording, std::uint32_t fault) {
    for (const Step& step : recording.steps) {
        const auto* const fired = step.as<sim::FaultFired>();
        if (fired == nullptr || fired->fault != fault) continue;
        const Step* const effect = effect_of(recording, step);
        return effect == nullptr ? step.number : effect->number;
    }
    return sim::no_step;
}

StepNumber root_of(const Recording& recording, const properties::Verdict& verdict) {
    StepNumber root = sim::no_step;
    for (const StepNumber number : ancestry(recording, verdict)) {
        const Step& step = *find_step(recording, number);
        const Step* const cause = find_step(recording, step.cause);
        const bool is_own_crash = step.as<sim::Crashed>() != nullptr &&
                                  (cause == nullptr || cause->as<sim::FaultFired>() == nullptr);
        if (step.as<sim::FaultFired>() != nullptr || step.as<model::Decided>() != nullptr ||
            is_own_crash)
            root = number;
    }
    return root;
}

}  // namespace redeliver::reports
