#include <fmt/format.h>

#include <algorithm>

#include "reports/exploration.h"
#include "reports/hits.h"
#include "reports/words.h"

namespace redeliver::reports {

namespace {

using scenarios::Expected;
using scenarios::ExploredPromise;
using scenarios::Scope;

/// Gathers what is to be said, and the worst of what it means.
class Bench {
public:
    explicit Bench(const Explored& explored) : explored_(explored) {}

    ExplorationJudgement judge() {
        if (explored_.result.tried == 0) doubt("nothing was tried");
        for (const ExploredPromise& promise : explored_.result.promises) judge(promise);
        if (uses_own_faults()) judge_reaches();
        if (explored_.minimum_hits > 0)
            for (std::string& few : too_few_hits(explored_.result, explored_.minimum_hits))
                doubt(std::move(few));
        if (explored_.result.scope.end == Scope::End::ahead)
            doubt_what_is_to_hold(
                explored_.result.scope.orders.slack.count() > 0
                    ? "not complete: the budget ended before every order was tried"
                    : "the budget ended before everything was tried");
        if (explored_.result.inconclusive > 0)
            doubt(fmt::format("{} ended in a step or time cap",
                              counted(explored_.result.inconclusive, "attempt")));
        return std::move(judgement_);
    }

private:
    bool uses_own_faults() const {
        return explored_.result.scope.strikes == Scope::Strikes::of_story;
    }
    bool is_meant_to_break() const { return !explored_.story.expect.breaks.empty(); }
    bool broke_as_stated() const {
        return is_meant_to_break() &&
               std::ranges::none_of(explored_.result.promises, [](const ExploredPromise& promise) {
                   return promise.expected == Expected::breaks && promise.violated == 0;
               });
    }

    void say(std::string sentence) { judgement_.sentences.push_back(std::move(sentence)); }
    void object(std::string sentence) {
        judgement_.outcome = ExplorationJudgement::Outcome::wrong;
        say(std::move(sentence));
    }
    void doubt(std::string sentence) {
        if (judgement_.outcome == ExplorationJudgement::Outcome::as_expected)
            judgement_.outcome = ExplorationJudgement::Outcome::inconclusive;
        say(std::move(sentence));
    }

    /// What leaves open whether a promise holds is of no account once a story that is meant to
    /// break has shown what it is there to show.
    void doubt_what_is_to_hold(std::string sentence) {
        broke_as_stated() ? say(std::move(sentence)) : doubt(std::move(sentence));
    }

    void judge(const ExploredPromise& promise) {
        const std::string often = fmt::format("in {} of {}", grouped(promise.violated),
                                              counted(explored_.result.tried, "attempt"));
        if (promise.expected == Expected::breaks) {
            judge_breaks(promise, often);
        } else if (promise.expected == Expected::holds) {
            judge_holds(promise, often);
        }
    }

    void judge_breaks(const ExploredPromise& promise, const std::string& often) {
        if (promise.violated > 0)
            return say(fmt::format("{} broke as stated, {}", promise.name, often));
        if (uses_own_faults())
            return object(fmt::format("{} was to break and did not, in {}", promise.name,
                                      counted(explored_.result.tried, "attempt")));
        doubt(
            fmt::format("{} was to break, and nothing of what was tried breaks it", promise.name));
    }

    void judge_holds(const ExploredPromise& promise, const std::string& often) {
        if (promise.violated > 0) {
            if (is_meant_to_break() && !uses_own_faults())
                return say(
                    fmt::format("{} broke too, {}, by faults that the story does not "
                                "speak of",
                                promise.name, often));
            return object(fmt::format("{} was to hold and broke, {}", promise.name, often));
        }
        if (promise.held == 0)
            doubt_what_is_to_hold(fmt::format("{} was never put to the test", promise.name));
    }

    void judge_reaches() {
        for (const std::string& path : explored_.story.expect.reaches) {
            const auto found =
                std::ranges::find(explored_.result.reached, path, &scenarios::ReachedPath::name);
            if (found == explored_.result.reached.end() || found->count == 0)
                doubt(fmt::format("{} was to be reached and was not", path));
        }
    }

    const Explored& explored_;
    ExplorationJudgement judgement_{ExplorationJudgement::Outcome::as_expected, {}};
};

}  // namespace

ExplorationJudgement judge(const Explored& explored) { return Bench(explored).judge(); }

}  // namespace redeliver::reports
