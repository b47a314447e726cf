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

#include "model/redis/milliseconds.h"
#include "model/redis/sorted_set.h"
#include "model/redis/stream.h"

namespace redeliver::model::redis {

using StringList = std::deque<std::string>;
using StringSet = std::set<std::string, std::less<>>;

/// What a key holds, and until when.
struct Value {
    std::variant<Stream, std::string, SortedSet, StringList, StringSet> held;
    std::optional<WallMillis> expires_at;

    Stream* stream() { return std::get_if<Stream>(&held); }
    const Stream* stream() const { return std::get_if<Stream>(&held); }
    const std::string* string() const { return std::get_if<std::string>(&held); }

    /// As TYPE names it.
    std::string_view type() const;
    /// Bytes of what it holds, as payload_bytes() counts them.
    std::uint64_t payload_bytes() const;
    /// Same type, content and expiry; for anything but streams, which are compared part by part.
    bool is_same_as(const Value& other) const;
};

/// All keys of a server, in byte order. Copies are deep, except for the bodies of entries.
class Keyspace {
public:
    using Keys = std::map<std::string, Value, std::less<>>;

    const Keys& keys() const { return keys_; }
    Value* find(std::string_view key);
    const Value* find(std::string_view key) const;

    /// The key must be absent.
    Value& add(const std::string& key, Value value);

    /// The key must be present. Returns what it held.
    Value take(std::string_view key);

    void clear();

    void expire_at(std::string_view key, std::optional<WallMillis> when);

    /// How many keys have an expiry.
    std::uint64_t expiring() const { return expiries_.size(); }
    /// The key that expires first. A key is gone once the clock shows *more* than its time.
    const std::pair<WallMillis, std::string>* next_expiry() const;

    /// What loading commands from an append-only file does beside obeying them: consumers count as
    /// seen `now` (and active, if ever), and no delivery is later than `now`.
    void reload(WallMillis now);

    /// Bytes of keys, strings, bodies, members and scores.
    std::uint64_t payload_bytes() const;

private:
    Keys keys_;
    std::set<std::pair<WallMillis, std::string>> expiries_;
};

}  // namespace redeliver::model::redis
