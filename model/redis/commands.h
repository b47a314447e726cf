#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "model/redis/body.h"
#include "model/redis/collection_commands.h"
#include "model/redis/entry_id.h"
#include "model/redis/milliseconds.h"

/// One aggregate per command, named as the protocol names it, holding what a parsed request says.
/// What cannot be parsed (a bad id, a word that is no option) is a Flawed command.
namespace redeliver::model::redis {

using Ids = std::vector<EntryId>;

// ---------------------------------------------------------------------------- writing

/// Keep at most so many entries.
struct MaxLen {
    std::int64_t entries = 0;
};

/// Remove every entry below this id.
struct MinId {
    EntryId id{};
};

struct Trim {
    /// `~` removes whole nodes only; see Configuration::stream_node_max_entries.
    enum class Precision : std::uint8_t { exact, approximate };
    std::variant<MaxLen, MinId> keep{};
    Precision precision = Precision::exact;
    /// LIMIT: at most so many removals, only with `~`. 0 is unlimited; missing means 100 nodes.
    std::optional<std::int64_t> limit = {};
};

/// `*`
struct AutoId {};

/// `ms-*`
struct AutoSeq {
    std::uint64_t ms = 0;
};

/// XADD. Replies with the EntryId, or Nil when NOMKSTREAM met a missing key.
struct Xadd {
    enum class IfMissing : std::uint8_t { create, skip };
    std::string key{};
    Body body{};
    std::variant<AutoId, AutoSeq, EntryId> id = AutoId{};
    std::optional<Trim> trim = {};
    IfMissing if_missing = IfMissing::create;
    /// Opaque to the broker: no behaviour depends on it. Stored with the entry, copied to its
    /// pending rows, and told in every event about the entry.
    std::uint64_t label = 0;
};

/// XLEN. Replies with an integer.
struct Xlen {
    std::string key{};
};

/// XDEL. Replies with the number removed. Pending rows, group positions and the last id stay.
struct Xdel {
    std::string key{};
    Ids ids{};
};

/// XTRIM. Replies with the number removed.
struct Xtrim {
    std::string key{};
    Trim trim{};
};

/// XSETID. Replies Ok.
struct Xsetid {
    std::string key{};
    EntryId last_id{};
    std::optional<std::int64_t> entries_added = {};
    std::optional<EntryId> max_deleted_id = {};
};

// ---------------------------------------------------------------------------- reading

/// One end of an interval; `(` makes it exclusive.
struct Bound {
    enum class Edge : std::uint8_t { inclusive, exclusive };
    EntryId id{};
    Edge edge = Edge::inclusive;
};

/// XRANGE, and XREVRANGE when newest_first. Replies Entries; NilArray when `count` is 0 or less
/// and the key exists.
struct Xrange {
    enum class Order : std::uint8_t { oldest_first, newest_first };
    std::string key{};
    Bound start = {.id = min_entry_id};
    Bound end = {.id = max_entry_id};
    std::optional<std::int64_t> count = {};
    Order order = Order::oldest_first;
};

/// XREAD. Replies ReadReply, or NilArray when nothing came (in time).
struct Xread {
    struct Position {
        /// `+` asks for the last entry, whatever came before (7.4 on).
        enum class From : std::uint8_t { after, last_entry };
        std::string key{};
        /// Entries above this; none means `$`, the last id at the time of the call.
        std::optional<EntryId> after{};
        From from = From::after;
    };
    boost::container::small_vector<Position, 1> streams{};
    /// Per stream; missing, 0 or negative means no limit (1000 when served after blocking, up to
    /// 7.0).
    std::int64_t count = 0;
    /// BLOCK; 0 waits for ever.
    std::optional<Milliseconds> block = {};
};

/// XREADGROUP. Replies ReadReply, or NilArray when `>` found nothing (in time).
struct Xreadgroup {
    enum class Acknowledgement : std::uint8_t { owed, none };
    struct Position {
        std::string key{};
        /// `undelivered` is `>`; anything else reads the consumer's own pending rows above it.
        EntryId after = undelivered;
    };
    std::string group{};
    std::string consumer{};
    boost::container::small_vector<Position, 1> streams{};
    std::int64_t count = 0;
    std::optional<Milliseconds> block = {};
    /// NOACK
    Acknowledgement acknowledgement = Acknowledgement::owed;
};

// ---------------------------------------------------------------------------- groups

/// XGROUP CREATE. Replies Ok or BUSYGROUP.
struct XgroupCreate {
    enum class IfMissing : std::uint8_t { refuse, create_stream };
    std::string key{};
    std::string group{};
    /// None means `$`: after everything ever added.
    std::optional<EntryId> start = min_entry_id;
    IfMissing if_missing = IfMissing::refuse;
    /// ENTRIESREAD; -1 is unknown.
    std::optional<std::int64_t> entries_read = {};
};

/// XGROUP SETID. Replies Ok. Forgets entries_read unless it is given.
struct XgroupSetid {
    std::string key{};
    std::string group{};
    std::optional<EntryId> last_delivered_id = min_entry_id;
    std::optional<std::int64_t> entries_read = {};
};

/// XGROUP DESTROY. Replies 1 or 0.
struct XgroupDestroy {
    std::string key{};
    std::string group{};
};

/// XGROUP CREATECONSUMER. Replies 1 when created, 0 when it was there.
struct XgroupCreateconsumer {
    std::string key{};
    std::string group{};
    std::string consumer{};
};

/// XGROUP DELCONSUMER. Replies with the number of pending rows dropped for good.
struct XgroupDelconsumer {
    std::string key{};
    std::string group{};
    std::string consumer{};
};

/// XACK. Replies with the number of rows removed, whoever owned them.
struct Xack {
    std::string key{};
    std::string group{};
    Ids ids{};
};

/// XPENDING key group. Replies PendingSummary.
struct XpendingSummary {
    std::string key{};
    std::string group{};
};

/// XPENDING key group [IDLE] start end count [consumer]. Replies PendingRows.
struct XpendingRange {
    std::string key{};
    std::string group{};
    Bound start = {.id = min_entry_id};
    Bound end = {.id = max_entry_id};
    std::int64_t count = 10;
    std::optional<std::string> consumer = {};
    Milliseconds min_idle_time{0};
};

/// JUSTID asks for ids only, which does not count as a delivery.
enum class ClaimReply : std::uint8_t { entries, ids_only };

/// XCLAIM. Replies Entries, or IdList under JUSTID.
struct Xclaim {
    /// FORCE makes a pending row where there is none.
    enum class IfNotPending : std::uint8_t { skip, create };
    std::string key{};
    std::string group{};
    std::string consumer{};
    Milliseconds min_idle_time{0};
    Ids ids{};
    /// IDLE or TIME; missing means now.
    std::variant<std::monostate, Milliseconds, WallMillis> delivered = {};
    /// RETRYCOUNT
    std::optional<std::int64_t> delivery_count = {};
    IfNotPending if_not_pending = IfNotPending::skip;
    ClaimReply reply = ClaimReply::entries;
    /// LASTID
    std::optional<EntryId> last_delivered_id = {};
};

/// XAUTOCLAIM. Replies Autoclaimed. Claims rows idle for `min_idle_time` or longer, one's own
/// included, and visits ten rows at most per entry asked for.
struct Xautoclaim {
    std::string key{};
    std::string group{};
    std::string consumer{};
    Milliseconds min_idle_time{0};
    Bound start = {.id = min_entry_id};
    std::int64_t count = 100;
    ClaimReply reply = ClaimReply::entries;
};

// ---------------------------------------------------------------------------- looking

/// XINFO STREAM. Replies StreamInfo.
struct XinfoStream {
    std::string key{};
};

/// XINFO STREAM FULL. Replies StreamDetails.
struct XinfoStreamFull {
    std::string key{};
    /// 0 shows everything, a negative number means 10.
    std::int64_t count = 10;
};

/// XINFO GROUPS. Replies GroupInfos.
struct XinfoGroups {
    std::string key{};
};

/// XINFO CONSUMERS. Replies ConsumerInfos.
struct XinfoConsumers {
    std::string key{};
    std::string group{};
};

// ---------------------------------------------------------------------------- keys

/// PX or EX
struct ExpireIn {
    Milliseconds after{};
};

/// PXAT or EXAT
struct ExpireAt {
    WallMillis when{};
};

/// KEEPTTL
struct KeepTtl {};

/// SET. Replies Ok, or Nil when NX or XX prevented it; with GET, the old value or Nil.
struct Set {
    enum class Condition : std::uint8_t { always, if_absent, if_present };
    enum class Answer : std::uint8_t { ok, old_value };
    std::string key{};
    std::string value{};
    Condition condition = Condition::always;
    std::variant<std::monostate, ExpireIn, ExpireAt, KeepTtl> expiry = {};
    Answer answer = Answer::ok;
};

/// GET. Replies Text or Nil.
struct Get {
    std::string key{};
};

/// DEL. Replies with the number of keys removed.
struct Del {
    std::vector<std::string> keys{};
};

/// EXISTS. Replies with the number of arguments that exist; a repeated key counts again.
struct Exists {
    std::vector<std::string> keys{};
};

/// NX, XX, GT, LT: when an expiry replaces the present one. A key without expiry counts as one
/// that expires later than any time.
enum class IfExpiry : std::uint8_t {
    whatever,
    is_absent,             ///< NX
    is_present,            ///< XX
    is_sooner,             ///< GT
    is_later,              ///< LT
    is_present_and_later,  ///< XX LT
};

/// PEXPIREAT and EXPIREAT; a time in the past deletes. Replies 1, or 0 when the key is missing or
/// the condition not met.
struct Pexpireat {
    std::string key{};
    WallMillis when{};
    IfExpiry condition = IfExpiry::whatever;
};

/// Of a number that a request gives or asks for.
enum class Unit : std::uint8_t { milliseconds, seconds };

/// PEXPIRE, or EXPIRE when it spoke of seconds. Like Pexpireat at `after` from now.
struct Pexpire {
    std::string key{};
    Milliseconds after{};
    IfExpiry condition = IfExpiry::whatever;
    Unit unit = Unit::milliseconds;
};

/// PTTL, and TTL in seconds, rounded. Replies with the time left, -1 without expiry, -2 for a
/// missing key.
struct Pttl {
    std::string key{};
    Unit unit = Unit::milliseconds;
};

/// PERSIST. Replies 1 when an expiry was removed.
struct Persist {
    std::string key{};
};

/// TYPE. Replies Status: none, string, list, set, zset or stream.
struct Type {
    std::string key{};
};

/// RENAME, which replies Ok, and RENAMENX, which replies 1, or 0 when `to` exists.
struct Rename {
    enum class IfTaken : std::uint8_t { overwrite, refuse };
    std::string from{};
    std::string to{};
    IfTaken if_taken = IfTaken::overwrite;
};

/// FLUSHALL. Replies Ok.
struct Flushall {};

/// RESTORE: a value as DUMP writes it, a string or a stream. Replies Ok.
struct Restore {
    enum class IfTaken : std::uint8_t { refuse, replace };
    /// What a TTL other than 0 counts from: now, or 1970 (ABSTTL).
    enum class From : std::uint8_t { now, epoch };
    std::string key{};
    /// As it was written: the server looks at it only when it has looked for the key.
    std::string ttl_ms = "0";
    std::string payload{};
    IfTaken if_taken = IfTaken::refuse;
    From from = From::now;
};

// ---------------------------------------------------------------------------- connection

/// PING. Replies Pong, or the message as Text.
struct Ping {
    std::optional<std::string> message = {};
};

/// ECHO. Replies Text.
struct Echo {
    std::string message{};
};

/// XGROUP HELP and XINFO HELP. Reply an array of statuses.
struct Help {
    enum class About : std::uint8_t { xgroup, xinfo };
    About about = About::xgroup;
};

/// WATCH. Replies Ok. The next EXEC of the session answers NilArray if a watched key was written
/// or expired. What changes only a group does not count as writing: XACK, XCLAIM, XAUTOCLAIM,
/// XREADGROUP, XGROUP and XSETID leave a watched stream clean (observed on 7.0.15).
struct Watch {
    std::vector<std::string> keys{};
};

struct Unwatch {};

/// MULTI. Replies Ok; what follows is answered Queued until EXEC or DISCARD.
struct Multi {};

/// EXEC. Replies Array, NilArray when a watched key changed, or EXECABORT.
struct Exec {};

struct Discard {};

// ---------------------------------------------------------------------------- the process

/// A command about the connection or the process rather than the data, word by word. Whoever drives
/// the server answers it (see Server::Host) when its turn has come: in EXEC too.
struct Hosted {
    std::vector<std::string> words{};
};

// ---------------------------------------------------------------------------- as it stands

/// What a command does to the data, as the command table has it (CMD_WRITE, CMD_DENYOOM).
enum class Access : std::uint8_t { reads, writes, grows };

/// A request that the server refuses as it stands. Replies Refused with `error`, unless a lookup
/// that the server makes before it comes to the flaw is answered first.
struct Flawed {
    enum class Noticed : std::uint8_t {
        /// Before anything else, and while queueing it breaks the transaction: an unknown command
        /// or a wrong number of arguments.
        at_once,
        /// The same of EXEC itself: it discards the transaction, and forgets what is watched.
        at_once_by_exec,
        /// Anything else.
        when_executed
    };

    /// A key of another type than `type` is answered WRONGTYPE; a missing key, or group where one
    /// is named, with what `if_missing` says.
    struct Lookup {
        enum class Type : std::uint8_t { stream, string, sorted_set, list, set };
        enum class IfMissing : std::uint8_t {
            go_on,
            zero,
            nil,
            no_such_key,
            stream_required,
            no_group_for_read,
            no_group_for_pending,
            no_group_of_key
        };
        std::string key{};
        IfMissing if_missing = IfMissing::go_on;
        std::optional<std::string> group = {};
        Type type = Type::stream;
        friend bool operator==(const Lookup&, const Lookup&) = default;
    };

    /// The error text, without the leading minus.
    std::string error{};
    Noticed noticed = Noticed::when_executed;
    /// Where a replica or a full memory refuses it before it is looked at.
    Access access = Access::reads;
    std::vector<Lookup> lookups = {};
    /// The request, word by word.
    std::vector<std::string> words = {};
};

using Command =
    std::variant<Xadd, Xlen, Xdel, Xtrim, Xsetid, Xrange, Xread, Xreadgroup, XgroupCreate,
                 XgroupSetid, XgroupDestroy, XgroupCreateconsumer, XgroupDelconsumer, Xack,
                 XpendingSummary, XpendingRange, Xclaim, Xautoclaim, XinfoStream, XinfoStreamFull,
                 XinfoGroups, XinfoConsumers, Set, Get, Del, Exists, Pexpireat, Pexpire, Pttl,
                 Persist, Rename, Flushall, Restore, Ping, Echo, Help, Watch, Unwatch, Multi, Exec,
                 Discard, Hosted, Flawed, Type, Zadd, Zrem, Zcard, Zscore, Zcount, Zrange, Zpopmin,
                 Zremrangebyscore, Push, Sadd>;

}  // namespace redeliver::model::redis
