#include "model/redis/refusal.h"

#include <string_view>

#include <fmt/format.h>

#include "sim/ensure.h"

namespace redeliver::model::redis {
namespace {

std::string_view fixed_text(Refusal refusal) {
    switch (refusal) {
    case Refusal::wrong_type:
        return "WRONGTYPE Operation against a key holding the wrong kind of value";
    case Refusal::no_such_key: return "ERR no such key";
    case Refusal::no_group: break;  // Its words name a key and a group.
    case Refusal::busy_group: return "BUSYGROUP Consumer Group name already exists";
    case Refusal::stream_required:
        return "ERR The XGROUP subcommand requires the key to exist. Note that for CREATE you may "
               "want to use the MKSTREAM option to create an empty stream automatically.";
    case Refusal::id_zero: return "ERR The ID specified in XADD must be greater than 0-0";
    case Refusal::id_too_small:
        return "ERR The ID specified in XADD is equal or smaller than the target stream top item";
    case Refusal::id_exhausted:
        return "ERR The stream has exhausted the last possible ID, unable to add more items";
    case Refusal::body_too_large: return "ERR Elements are too large to be stored";
    case Refusal::negative_maxlen: return "ERR The MAXLEN argument must be >= 0.";
    case Refusal::negative_limit: return "ERR The LIMIT argument must be >= 0.";
    case Refusal::limit_without_tilde:
        return "ERR syntax error, LIMIT cannot be used without the special ~ option";
    case Refusal::invalid_start: return "ERR invalid start ID for the interval";
    case Refusal::invalid_end: return "ERR invalid end ID for the interval";
    case Refusal::negative_timeout: return "ERR timeout is negative";
    case Refusal::timeout_too_far: return "ERR timeout is out of range";
    case Refusal::last_entry_of_nothing: return "ERR the stream last element ID is 0-0";
    case Refusal::entries_read_invalid: return "ERR value for ENTRIESREAD must be positive or -1";
    case Refusal::count_not_positive: return "ERR COUNT must be > 0";
    case Refusal::setid_too_small:
        return "ERR The ID specified in XSETID is smaller than the target stream top item";
    case Refusal::setid_below_deleted:
        return "ERR The ID specified in XSETID is smaller than the provided max_deleted_entry_id";
    case Refusal::setid_below_removed:
        return "ERR The ID specified in XSETID is smaller than current max_deleted_entry_id";
    case Refusal::entries_added_too_small:
        return "ERR The entries_added specified in XSETID is smaller than the target stream length";
    case Refusal::entries_added_negative: return "ERR entries_added must be positive";
    case Refusal::stream_deleted: return "UNBLOCKED the stream key no longer exists";
    case Refusal::group_destroyed:
        return "NOGROUP the consumer group this client was blocked on no longer exists";
    case Refusal::role_changed:
        return "UNBLOCKED force unblock from blocking operation, instance state changed "
               "(master -> replica?)";
    case Refusal::key_taken: return "BUSYKEY Target key name already exists.";
    case Refusal::not_an_integer: return "ERR value is not an integer or out of range";
    case Refusal::ttl_negative: return "ERR Invalid TTL value, must be >= 0";
    case Refusal::payload_not_intact: return "ERR DUMP payload version or checksum are wrong";
    case Refusal::payload_unreadable: return "ERR Bad data format";
    case Refusal::unblocked_by_client: return "UNBLOCKED client unblocked via CLIENT UNBLOCK";
    case Refusal::invalid_expire: return "ERR invalid expire time in 'set' command";
    case Refusal::score_not_a_number: return "ERR resulting score is not a number (NaN)";
    case Refusal::nested_multi: return "ERR MULTI calls can not be nested";
    case Refusal::watch_inside_multi: return "ERR WATCH inside MULTI is not allowed";
    case Refusal::exec_without_multi: return "ERR EXEC without MULTI";
    case Refusal::discard_without_multi: return "ERR DISCARD without MULTI";
    case Refusal::exec_aborted:
        return "EXECABORT Transaction discarded because of previous errors.";
    case Refusal::out_of_memory: return "OOM command not allowed when used memory > 'maxmemory'.";
    case Refusal::as_worded: break;  // It has nothing but its words.
    case Refusal::read_only: return "READONLY You can't write against a read only replica.";
    }
    sim::fail_harness("every refusal has a text", std::source_location::current());
}

std::string_view shown(std::string_view name) { return name.substr(0, name.find('\0')); }

}  // namespace

std::string_view text(const Refused& refused) {
    return refused.words.empty() ? fixed_text(refused.why) : std::string_view(refused.words);
}

// The server writes names as C strings: up to the first null byte.

Refused no_group_for_read(std::string_view key, std::string_view group) {
    return {Refusal::no_group,
            fmt::format(
                "NOGROUP No such key '{}' or consumer group '{}' in XREADGROUP with GROUP option",
                shown(key), shown(group))};
}

Refused no_group_for_pending(std::string_view key, std::string_view group) {
    return {Refusal::no_group, fmt::format("NOGROUP No such key '{}' or consumer group '{}'",
                                           shown(key), shown(group))};
}

Refused no_group_of_key(std::string_view key, std::string_view group) {
    return {Refusal::no_group, fmt::format("NOGROUP No such consumer group '{}' for key name '{}'",
                                           shown(group), shown(key))};
}

}  // namespace redeliver::model::redis
