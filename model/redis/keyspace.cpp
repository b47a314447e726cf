#include "model/redis/keyspace.h"

#include <algorithm>
#include <array>

#include "sim/ensure.h"

namespace redeliver::model::redis {
namespace {

/// Bytes of content.
struct PayloadBytes {
    std::uint64_t operator()(const Stream& stream) const { return stream.entries.payload_bytes(); }
    std::uint64_t operator()(const std::string& text) const { return text.size(); }
    std::uint64_t operator()(const SortedSet& set) const { return set.payload_bytes(); }
    template <typename Strings>
    std::uint64_t operator()(const Strings& strings) const {
        std::uint64_t bytes = 0;
        for (const std::string& text : strings) bytes += text.size();
        return bytes;
    }
};

/// Equality of anything but streams.
struct IsSame {
    const Value& other;

    bool operator()(const Stream&) const { return false; }
    template <typename Held>
    bool operator()(const Held& held) const {
        const Held* const others = std::get_if<Held>(&other.held);
        return others && *others == held;
    }
};

}  // namespace

std::string_view Value::type() const {
    constexpr std::array<std::string_view, 5> names = {"stream", "string", "zset", "list", "set"};
    static_assert(std::variant_size_v<decltype(held)> == names.size());
    return names.at(held.index());
}

std::uint64_t Value::payload_bytes() const { return std::visit(PayloadBytes{}, held); }

bool Value::is_same_as(const Value& other) const {
    return expires_at == other.expires_at && std::visit(IsSame{other}, held);
}

Value* Keyspace::find(std::string_view key) {
    const auto found = keys_.find(key);
    return found == keys_.end() ? nullptr : &found->second;
}

const Value* Keyspace::find(std::string_view key) const {
    const auto found = keys_.find(key);
    return found == keys_.end() ? nullptr : &found->second;
}

Value& Keyspace::add(const std::string& key, Value value) {
    const auto [added, is_new] = keys_.emplace(key, std::move(value));
    sim::ensure(is_new, "a key that is added was absent");
    if (added->second.expires_at) expiries_.emplace(*added->second.expires_at, key);
    return added->second;
}

Value Keyspace::take(std::string_view key) {
    const auto found = keys_.find(key);
    sim::ensure(found != keys_.end(), "a key that is taken was present");
    if (found->second.expires_at) expiries_.erase({*found->second.expires_at, found->first});
    return std::move(keys_.extract(found).mapped());
}

void Keyspace::clear() {
    keys_.clear();
    expiries_.clear();
}

void Keyspace::expire_at(std::string_view key, std::optional<WallMillis> when) {
    const auto found = keys_.find(key);
    sim::ensure(found != keys_.end(), "a key that is given an expiry was present");
    auto& expires_at = found->second.expires_at;
    if (expires_at) expiries_.erase({*expires_at, found->first});
    expires_at = when;
    if (when) expiries_.emplace(*when, found->first);
}

const std::pair<WallMillis, std::string>* Keyspace::next_expiry() const {
    return expiries_.empty() ? nullptr : &*expiries_.begin();
}

void Keyspace::reload(WallMillis now) {
    for (auto& [key, value] : keys_) {
        if (!value.stream()) continue;
        for (auto& [name, group] : value.stream()->groups) {
            for (const ConsumerSlot slot : group.consumers.by_text()) {
                Consumer& consumer = group.consumers.at(slot);
                consumer.seen_at = now;
                if (consumer.active_at) consumer.active_at = now;
            }
            PendingList& rows = group.pending;
            for (auto at = rows.begin(); at != rows.end(); at = rows.after(at))
                rows.at(at).delivered_at = std::min(rows.at(at).delivered_at, now);
        }
    }
}

std::uint64_t Keyspace::payload_bytes() const {
    std::uint64_t bytes = 0;
    for (const auto& [key, value] : keys_) {
        bytes += key.size();
        bytes += value.payload_bytes();
    }
    return bytes;
}

}  // namespace redeliver::model::redis
