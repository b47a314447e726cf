#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/redis/milliseconds.h"
#include "model/redis/names.h"
#include "model/redis/pending_list.h"

namespace redeliver::model::redis {

/// Who reads within a group.
struct Consumer {
    Name name{};
    std::string text{};
    /// When it was last given something (up to 7.0: an empty read and an XACK do not count), or
    /// last tried to get something (from 7.2 on).
    WallMillis seen_at{};
    /// When rows were last delivered to it or claimed by it. Shown from 7.2 on.
    std::optional<WallMillis> active_at = {};
    /// How many rows of the group's PEL it owns.
    std::uint64_t pending = 0;
};

/// The consumers of a group. A slot stays valid until its consumer is erased; slots are reused.
class Consumers {
public:
    std::size_t size() const { return by_text_.size(); }

    std::optional<ConsumerSlot> find(std::string_view text) const;

    Consumer& at(ConsumerSlot slot) { return slots_[slot]; }
    const Consumer& at(ConsumerSlot slot) const { return slots_[slot]; }

    /// There must be none of that text yet.
    ConsumerSlot create(Consumer consumer);

    /// It must own no row.
    void erase(ConsumerSlot slot);

    /// In byte order of their text, as every reply lists them.
    const std::vector<ConsumerSlot>& by_text() const { return by_text_; }

private:
    std::vector<ConsumerSlot>::const_iterator place_of(std::string_view text) const;

    std::vector<Consumer> slots_;
    std::vector<ConsumerSlot> free_;
    std::vector<ConsumerSlot> by_text_;
};

}  // namespace redeliver::model::redis
