#include "properties/stream_growth_is_bounded.h"

#include <fmt/format.h>

namespace redeliver::properties {

namespace {

constexpr PromiseCard card = {.name = "stream_growth_is_bounded",
                              .sentence = "The stream never grows beyond its bound.",
                              .observes = sim::kinds_of<model::Added, model::EntryRemoved>};

}  // namespace

StreamGrowthIsBounded::StreamGrowthIsBounded(const Terms& terms) : Promise(card, terms) {}

void StreamGrowthIsBounded::observe(const sim::Step& step) {
    if (const auto* const added = step.as<model::Added>()) {
        grow(step, added->entry.stream);
    } else if (const auto* const removed = step.as<model::EntryRemoved>()) {
        shrink(step, removed->entry.stream);
    } else if (const auto* const forgot = step.as<model::BrokerForgot>()) {
        using What = model::BrokerForgot::What;
        if (forgot->what == What::entry) shrink(step, forgot->entry.stream);
        if (forgot->what == What::removal) ++stream(forgot->entry.stream).length;
    }
}

void StreamGrowthIsBounded::grow(const sim::Step& step, sim::Name name) {
    confirm();
    matters();
    Stream& in = stream(name);
    if (++in.length > terms().stream_bound)
        suspicion_ = Suspicion{.added = step, .length = in.length, .last = step.number};
}

void StreamGrowthIsBounded::shrink(const sim::Step& step, sim::Name name) {
    Stream& in = stream(name);
    const bool is_same_command =
        suspicion_ && step.kind == model::EntryRemoved::kind && step.number == suspicion_->last + 1;
    if (!is_same_command) confirm();
    if (in.length > 0) --in.length;  // Dead letters that leave were never counted.
    if (!is_same_command) return;
    suspicion_->last = step.number;
    if (in.length <= terms().stream_bound) suspicion_.reset();
}

void StreamGrowthIsBounded::confirm() {
    if (!suspicion_) return;
    breach(suspicion_->added, sim::Subject::none, [this] {
        return fmt::format("the stream holds {} entries, {} are the bound", suspicion_->length,
                           terms().stream_bound);
    });
    suspicion_.reset();
}

StreamGrowthIsBounded::Stream& StreamGrowthIsBounded::stream(sim::Name name) {
    for (Stream& stream : streams_)
        if (stream.name == name) return stream;
    return streams_.emplace_back(Stream{.name = name});
}

void StreamGrowthIsBounded::clear() {
    streams_.clear();
    suspicion_.reset();
}

}  // namespace redeliver::properties
