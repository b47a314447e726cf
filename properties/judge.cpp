#include "properties/property.h"

namespace redeliver::properties {

namespace {

/// Where the last step about `run` is, or the last of all when the run has none.
const sim::Step* last_about(const History& history, sim::Subject run) {
    for (auto step = history.rbegin(); step != history.rend(); ++step)
        if (step->subject == run) return &*step;
    return history.empty() ? nullptr : &history.back();
}

}  // namespace

Verdict judge(Property& property, const History& history, sim::Ending ending) {
    property.reset();
    for (const sim::Step& step : history)
        if (((property.observes() >> step.kind) & 1) != 0) property.observe(step);
    Verdict verdict = property.conclude(ending);
    if (verdict.holds != Holds::violated || verdict.breach != Breach::owed) return verdict;
    if (const sim::Step* const last = last_about(history, verdict.subject)) {
        verdict.step = last->number;
        verdict.at = last->at;
    }
    return verdict;
}

}  // namespace redeliver::properties
