// What the broker reports: the life of an entry.

#include <fmt/format.h>

#include "model/steps.h"
#include "reports/describe_kinds.h"
#include "reports/words.h"
#include "sim/happenings.h"

namespace redeliver::reports::kinds {

namespace {

using namespace model;

std::string id(const EntryKey& entry) { return fmt::format("{}-{}", entry.ms, entry.seq); }

/// ` to worker-1`, unless the consumer is called like the worker that the line is about.
std::string unless_actor(const Context& context, std::string_view word, Name consumer) {
    const std::string name = context.text(consumer);
    if (name.empty() || name == context.recording.text(context.step.actor)) return {};
    return fmt::format(" {} {}", word, name);
}

std::string plus_delivery(std::uint32_t count) { return fmt::format(", delivery {}", count); }

void added(const Context& context, Line& line) {
    line.what = "XADD";
    line.detail = id(payload<Added>(context).entry);
}

void delivered(const Context& context, Line& line) {
    const auto& what = payload<Delivered>(context);
    line.what = "XREADGROUP";
    line.detail = id(what.entry) + unless_actor(context, "to", what.consumer) +
                  plus_delivery(what.delivery_count);
}

void reread(const Context& context, Line& line) {
    const auto& what = payload<Reread>(context);
    line.what = "XREADGROUP own";
    line.detail = id(what.entry) + unless_actor(context, "to", what.consumer) +
                  plus_delivery(what.delivery_count);
}

void claimed(const Context& context, Line& line) {
    const auto& what = payload<Claimed>(context);
    line.what = "XAUTOCLAIM";
    line.detail = fmt::format("{} from {}{}, idle {}{}", id(what.entry), context.text(what.from),
                              unless_actor(context, "to", what.to),
                              length(std::chrono::milliseconds{what.idle_time_ms}),
                              plus_delivery(what.delivery_count));
}

void acknowledged(const Context& context, Line& line) {
    const auto& what = payload<Acknowledged>(context);
    line.what = "XACK";
    line.detail = id(what.entry) + unless_actor(context, "owned by", what.owner) +
                  plus_delivery(what.delivery_count);
}

void entry_removed(const Context& context, Line& line) {
    const auto& what = payload<EntryRemoved>(context);
    line.what = "trimmed";
    line.detail = id(what.entry);
    if (what.unread_by > 0) {
        line.detail += fmt::format(", unread by {}", counted(what.unread_by, "group"));
        line.mark = Mark::forgot;
    }
    if (what.pending_in > 0) line.detail += fmt::format(", pending in {}", what.pending_in);
}

std::string_view cause_text(PendingDropped::Cause cause) {
    switch (cause) {
    case PendingDropped::Cause::consumer_deleted: return "its consumer was deleted";
    case PendingDropped::Cause::group_destroyed: return "its group was destroyed";
    case PendingDropped::Cause::key_removed: return "its stream was removed";
    case PendingDropped::Cause::entry_gone: return "its entry had been trimmed";
    }
    return "?";
}

void pending_dropped(const Context& context, Line& line) {
    const auto& what = payload<PendingDropped>(context);
    line.what = "pending dropped";
    line.detail = fmt::format("{} of {}, unacknowledged: {}", id(what.entry),
                              context.text(what.owner), cause_text(what.cause));
}

void dead_lettered(const Context& context, Line& line) {
    line.what = "XADD dead";
    line.detail = id(payload<DeadLettered>(context).entry) + " in the dead letters";
}

void consumer_deleted(const Context& context, Line& line) {
    line.what = "XGROUP DELCONSUMER";
    line.detail = context.text(payload<ConsumerDeleted>(context).consumer);
}

std::string_view forgotten_text(BrokerForgot::What what) {
    switch (what) {
    case BrokerForgot::What::entry: return "the entry is gone";
    case BrokerForgot::What::acknowledgement: return "it is pending again";
    case BrokerForgot::What::delivery: return "it will be delivered as if new";
    case BrokerForgot::What::claim: return "it is back with an earlier owner";
    case BrokerForgot::What::removal: return "the removed entry is back";
    case BrokerForgot::What::dead_letter: return "the dead letter is gone";
    case BrokerForgot::What::other: return "something about no entry is gone";
    }
    return "?";
}

void broker_forgot(const Context& context, Line& line) {
    const auto& what = payload<BrokerForgot>(context);
    line.what = "broker forgets";
    line.detail = forgotten_text(what.what);
    if (what.entry.ms != 0) line.detail = fmt::format("{}: {}", id(what.entry), line.detail);
    if (const std::string consumer = context.text(what.consumer); !consumer.empty())
        line.detail += fmt::format(" ({} had it)", consumer);
}

constexpr Interest everybody = Interest::everybody;

constexpr NumberedKind table[] = {
    {Added::kind, {added, Mark::none, everybody, 30}},
    {Delivered::kind, {delivered, Mark::none, everybody, 55}},
    {Reread::kind, {reread, Mark::claim, everybody, 75}},
    {Claimed::kind, {claimed, Mark::claim, everybody, 85}},
    {Acknowledged::kind, {acknowledged, Mark::none, everybody, 80}},
    {EntryRemoved::kind, {entry_removed, Mark::none, everybody, 70}},
    {PendingDropped::kind, {pending_dropped, Mark::forgot, everybody, 90}},
    {DeadLettered::kind, {dead_lettered, Mark::set_aside, everybody, 85}},
    {ConsumerDeleted::kind, {consumer_deleted, Mark::none, everybody, 60}},
    {BrokerForgot::kind, {broker_forgot, Mark::forgot, everybody, 95}},
};

}  // namespace

const Kind* find_broker_kind(StepKind kind) { return find_kind(table, kind); }

}  // namespace redeliver::reports::kinds
