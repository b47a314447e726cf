#pragma once

#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "model/redis/blocked_reads.h"
#include "model/redis/commands.h"
#include "model/redis/configuration.h"
#include "model/redis/events.h"
#include "model/redis/keyspace.h"
#include "model/redis/names.h"
#include "model/redis/replies.h"
#include "model/redis/watched_keys.h"

namespace redeliver::model::redis {

/// One command at work: what it acts on, and whom it tells.
struct Call {
    /// Commands that come out of a log are obeyed rather than checked: LIMIT is not enforced.
    enum class Origin : std::uint8_t { client, log };

    Keyspace& keys;
    Names& names;
    const Configuration& configuration;
    WallMillis now;
    SessionId session{};
    Origin origin = Origin::client;
    /// Null where nobody listens.
    WatchedKeys* watched = nullptr;
    BlockedReads* blocked = nullptr;
    std::vector<Event>* events = nullptr;
    std::vector<Command>* log = nullptr;

    template <typename Happened>
    void tell(const Happened& event) {
        if (events) events->push_back(event);
    }
    /// Whether to compose what `propagate` takes.
    bool is_logged() const { return log != nullptr; }
    /// Whether the imitated server is that one or a later one.
    bool imitates(Configuration::Version version) const {
        return configuration.is_at_least(version);
    }
    /// To the append-only file and the replicas.
    void propagate(Command command) {
        if (log) log->push_back(std::move(command));
    }
    /// Breaks the watches on the key.
    void written(std::string_view key) {
        if (watched) watched->written(key);
    }
    /// May wake those who wait for the key.
    void signal(std::string_view key) {
        if (blocked) blocked->signal(key);
    }
};

/// A stream, or why there is none.
struct FoundStream {
    Stream* stream = nullptr;
    bool is_other_type = false;
};
FoundStream find_stream(Call& call, std::string_view key);

/// A stream and one of its groups; both null when either is missing.
struct FoundGroup {
    Stream* stream = nullptr;
    ConsumerGroup* group = nullptr;
    bool is_other_type = false;
};
FoundGroup find_group(Call& call, std::string_view key, std::string_view group);

/// The consumer, created if needed, and seen now.
ConsumerSlot meet_consumer(Call& call, const Stream& stream, ConsumerGroup& group,
                           std::string_view name);

/// Adds an empty stream under an unused key.
Stream& create_stream(Call& call, const std::string& key);

/// The key goes, and what it held with it. It must exist.
void remove_key(Call& call, const std::string& key, KeyRemoved::Cause cause);

/// Tells that these entries left their stream.
void tell_removed(Call& call, const Stream& stream, const std::vector<Entry>& entries,
                  EntryRemoved::Cause cause);

/// How the row reaches the log and the replicas: as the XCLAIM that makes it what it is now.
void propagate_row(Call& call, std::string_view key, const ConsumerGroup& group,
                   std::string_view group_name, const PendingEntry& row);

/// How a moved group that delivered no row reaches them.
void propagate_position(Call& call, std::string_view key, const ConsumerGroup& group,
                        std::string_view group_name);

/// How a consumer that reads with NOACK reaches them, having no row to be known by.
void propagate_consumer(Call& call, std::string_view key, std::string_view group_name,
                        std::string_view consumer);

/// Every command that needs no session, one function each, in the order of commands.h.
Reply execute(Call& call, const Xadd& command);
Reply execute(Call& call, const Xlen& command);
Reply execute(Call& call, const Xdel& command);
Reply execute(Call& call, const Xtrim& command);
Reply execute(Call& call, const Xsetid& command);
Reply execute(Call& call, const Xrange& command);
Reply execute(Call& call, const XgroupCreate& command);
Reply execute(Call& call, const XgroupSetid& command);
Reply execute(Call& call, const XgroupDestroy& command);
Reply execute(Call& call, const XgroupCreateconsumer& command);
Reply execute(Call& call, const XgroupDelconsumer& command);
Reply execute(Call& call, const Xack& command);
Reply execute(Call& call, const XpendingSummary& command);
Reply execute(Call& call, const XpendingRange& command);
Reply execute(Call& call, const Xclaim& command);
Reply execute(Call& call, const Xautoclaim& command);
Reply execute(Call& call, const XinfoStream& command);
Reply execute(Call& call, const XinfoStreamFull& command);
Reply execute(Call& call, const XinfoGroups& command);
Reply execute(Call& call, const XinfoConsumers& command);
Reply execute(Call& call, const Set& command);
Reply execute(Call& call, const Get& command);
Reply execute(Call& call, const Del& command);
Reply execute(Call& call, const Exists& command);
Reply execute(Call& call, const Pexpireat& command);
Reply execute(Call& call, const Pexpire& command);
Reply execute(Call& call, const Pttl& command);
Reply execute(Call& call, const Persist& command);
Reply execute(Call& call, const Type& command);
Reply execute(Call& call, const Rename& command);
Reply execute(Call& call, const Flushall& command);
Reply execute(Call& call, const Restore& command);
Reply execute(Call& call, const Ping& command);
Reply execute(Call& call, const Zadd& command);
Reply execute(Call& call, const Zrem& command);
Reply execute(Call& call, const Zcard& command);
Reply execute(Call& call, const Zscore& command);
Reply execute(Call& call, const Zcount& command);
Reply execute(Call& call, const Zrange& command);
Reply execute(Call& call, const Zpopmin& command);
Reply execute(Call& call, const Zremrangebyscore& command);
Reply execute(Call& call, const Push& command);
Reply execute(Call& call, const Sadd& command);
Reply execute(Call& call, const Echo& command);
Reply execute(Call& call, const Help& command);
Reply execute(Call& call, const Flawed& command);

/// Answers a read, or nothing where it has to wait (or to answer NilArray if it may not).
std::optional<Reply> execute(Call& call, const Xread& command);
std::optional<Reply> execute(Call& call, const Xreadgroup& command);

/// What a waiting read gets now that `key` holds `stream`; nothing when it goes on waiting.
std::optional<Reply> serve(Call& call, const Xread& waiting, const std::string& key,
                           Stream& stream);
std::optional<Reply> serve(Call& call, const Xreadgroup& waiting, const std::string& key,
                           Stream& stream);

}  // namespace redeliver::model::redis
