#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "model/redis/body.h"
#include "model/redis/commands.h"
#include "model/redis/entry_id.h"
#include "model/redis/milliseconds.h"
#include "model/redis/refusal.h"

/// Replies as values. How they are written on a socket is no business of the model.
namespace redeliver::model::redis {

struct Ok {
    friend bool operator==(const Ok&, const Ok&) = default;
};

/// The null bulk string: no such string, or a condition that prevented the command.
struct Nil {
    friend bool operator==(const Nil&, const Nil&) = default;
};

/// The null array: nothing to read, a timeout, an EXEC that did not happen.
struct NilArray {
    friend bool operator==(const NilArray&, const NilArray&) = default;
};

struct Queued {
    friend bool operator==(const Queued&, const Queued&) = default;
};

struct Pong {
    friend bool operator==(const Pong&, const Pong&) = default;
};

/// A simple string other than those above.
struct Status {
    std::string value{};
    friend bool operator==(const Status&, const Status&) = default;
};

struct Text {
    std::string value{};
    friend bool operator==(const Text&, const Text&) = default;
};

/// One stream entry as replies show it; its body is absent where the entry has left the stream.
struct Entry {
    EntryId id{};
    Body body{};
    /// Not part of the protocol: what Xadd::label said.
    std::uint64_t label = 0;
    friend bool operator==(const Entry&, const Entry&) = default;
};

/// An entry without body is a null here: an XCLAIM of 6.2 met one that had left the stream.
struct Entries {
    std::vector<Entry> entries{};
    friend bool operator==(const Entries&, const Entries&) = default;
};

struct IdList {
    std::vector<EntryId> ids{};
    friend bool operator==(const IdList&, const IdList&) = default;
};

struct StreamEntries {
    std::string key{};
    std::vector<Entry> entries{};
    friend bool operator==(const StreamEntries&, const StreamEntries&) = default;
};

/// XREAD and XREADGROUP: the streams that had something, in the order asked.
struct ReadReply {
    boost::container::small_vector<StreamEntries, 1> streams{};
    friend bool operator==(const ReadReply&, const ReadReply&) = default;
};

struct PendingSummary {
    struct Row {
        std::string consumer{};
        std::uint64_t count = 0;
        friend bool operator==(const Row&, const Row&) = default;
    };
    std::uint64_t count = 0;
    /// Meaningless when `count` is 0.
    EntryId least{};
    EntryId greatest{};
    /// Consumers with pending rows, by name.
    std::vector<Row> consumers{};
    friend bool operator==(const PendingSummary&, const PendingSummary&) = default;
};

struct PendingRow {
    EntryId id{};
    std::string consumer{};
    Milliseconds idle_time{0};
    std::uint64_t delivery_count = 0;
    friend bool operator==(const PendingRow&, const PendingRow&) = default;
};

struct PendingRows {
    std::vector<PendingRow> rows{};
    friend bool operator==(const PendingRows&, const PendingRows&) = default;
};

/// XAUTOCLAIM. Continue at `cursor`, inclusively; 0-0 means that the walk reached the end. An empty
/// `claimed` is no sign of the end.
struct Autoclaimed {
    EntryId cursor{};
    /// Under JUSTID the bodies are absent; else an entry without body is a null (6.2).
    std::vector<Entry> claimed{};
    /// Rows whose entry had left the stream: dropped, whatever their idle time. None before 7.0.
    std::vector<EntryId> deleted{};
    ClaimReply form = ClaimReply::entries;
    friend bool operator==(const Autoclaimed&, const Autoclaimed&) = default;
};

/// XINFO STREAM.
struct StreamInfo {
    std::uint64_t length = 0;
    /// radix-tree-keys and radix-tree-nodes: what holds the entries.
    std::uint64_t nodes = 0;
    std::uint64_t radix_nodes = 0;
    EntryId last_generated_id{};
    EntryId max_deleted_entry_id{};
    std::int64_t entries_added = 0;
    EntryId recorded_first_entry_id{};
    std::uint64_t groups = 0;
    std::optional<Entry> first_entry{};
    std::optional<Entry> last_entry{};
    friend bool operator==(const StreamInfo&, const StreamInfo&) = default;
};

/// A row of XINFO GROUPS. Empty optionals are nulls: unknown.
struct GroupInfo {
    std::string name{};
    std::uint64_t consumers = 0;
    std::uint64_t pending = 0;
    EntryId last_delivered_id{};
    std::optional<std::int64_t> entries_read;
    std::optional<std::int64_t> lag;
    friend bool operator==(const GroupInfo&, const GroupInfo&) = default;
};

struct GroupInfos {
    std::vector<GroupInfo> groups{};
    friend bool operator==(const GroupInfos&, const GroupInfos&) = default;
};

/// A row of XINFO CONSUMERS.
struct ConsumerInfo {
    std::string name{};
    std::uint64_t pending = 0;
    /// Since the last interaction that gave the consumer something; from 7.2 on, since the last
    /// attempt.
    Milliseconds idle_time{0};
    /// Since it was last given something, -1 if never. Shown from 7.2 on.
    std::optional<Milliseconds> inactive_time{};
    friend bool operator==(const ConsumerInfo&, const ConsumerInfo&) = default;
};

struct ConsumerInfos {
    std::vector<ConsumerInfo> consumers{};
    friend bool operator==(const ConsumerInfos&, const ConsumerInfos&) = default;
};

/// XINFO STREAM FULL.
struct StreamDetails {
    struct Row {
        EntryId id{};
        std::string consumer{};
        WallMillis delivered_at{};
        std::uint64_t delivery_count = 0;
        friend bool operator==(const Row&, const Row&) = default;
    };
    struct Consumer {
        std::string name{};
        WallMillis seen_at{};
        /// When it was last given something, a millisecond before the epoch if never. Shown from
        /// 7.2 on.
        std::optional<WallMillis> active_at{};
        std::uint64_t pending = 0;
        std::vector<Row> rows{};
        friend bool operator==(const Consumer&, const Consumer&) = default;
    };
    struct Group {
        GroupInfo info{};
        std::vector<Row> rows{};
        std::vector<Consumer> consumers{};
        friend bool operator==(const Group&, const Group&) = default;
    };
    StreamInfo info{};
    std::vector<Entry> entries{};
    std::vector<Group> groups{};
    friend bool operator==(const StreamDetails&, const StreamDetails&) = default;
};

/// A score, and its text in the words of this version: a bulk string, from RESP3 on a double.
struct ScoreReply {
    double value = 0;
    std::string text{};
    friend bool operator==(const ScoreReply&, const ScoreReply&) = default;
};

/// Members of a sorted set.
struct Members {
    enum class Form : std::uint8_t {
        members,     ///< names only
        flat_pairs,  ///< name, score, name, score in one array
        pairs        ///< the same in RESP2; one array a pair from RESP3 on
    };
    struct Row {
        std::string member{};
        /// Missing where the form is names only.
        std::optional<ScoreReply> score{};
        friend bool operator==(const Row&, const Row&) = default;
    };
    std::vector<Row> rows{};
    Form form = Form::members;
    friend bool operator==(const Members&, const Members&) = default;
};

struct Reply;

/// EXEC: one reply per queued command.
struct Array {
    std::vector<Reply> elements;
    friend bool operator==(const Array& one, const Array& other);
};

/// A reply of any shape, for what has no alternative of its own: what administrative commands
/// answer. Where RESP2 lacks a kind, it gets what redis-server sends it instead.
struct Tree {
    enum class Kind : std::uint8_t {
        bulk,         ///< `text`
        simple,       ///< `text`, as a status
        error,        ///< `text`, without the minus
        integer,      ///< `integer`
        decimal,      ///< `decimal`; a bulk string in RESP2
        boolean,      ///< `integer` 0 or 1; an integer in RESP2
        null,         ///< the null bulk string in RESP2
        null_array,   ///< the null array in RESP2; RESP3 has but one null
        verbatim,     ///< `text` of the kind txt; a bulk string in RESP2
        markdown,     ///< `text` of the kind mkd; a bulk string in RESP2
        big_integer,  ///< `text`; a bulk string in RESP2
        array,        ///< `children`
        map,          ///< `children`, key and value in turn; a flat array in RESP2
        set,          ///< `children`; an array in RESP2
        push          ///< `children`; an array in RESP2
    };
    Kind kind = Kind::null;
    std::string text{};
    std::int64_t integer = 0;
    double decimal = 0;
    std::vector<Tree> children{};
    friend bool operator==(const Tree&, const Tree&) = default;
};

inline Tree bulk(std::string text) { return {.kind = Tree::Kind::bulk, .text = std::move(text)}; }
inline Tree simple(std::string text) {
    return {.kind = Tree::Kind::simple, .text = std::move(text)};
}
inline Tree integer(std::int64_t value) { return {.kind = Tree::Kind::integer, .integer = value}; }
inline Tree array(std::vector<Tree> children) {
    return {.kind = Tree::Kind::array, .children = std::move(children)};
}
inline Tree map(std::vector<Tree> children) {
    return {.kind = Tree::Kind::map, .children = std::move(children)};
}

using ReplyVariant = std::variant<Ok, Nil, NilArray, Queued, Pong, Refused, std::int64_t, EntryId,
                                  Text, Entries, IdList, ReadReply, PendingSummary, PendingRows,
                                  Autoclaimed, StreamInfo, StreamDetails, GroupInfos, ConsumerInfos,
                                  Array, Status, ScoreReply, Members, Tree>;

struct Reply : ReplyVariant {
    using ReplyVariant::ReplyVariant;
};

inline bool operator==(const Array& one, const Array& other) {
    return one.elements == other.elements;
}

/// The reason, when the reply is an error.
inline std::optional<Refusal> refusal(const Reply& reply) {
    const auto* refused = std::get_if<Refused>(&reply);
    return refused ? std::optional(refused->why) : std::nullopt;
}

/// XXH3 over every field: the same on every machine, and different when any byte a client could
/// see differs.
std::uint64_t hash(const Reply& reply);

}  // namespace redeliver::model::redis
