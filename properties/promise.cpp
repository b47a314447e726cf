#include "properties/promise.h"

#include <fmt/format.h>

#include "sim/ensure.h"

namespace redeliver::properties {

Verdict Promise::conclude(sim::Ending ending) {
    settle();
    const bool was_cut_off =
        ending == sim::Ending::out_of_steps || ending == sim::Ending::out_of_time;
    Verdict verdict;
    if (violation_.holds == Holds::violated && violation_.breach == Breach::done) {
        verdict = violation_;
    } else if (was_cut_off && card_.about == PromiseCard::About::the_end) {
        verdict.holds = Holds::inconclusive;
    } else if (violation_.holds == Holds::violated) {
        verdict = violation_;
        if (owed_ > 1) verdict.evidence += fmt::format(" (and {} more like it)", owed_ - 1);
    } else {
        verdict.holds = matters_ ? Holds::holds : Holds::vacuous;
    }
    verdict.excused = excused_;
    return verdict;
}

void Promise::reset() {
    clear();
    forgotten_.clear();
    violation_ = {};
    excused_ = owed_ = 0;
    matters_ = false;
}

void Promise::owed(sim::Subject run, std::string_view evidence) {
    sim::ensure(card_.about == PromiseCard::About::the_end, "only an end can be owed");
    if (is_excused(run)) return excuse();
    ++owed_;
    if (violation_.holds == Holds::violated) return;
    violation_ = {.holds = Holds::violated,
                  .breach = Breach::owed,
                  .step = sim::no_step,
                  .at = {},
                  .subject = run,
                  .evidence = std::string(evidence)};
}

std::string run_text(sim::Subject run) {
    return sim::subject_text(model::run_series(), run).value_or("something else");
}

}  // namespace redeliver::properties
