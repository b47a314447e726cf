#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "model/redis/entry_id.h"
#include "model/redis/milliseconds.h"
#include "model/redis/names.h"
#include "model/redis/session.h"

/// What happened inside the broker, in order. Each is small and trivially copyable; names are
/// `Server::text(name)`. Nothing here is visible to a client: it is for those who judge.
namespace redeliver::model::redis {

/// Which entry: of which stream, with which label (see Xadd::label).
struct EntryRef {
    Name key{};
    EntryId id;
    std::uint64_t label = 0;
};

struct StreamCreated {
    Name key;
};

struct EntryAdded {
    EntryRef entry;
    SessionId by;
};

/// `>` handed the entry to `consumer`.
struct EntryDelivered {
    enum class Kind : std::uint8_t {
        first,          ///< a pending row was made
        again,          ///< a row existed, after XGROUP SETID or XCLAIM FORCE: stolen, count reset
        unacknowledged  ///< NOACK: no row was made
    };
    EntryRef entry;
    Name group;
    Name consumer;
    SessionId to;
    Kind kind;
    std::uint64_t delivery_count;
};

/// The consumer read its own pending row again.
struct HistoryRead {
    enum class Body : std::uint8_t {
        present,  ///< counted as a delivery
        gone      ///< the entry has left the stream: neither counted nor timed
    };
    EntryRef entry;
    Name group;
    Name consumer;
    SessionId to;
    Body body;
    std::uint64_t delivery_count;
};

/// XCLAIM or XAUTOCLAIM moved the row (`from` and `to` may be the same consumer).
struct EntryClaimed {
    EntryRef entry;
    Name group;
    /// The empty name when FORCE made the row.
    Name from;
    Name to;
    SessionId by;
    std::uint64_t delivery_count;
    /// How long the row had been idle.
    Milliseconds idle_time;
};

struct EntryAcknowledged {
    EntryRef entry;
    Name group;
    /// Who owned the row at that time. The server asks nobody who acknowledges.
    Name owner;
    SessionId by;
    std::uint64_t delivery_count;
};

/// The entry left its stream. Pending rows stay behind.
struct EntryRemoved {
    enum class Cause : std::uint8_t { trimmed, deleted, key_deleted, key_expired, key_overwritten };
    EntryRef entry;
    Cause cause;
    /// How many groups had not come to it yet: they will never see it.
    std::uint32_t undelivered_groups;
    /// How many groups have it pending.
    std::uint32_t pending_groups;
};

/// A pending row vanished without an acknowledgement.
struct PendingDropped {
    enum class Cause : std::uint8_t { consumer_deleted, group_destroyed, key_removed, entry_gone };
    EntryRef entry;
    Name group;
    Name owner;
    Cause cause;
    std::uint64_t delivery_count;
};

struct GroupCreated {
    Name key;
    Name group;
    EntryId last_delivered_id;
};

/// XGROUP SETID, or XCLAIM LASTID.
struct GroupMoved {
    Name key;
    Name group;
    EntryId from;
    EntryId to;
};

struct GroupDestroyed {
    Name key;
    Name group;
};

struct ConsumerCreated {
    Name key;
    Name group;
    Name consumer;
};

struct ConsumerDeleted {
    Name key;
    Name group;
    Name consumer;
};

/// A key went away: DEL, RENAME, FLUSHALL, overwriting, or its expiry.
struct KeyRemoved {
    enum class Cause : std::uint8_t { deleted, expired, overwritten };
    Name key;
    Cause cause;
};

/// RENAME: entries, groups and rows live on under another key.
struct KeyRenamed {
    Name from;
    Name to;
};

/// What a restart or a failover took away, one event per thing.
struct Forgotten {
    enum class What : std::uint8_t {
        entry,            ///< an added entry is gone
        removal,          ///< a removed entry is back
        acknowledgement,  ///< a row that had been removed is pending again, for `consumer`
        delivery,         ///< a delivered entry will be delivered by `>` as if new
        claim,            ///< a row is back with its earlier owner, `consumer`
        delivery_count,   ///< a row counts fewer (or more) deliveries than before
        group,            ///< a whole group is gone
        group_position,   ///< the group's last delivered id went back (or forth)
        consumer,         ///< a consumer without rows is gone
        key               ///< a key that is no stream is gone, back, or has its earlier value
    };
    What what;
    /// The id and label are empty for group, group_position, consumer and key.
    EntryRef entry;
    Name group;
    Name consumer;
};

using Event = std::variant<StreamCreated, EntryAdded, EntryDelivered, HistoryRead, EntryClaimed,
                           EntryAcknowledged, EntryRemoved, PendingDropped, GroupCreated,
                           GroupMoved, GroupDestroyed, ConsumerCreated, ConsumerDeleted, KeyRemoved,
                           KeyRenamed, Forgotten>;

}  // namespace redeliver::model::redis
