// XADD, XLEN, XDEL, XTRIM and XSETID.

#include <algorithm>
#include <limits>
#include <variant>

#include "model/redis/call.h"
#include "sim/ensure.h"

namespace redeliver::model::redis {
namespace {

constexpr std::uint64_t greatest = std::numeric_limits<std::uint64_t>::max();

/// The id XADD gives, or why it gives none. Source: streamAppendItem (7.0.15).
struct ChooseId {
    const Stream& stream;
    WallMillis now;

    std::variant<EntryId, Refusal> operator()(AutoId) const {
        const auto clock =
            static_cast<std::uint64_t>(std::max<std::int64_t>(now.time_since_epoch().count(), 0));
        // A clock that stepped back, or an id from the future, never makes ids go back.
        if (clock > stream.last_id.ms) return EntryId{clock, 0};
        return *increment(stream.last_id);
    }
    std::variant<EntryId, Refusal> operator()(AutoSeq wanted) const {
        if (wanted.ms != stream.last_id.ms) return (*this)(EntryId{wanted.ms, 0});
        // The text depends on a stale errno in 7.0; this is the one observed.
        if (stream.last_id.seq == greatest) return Refusal::body_too_large;
        return EntryId{wanted.ms, stream.last_id.seq + 1};
    }
    std::variant<EntryId, Refusal> operator()(EntryId wanted) const {
        if (wanted <= stream.last_id) return Refusal::id_too_small;
        return wanted;
    }
};

bool is_zero(const std::variant<AutoId, AutoSeq, EntryId>& id) {
    const auto* const explicit_id = std::get_if<EntryId>(&id);
    return explicit_id && *explicit_id == min_entry_id;
}

std::optional<Refusal> flaw_of(const Trim& trim, Call::Origin origin) {
    const auto* const max_len = std::get_if<MaxLen>(&trim.keep);
    if (max_len && max_len->entries < 0) return Refusal::negative_maxlen;
    if (!trim.limit) return std::nullopt;
    if (*trim.limit < 0) return Refusal::negative_limit;
    if (trim.precision == Trim::Precision::exact && origin == Call::Origin::client)
        return Refusal::limit_without_tilde;
    return std::nullopt;
}

std::uint64_t limit_of(const Call& call, const Trim& trim) {
    constexpr std::uint64_t nodes_at_once = 100;
    constexpr std::uint64_t without_node_size = 10'000;
    constexpr std::uint64_t most = 1'000'000;
    if (trim.precision == Trim::Precision::exact || call.origin == Call::Origin::log) return 0;
    if (trim.limit) return static_cast<std::uint64_t>(*trim.limit);
    const std::uint64_t per_node = call.configuration.stream_node_max_entries;
    if (!call.imitates(Configuration::Version::v7_0)) return nodes_at_once * per_node;
    if (per_node == 0) return without_node_size;
    return per_node > most / nodes_at_once ? most : nodes_at_once * per_node;
}

std::uint64_t apply_trim(Call& call, Stream& stream, const Trim& trim) {
    const std::uint64_t limit = limit_of(call, trim);
    std::vector<Entry> removed;
    if (const auto* const max_len = std::get_if<MaxLen>(&trim.keep))
        removed = stream.entries.trim_to(static_cast<std::uint64_t>(max_len->entries),
                                         trim.precision, limit);
    else
        removed = stream.entries.trim_below(std::get<MinId>(trim.keep).id, trim.precision, limit);
    tell_removed(call, stream, removed, EntryRemoved::Cause::trimmed);
    return removed.size();
}

/// What the log says of an approximate trim: exactly what it came to.
Trim as_propagated(const Stream& stream, const Trim& trim) {
    if (trim.precision == Trim::Precision::exact) return trim;
    Trim exact = trim;
    exact.precision = Trim::Precision::exact;
    if (std::holds_alternative<MaxLen>(trim.keep))
        exact.keep = MaxLen{static_cast<std::int64_t>(stream.entries.size())};
    else
        exact.keep = MinId{stream.entries.first_held_id()};
    return exact;
}

void propagate_addition(Call& call, const Xadd& command, const Stream& stream, EntryId id) {
    if (!call.is_logged()) return;
    Xadd added = command;
    added.id = id;
    if (added.trim) added.trim = as_propagated(stream, *added.trim);
    call.propagate(std::move(added));
}

}  // namespace

Reply execute(Call& call, const Xadd& command) {
    if (command.trim)
        if (const auto flaw = flaw_of(*command.trim, call.origin)) return Refused{*flaw};
    if (is_zero(command.id)) return Refused{Refusal::id_zero};
    sim::ensure(command.body.size() > 0, "XADD has at least one field");
    const FoundStream found = find_stream(call, command.key);
    if (found.is_other_type) return Refused{Refusal::wrong_type};
    if (!found.stream && command.if_missing == Xadd::IfMissing::skip) return Nil{};
    Stream& stream = found.stream ? *found.stream : create_stream(call, command.key);
    if (stream.last_id == max_entry_id) return Refused{Refusal::id_exhausted};

    const auto chosen = std::visit(ChooseId{stream, call.now}, command.id);
    if (const auto* const why = std::get_if<Refusal>(&chosen)) return Refused{*why};
    const EntryId id = std::get<EntryId>(chosen);
    stream.entries.append(
        {id, command.body, command.label},
        {call.configuration.stream_node_max_entries, call.configuration.stream_node_max_bytes});
    stream.last_id = id;
    ++stream.entries_added;
    call.tell(EntryAdded{{stream.key, id, command.label}, call.session});
    // The new entry itself can fall to its own trim; the stream stays, empty.
    if (command.trim) apply_trim(call, stream, *command.trim);

    call.written(command.key);
    propagate_addition(call, command, stream, id);
    call.signal(command.key);
    return id;
}

Reply execute(Call& call, const Xlen& command) {
    const FoundStream found = find_stream(call, command.key);
    if (found.is_other_type) return Refused{Refusal::wrong_type};
    return found.stream ? static_cast<std::int64_t>(found.stream->entries.size()) : 0;
}

Reply execute(Call& call, const Xdel& command) {
    const FoundStream found = find_stream(call, command.key);
    if (found.is_other_type) return Refused{Refusal::wrong_type};
    if (!found.stream) return std::int64_t{0};
    std::vector<Entry> removed;
    for (const EntryId id : command.ids) {
        auto entry = found.stream->entries.erase(id);
        if (!entry) continue;
        found.stream->max_deleted_id = std::max(found.stream->max_deleted_id, id);
        removed.push_back(std::move(*entry));
    }
    if (removed.empty()) return std::int64_t{0};
    tell_removed(call, *found.stream, removed, EntryRemoved::Cause::deleted);
    call.written(command.key);
    if (call.is_logged()) call.propagate(command);
    return static_cast<std::int64_t>(removed.size());
}

Reply execute(Call& call, const Xtrim& command) {
    if (const auto flaw = flaw_of(command.trim, call.origin)) return Refused{*flaw};
    const FoundStream found = find_stream(call, command.key);
    if (found.is_other_type) return Refused{Refusal::wrong_type};
    if (!found.stream) return std::int64_t{0};
    const std::uint64_t removed = apply_trim(call, *found.stream, command.trim);
    if (removed == 0) return std::int64_t{0};
    call.written(command.key);
    if (call.is_logged())
        call.propagate(
            Xtrim{.key = command.key, .trim = as_propagated(*found.stream, command.trim)});
    return static_cast<std::int64_t>(removed);
}

Reply execute(Call& call, const Xsetid& command) {
    if (command.entries_added && *command.entries_added < 0)
        return Refused{Refusal::entries_added_negative};
    if (command.max_deleted_id && command.last_id < *command.max_deleted_id)
        return Refused{Refusal::setid_below_deleted};
    const FoundStream found = find_stream(call, command.key);
    if (found.is_other_type) return Refused{Refusal::wrong_type};
    if (!found.stream) return Refused{Refusal::no_such_key};
    Stream& stream = *found.stream;
    if (call.imitates(Configuration::Version::v7_2) && command.last_id < stream.max_deleted_id)
        return Refused{Refusal::setid_below_removed};
    // An empty stream may go back up to 7.0, so that an id can be used twice.
    if (!stream.entries.empty()) {
        if (command.last_id < stream.entries.last_id()) return Refused{Refusal::setid_too_small};
        if (command.entries_added &&
            static_cast<std::uint64_t>(*command.entries_added) < stream.entries.size())
            return Refused{Refusal::entries_added_too_small};
    }
    stream.last_id = command.last_id;
    if (command.entries_added) stream.entries_added = *command.entries_added;
    if (command.max_deleted_id && *command.max_deleted_id != min_entry_id)
        stream.max_deleted_id = *command.max_deleted_id;
    if (call.is_logged()) call.propagate(command);
    return Ok{};
}

}  // namespace redeliver::model::redis
