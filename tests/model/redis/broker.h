#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/redis/server.h"
#include "sim/ensure.h"

namespace redeliver::model::redis {

/// A server under test, with a clock that stands still until it is told otherwise.
class Broker {
public:
    static constexpr SessionId alice{1};
    static constexpr SessionId bob{2};
    static constexpr SessionId carol{3};
    static constexpr SessionId writer{9};

    explicit Broker(Configuration configuration = {}) : server(configuration) {}

    /// Submits, and returns the reply of that session; everything else of the call stays in `out`.
    Reply ask(SessionId session, const Command& command) {
        out.clear();
        server.submit(session, command, now, out);
        for (Sent& sent : out.replies)
            if (sent.to == session) return sent.reply;
        sim::fail_harness("the command was answered at once", std::source_location::current());
    }
    Reply ask(const Command& command) { return ask(writer, command); }

    template <typename Expected>
    Expected get(const Command& command) {
        return std::get<Expected>(ask(command));
    }

    /// Submits a command that is to wait.
    void wait(SessionId session, const Command& command) {
        out.clear();
        server.submit(session, command, now, out);
        sim::ensure(out.replies.empty(), "the command waits");
    }

    /// Lets the clock go on, and the server do what is due.
    void pass(sim::Duration time) {
        out.clear();
        now += time;
        server.advance(now, out);
    }

    /// XADD with the id `ms`-0 and one field.
    EntryId add(std::uint64_t ms, std::uint64_t label = 0) {
        return get<EntryId>(Xadd{
            .key = "s", .body = {{"f", std::to_string(ms)}}, .id = EntryId{ms, 0}, .label = label});
    }
    void add_up_to(std::uint64_t last) {
        for (std::uint64_t ms = 1; ms <= last; ++ms) add(ms);
    }
    void create_group(std::string group = "g") {
        ask(XgroupCreate{.key = "s",
                         .group = std::move(group),
                         .if_missing = XgroupCreate::IfMissing::create_stream});
    }
    Reply read(const std::string& consumer, std::int64_t count = 0) {
        return ask(read_new(consumer, count));
    }

    static Xreadgroup read_new(const std::string& consumer, std::int64_t count = 0) {
        return {
            .group = "g", .consumer = consumer, .streams = {{"s", undelivered}}, .count = count};
    }
    static Xreadgroup read_history(const std::string& consumer, EntryId after = {}) {
        return {.group = "g", .consumer = consumer, .streams = {{"s", after}}};
    }
    static Xreadgroup wait_for_new(const std::string& consumer, Milliseconds block,
                                   std::int64_t count = 0) {
        Xreadgroup command = read_new(consumer, count);
        command.block = block;
        return command;
    }

    /// All pending rows of the group.
    std::vector<PendingRow> pending(const std::string& group = "g") {
        return get<PendingRows>(XpendingRange{.key = "s", .group = group, .count = 1'000}).rows;
    }

    GroupInfo group(const std::string& name = "g") {
        for (const GroupInfo& info : get<GroupInfos>(XinfoGroups{"s"}).groups)
            if (info.name == name) return info;
        sim::fail_harness("the group exists", std::source_location::current());
    }

    Server server;
    sim::WallTime now = sim::wall_start;
    Output out;
};

/// The millisecond parts of the ids, which is all that tests with ids `ms`-0 need.
inline std::vector<std::uint64_t> ids_of(const std::vector<Entry>& entries) {
    std::vector<std::uint64_t> ids;
    for (const Entry& entry : entries) ids.push_back(entry.id.ms);
    return ids;
}
inline std::vector<std::uint64_t> ids_of(const std::vector<PendingRow>& rows) {
    std::vector<std::uint64_t> ids;
    for (const PendingRow& row : rows) ids.push_back(row.id.ms);
    return ids;
}

/// The ids of a read's only stream.
inline std::vector<std::uint64_t> ids_of(const Reply& reply) {
    const auto& streams = std::get<ReadReply>(reply).streams;
    sim::ensure(streams.size() == 1, "one stream was read");
    return ids_of(streams.front().entries);
}

/// The events of one kind, in order.
template <typename Kind>
std::vector<Kind> events_of(const Output& out) {
    std::vector<Kind> events;
    for (const Event& event : out.events)
        if (const auto* const one = std::get_if<Kind>(&event)) events.push_back(*one);
    return events;
}

/// What was sent to a session.
inline std::vector<Reply> replies_to(SessionId session, const Output& out) {
    std::vector<Reply> replies;
    for (const Sent& sent : out.replies)
        if (sent.to == session) replies.push_back(sent.reply);
    return replies;
}

inline std::vector<SessionId> order_of(const Output& out) {
    std::vector<SessionId> order;
    for (const Sent& sent : out.replies) order.push_back(sent.to);
    return order;
}

}  // namespace redeliver::model::redis
