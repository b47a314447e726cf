#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace redeliver::model::redis {

/// Why the server refused a command.
enum class Refusal : std::uint8_t {
    wrong_type,               ///< the key holds another kind of value
    no_such_key,              ///< ERR no such key
    no_group,                 ///< NOGROUP, in the words of the command that met it
    busy_group,               ///< XGROUP CREATE of a group that exists
    stream_required,          ///< XGROUP on a missing key, without MKSTREAM
    id_zero,                  ///< XADD 0-0
    id_too_small,             ///< XADD at or below the last id
    id_exhausted,             ///< the last id is the greatest there is
    body_too_large,           ///< XADD of more than the server can store
    negative_maxlen,          ///< MAXLEN below 0
    negative_limit,           ///< LIMIT below 0
    limit_without_tilde,      ///< LIMIT with exact trimming
    invalid_start,            ///< exclusive start at the greatest id
    invalid_end,              ///< exclusive end at 0-0
    negative_timeout,         ///< BLOCK below 0
    entries_read_invalid,     ///< ENTRIESREAD below -1
    count_not_positive,       ///< XAUTOCLAIM COUNT
    setid_too_small,          ///< XSETID below the last entry
    setid_below_deleted,      ///< XSETID below its MAXDELETEDID
    entries_added_too_small,  ///< XSETID ENTRIESADDED below the length
    entries_added_negative,   ///< XSETID ENTRIESADDED below 0
    stream_deleted,           ///< UNBLOCKED: the key of a blocked XREADGROUP went away
    group_destroyed,          ///< NOGROUP for a blocked XREADGROUP whose group went away
    role_changed,             ///< UNBLOCKED: the server became a replica
    unblocked_by_client,      ///< UNBLOCKED: CLIENT UNBLOCK ... ERROR
    invalid_expire,           ///< SET with an expiry of 0 or less
    score_not_a_number,       ///< ZADD INCR from one infinity to the other
    nested_multi,             ///< MULTI inside MULTI
    watch_inside_multi,       ///< WATCH inside MULTI
    exec_without_multi,       ///< EXEC without MULTI
    discard_without_multi,    ///< DISCARD without MULTI
    exec_aborted,             ///< EXEC after an error while queueing
    out_of_memory,            ///< OOM: the memory limit is reached
    read_only,                ///< READONLY: a write on a replica
    key_taken,                ///< BUSYKEY: RESTORE without REPLACE
    not_an_integer,           ///< a word that is no number, looked at late
    ttl_negative,             ///< RESTORE with a TTL below 0
    payload_not_intact,       ///< RESTORE of another version, or with a wrong checksum
    payload_unreadable,       ///< RESTORE of what holds no value
    as_worded,                ///< what only its words tell: a request refused as it stands
    timeout_too_far,          ///< BLOCK until after the end of time (7.2 on)
    last_entry_of_nothing,    ///< XREAD + of a stream that never had an entry (7.4 on)
    setid_below_removed,      ///< XSETID below the stream's own max_deleted_entry_id (7.2 on)
};

/// An error.
struct Refused {
    Refusal why;
    /// The words, where they name what the command named; otherwise `why` alone decides them.
    std::string words{};
    friend bool operator==(const Refused&, const Refused&) = default;
};

/// The error text, without the leading minus, as redis-server 7.0.15 sends it.
std::string_view text(const Refused& refused);

/// NOGROUP, in the words of whichever family of commands met it.
Refused no_group_for_read(std::string_view key, std::string_view group);
Refused no_group_for_pending(std::string_view key, std::string_view group);
Refused no_group_of_key(std::string_view key, std::string_view group);

}  // namespace redeliver::model::redis
