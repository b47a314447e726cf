#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "model/redis/commands.h"
#include "model/redis/session.h"
#include "sim/time.h"

namespace redeliver::model::redis {

/// A read that found nothing, and waits.
struct BlockedRead {
    SessionId session;
    /// XREAD positions are resolved: `$` no longer occurs.
    std::variant<Xread, Xreadgroup> command;
    /// None waits for ever.
    std::optional<sim::WallTime> deadline;
    /// Order of arrival: who ends first when deadlines are equal. This is the one order that is not
    /// modelled: the real server ends reads of one deadline in the order of the addresses that its
    /// allocator gave their connections (encodeTimeoutKey in redis/src/timeout.c).
    std::uint64_t number = 0;
};

/// Who waits for which stream, first come first served, and which streams have had news.
class BlockedReads {
public:
    bool empty() const { return by_session_.empty(); }
    std::size_t size() const { return by_session_.size(); }

    /// Joins the tail of the queue of each of its keys.
    void add(BlockedRead read);
    /// Leaves every queue; the session must be waiting.
    BlockedRead remove(SessionId session);

    const BlockedRead* find(SessionId session) const;
    /// All of them, first come first.
    std::vector<const BlockedRead*> by_arrival() const;

    /// Who waits for `key` now, in order.
    std::vector<SessionId> waiting_for(std::string_view key) const;

    /// Something happened to `key` that may concern those who wait; kept once until taken.
    void signal(std::string_view key);
    std::optional<std::string> take_signalled();

    /// When the first of them gives up.
    std::optional<sim::WallTime> next_deadline() const;
    /// Who gives up at `next_deadline()`.
    SessionId next_to_time_out() const;

private:
    using Deadline = std::tuple<sim::WallTime, std::uint64_t, SessionId>;

    std::map<SessionId, BlockedRead> by_session_;
    std::map<std::string, std::deque<SessionId>, std::less<>> queues_;
    std::set<Deadline> deadlines_;
    std::deque<std::string> signalled_;
    std::uint64_t next_number_ = 0;
};

/// The keys of a read, in the order of its arguments.
std::vector<std::string_view> keys_of(const std::variant<Xread, Xreadgroup>& command);

}  // namespace redeliver::model::redis
