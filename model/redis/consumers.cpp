#include "model/redis/consumers.h"

#include <algorithm>

#include "sim/ensure.h"

namespace redeliver::model::redis {

std::vector<ConsumerSlot>::const_iterator Consumers::place_of(std::string_view text) const {
    return std::lower_bound(
        by_text_.begin(), by_text_.end(), text,
        [this](ConsumerSlot slot, std::string_view wanted) { return slots_[slot].text < wanted; });
}

std::optional<ConsumerSlot> Consumers::find(std::string_view text) const {
    const auto place = place_of(text);
    if (place == by_text_.end() || slots_[*place].text != text) return std::nullopt;
    return *place;
}

ConsumerSlot Consumers::create(Consumer consumer) {
    const auto place = place_of(consumer.text);
    sim::ensure(place == by_text_.end() || slots_[*place].text != consumer.text,
                "a consumer is created once");
    auto slot = static_cast<ConsumerSlot>(slots_.size());
    const auto position = place - by_text_.begin();
    if (free_.empty()) {
        slots_.push_back(std::move(consumer));
    } else {
        slot = free_.back();
        free_.pop_back();
        slots_[slot] = std::move(consumer);
    }
    by_text_.insert(by_text_.begin() + position, slot);
    return slot;
}

void Consumers::erase(ConsumerSlot slot) {
    sim::ensure(slots_[slot].pending == 0, "a consumer that leaves owns no row");
    by_text_.erase(place_of(slots_[slot].text));
    free_.push_back(slot);
}

}  // namespace redeliver::model::redis
