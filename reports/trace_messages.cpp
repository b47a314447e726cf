#include "reports/trace_messages.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>
#include <tuple>

namespace redeliver::reports {

namespace {

using sim::StepNumber;
using Fate = TraceMessage::Fate;
using Way = TraceMessage::Way;

constexpr auto kinds_of_the_broker = std::to_array<std::string_view>(
    {"Added", "Delivered", "Reread", "Claimed", "Acknowledged", "EntryRemoved", "PendingDropped",
     "DeadLettered", "ConsumerDeleted", "BrokerForgot"});
constexpr auto kinds_of_the_database = std::to_array<std::string_view>(
    {"Accepted", "SubmissionAbsorbed", "StatusChanged", "ReplyStored", "ReplyAbsorbed",
     "RolledBack", "DatabaseForgot", "LeaseTaken", "StatementFailed"});

bool is_one_of(std::span<const std::string_view> kinds, std::string_view kind) {
    return std::ranges::find(kinds, kind) != kinds.end();
}

std::string_view node_with_role(const Trace& trace, std::string_view role) {
    const auto found = std::ranges::find(trace.nodes, role, &TraceNode::role);
    return found == trace.nodes.end() ? std::string_view() : std::string_view(found->name);
}

bool is_answer(const TraceStep& step) {
    return step.kind == "Replied" || step.kind == "AnsweredNobody";
}

/// Follows the steps of a trace and ties them to the messages that they tell of.
class Matching {
public:
    explicit Matching(const Trace& trace) : trace_(trace) {}

    std::vector<TraceMessage> run() && {
        for (const TraceStep& step : trace_.steps) observe(step);
        for (TraceMessage& message : messages_)
            if (message.received != sim::no_step) message.fate = Fate::arrived;
        return std::move(messages_);
    }

private:
    /// Client, server, operation and what it is about: seldom more than one of these is under way.
    using Key = std::tuple<std::string, std::string, std::string, std::string>;

    void observe(const TraceStep& step) {
        note_received_request(step);
        if (step.kind == "Sent") {
            add(step, Way::request);
            requests_[request_key(step)].push_back(messages_.size() - 1);
        } else if (is_answer(step)) {
            answer(step);
        } else if (step.kind == "Arrived") {
            arrive(step);
        } else if (step.kind == "Dropped") {
            drop(step);
        } else if (step.kind == "Lost") {
            give_up(step);
        } else if (step.kind == "Crashed") {
            crash(step);
        }
    }

    TraceMessage& add(const TraceStep& step, Way way) {
        by_sent_[step.number] = messages_.size();
        return messages_.emplace_back(TraceMessage{.way = way,
                                                   .sent = step.number,
                                                   .from = step.actor,
                                                   .to = step.peer,
                                                   .what = step.what,
                                                   .about = step.about});
    }

    TraceMessage* sent_at(StepNumber number) {
        const auto found = by_sent_.find(number);
        return found == by_sent_.end() ? nullptr : &messages_[found->second];
    }

    static Key request_key(const TraceStep& step) {
        return {step.actor, step.peer, step.what, step.subject};
    }

    void note_received_request(const TraceStep& step) {
        TraceMessage* const request = sent_at(step.cause);
        if (request != nullptr && request->way == Way::request &&
            request->received == sim::no_step && place_of(trace_, step) == request->to)
            request->received = step.number;
    }

    /// A request that the step can be the answer to: it led to it, or is the newest that waits.
    TraceMessage* request_answered_by(const TraceStep& step) {
        for (const TraceStep* at = find_step(trace_, step.cause); at != nullptr;
             at = find_step(trace_, at->cause)) {
            TraceMessage* const request = sent_at(at->number);
            if (request != nullptr && request->from == step.peer && request->to == step.actor &&
                request->what == step.what && request->other == sim::no_step)
                return request;
        }
        return newest({step.peer, step.actor, step.what, step.subject},
                      [](const TraceMessage& each) { return each.other == sim::no_step; });
    }

    template <class Wanted>
    TraceMessage* newest(const Key& key, Wanted is_wanted) {
        const auto found = requests_.find(key);
        if (found == requests_.end()) return nullptr;
        const auto& places = found->second;
        const auto last = std::find_if(places.rbegin(), places.rend(), [&](std::size_t place) {
            return is_wanted(messages_[place]);
        });
        return last == places.rend() ? nullptr : &messages_[*last];
    }

    void answer(const TraceStep& step) {
        StepNumber sent = sim::no_step;
        bool is_too_late = step.kind == "AnsweredNobody";
        if (TraceMessage* const request = request_answered_by(step)) {
            sent = request->sent;
            request->other = step.number;
            if (request->received == sim::no_step) request->received = step.number;
            is_too_late = is_too_late || request->ended != sim::no_step;
        }
        TraceMessage& message = add(step, Way::answer);
        message.other = sent;
        if (is_too_late) message.fate = Fate::lost;
    }

    void arrive(const TraceStep& step) {
        TraceMessage* const answer = sent_at(step.cause);
        if (answer == nullptr || answer->way != Way::answer) return;
        answer->received = step.number;
        if (TraceMessage* const request = sent_at(answer->other)) request->ended = step.number;
    }

    void drop(const TraceStep& step) {
        for (const StepNumber number : {step.cause, step.previous}) {
            TraceMessage* const message = sent_at(number);
            if (message == nullptr || message->from != step.actor || message->to != step.peer)
                continue;
            message->fate = Fate::lost;
            message->dropped = step.number;
            return;
        }
    }

    void give_up(const TraceStep& step) {
        TraceMessage* const request = newest(
            request_key(step), [](const TraceMessage& each) { return each.ended == sim::no_step; });
        if (request == nullptr) return;
        request->ended = step.number;
        request->fate = Fate::lost;
        if (TraceMessage* const answer = sent_at(request->other)) answer->fate = Fate::lost;
    }

    /// What a dead node has not received it never will, and for what it asked it waits no more.
    void crash(const TraceStep& step) {
        for (TraceMessage& message : messages_) {
            if (message.to == step.actor && message.received == sim::no_step)
                message.fate = Fate::lost;
            if (message.from == step.actor && message.way == Way::request &&
                message.ended == sim::no_step)
                message.ended = step.number;
        }
    }

    const Trace& trace_;
    std::vector<TraceMessage> messages_;
    std::map<StepNumber, std::size_t> by_sent_;
    std::map<Key, std::vector<std::size_t>> requests_;
};

/// From left to right.
int rank_of(std::string_view role) {
    if (role == "user") return 0;
    if (role == "gateway") return 1;
    if (role == "broker") return 3;
    if (role == "worker") return 4;
    if (role == "database") return 5;
    return 2;
}

}  // namespace

std::vector<TraceMessage> messages_of(const Trace& trace) { return Matching(trace).run(); }

std::string_view text(TraceMessage::Fate fate) {
    switch (fate) {
    case Fate::arrived: return "arrived";
    case Fate::lost: return "lost";
    case Fate::unknown: return "unknown";
    }
    return "";
}

std::string_view place_of(const Trace& trace, const TraceStep& step) {
    const bool is_broker = is_one_of(kinds_of_the_broker, step.kind);
    if (!is_broker && !is_one_of(kinds_of_the_database, step.kind)) return step.actor;
    const TraceStep* const cause = find_step(trace, step.cause);
    if (cause != nullptr && cause->kind == "Sent" && cause->actor == step.actor) return cause->peer;
    const std::string_view server = node_with_role(trace, is_broker ? "broker" : "database");
    return server.empty() ? std::string_view(step.actor) : server;
}

const TraceStep* find_step(const Trace& trace, StepNumber number) {
    if (number == sim::no_step || number > trace.steps.size()) return nullptr;
    return &trace.steps[number - 1];
}

std::vector<std::string> lanes_of(const Trace& trace) {
    std::set<std::string_view> named;
    for (const TraceStep& step : trace.steps) {
        named.insert(step.actor);
        named.insert(step.peer);
    }
    std::vector<TraceNode> nodes;
    for (const TraceNode& node : trace.nodes)
        if (named.erase(node.name) > 0) nodes.push_back(node);
    for (const std::string_view stranger : named)
        if (!stranger.empty()) nodes.push_back({std::string(stranger), ""});
    std::ranges::stable_sort(nodes, {}, [](const TraceNode& node) { return rank_of(node.role); });
    std::vector<std::string> lanes;
    for (TraceNode& node : nodes) lanes.push_back(std::move(node.name));
    return lanes;
}

}  // namespace redeliver::reports
