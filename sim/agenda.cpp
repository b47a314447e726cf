#include "sim/agenda.h"

#include <algorithm>

#include "sim/ensure.h"

namespace redeliver::sim {

namespace {
constexpr std::size_t arity = 4;
constexpr unsigned sequence_bits = 48;
}  // namespace

Agenda::Handle Agenda::schedule(const Event& event, std::uint16_t priority) {
    std::uint32_t slot;
    if (free_slots_.empty()) {
        slot = static_cast<std::uint32_t>(slots_.size());
        slots_.emplace_back();
    } else {
        slot = free_slots_.back();
        free_slots_.pop_back();
    }
    Slot& entry = slots_[slot];
    entry.kind = event.kind;
    entry.index = event.index;
    entry.extra = event.extra;
    const std::uint64_t order = (std::uint64_t{priority} << sequence_bits) | sequence_++;
    heap_.emplace_back();
    sift_up(heap_.size() - 1, {event.at, order, slot});
    return {slot, entry.generation};
}

bool Agenda::cancel(Handle handle) {
    if (handle.slot >= slots_.size()) return false;
    if (slots_[handle.slot].generation != handle.generation) return false;
    remove_at(slots_[handle.slot].position);
    release(handle.slot);
    return true;
}

Agenda::Event Agenda::take_next() {
    ensure(!heap_.empty(), "there is an event to take");
    const Item first = heap_.front();
    const Slot& entry = slots_[first.slot];
    const Event event{first.at, entry.kind, entry.index, entry.extra};
    remove_at(0);
    release(first.slot);
    return event;
}

void Agenda::collect(std::size_t position, Instant limit, std::vector<Item>& found) const {
    if (position >= heap_.size() || heap_[position].at > limit) return;
    found.push_back(heap_[position]);
    for (std::size_t child = position * arity + 1; child <= position * arity + arity; ++child)
        collect(child, limit, found);
}

void Agenda::due_within(Duration time, std::vector<Due>& due) const {
    if (heap_.empty()) return;
    std::vector<Item> found;
    collect(0, heap_.front().at + time, found);
    std::ranges::sort(found, [](const Item& one, const Item& other) { return one.before(other); });
    for (const Item& item : found) {
        const Slot& slot = slots_[item.slot];
        due.push_back({{item.at, slot.kind, slot.index, slot.extra}, {item.slot, slot.generation}});
    }
}

Agenda::Event Agenda::take(Handle handle) {
    ensure(handle.slot < slots_.size() && slots_[handle.slot].generation == handle.generation,
           "an event is taken once");
    const Slot& slot = slots_[handle.slot];
    const Event event{heap_[slot.position].at, slot.kind, slot.index, slot.extra};
    remove_at(slot.position);
    release(handle.slot);
    return event;
}

void Agenda::clear() {
    while (!heap_.empty()) {
        release(heap_.back().slot);
        heap_.pop_back();
    }
    sequence_ = 0;
}

void Agenda::sift_up(std::size_t position, const Item& item) {
    while (position > 0) {
        const std::size_t parent = (position - 1) / arity;
        if (!item.before(heap_[parent])) break;
        place(position, heap_[parent]);
        position = parent;
    }
    place(position, item);
}

void Agenda::sift_down(std::size_t position, const Item& item) {
    const std::size_t size = heap_.size();
    while (true) {
        const std::size_t first = position * arity + 1;
        if (first >= size) break;
        std::size_t least = first;
        const std::size_t last = std::min(first + arity, size);
        for (std::size_t child = first + 1; child < last; ++child)
            if (heap_[child].before(heap_[least])) least = child;
        if (!heap_[least].before(item)) break;
        place(position, heap_[least]);
        position = least;
    }
    place(position, item);
}

void Agenda::remove_at(std::size_t position) {
    const Item moved = heap_.back();
    heap_.pop_back();
    if (position == heap_.size()) return;
    const bool rises = position > 0 && moved.before(heap_[(position - 1) / arity]);
    if (rises) {
        sift_up(position, moved);
    } else {
        sift_down(position, moved);
    }
}

void Agenda::release(std::uint32_t slot) {
    ++slots_[slot].generation;
    free_slots_.push_back(slot);
}

}  // namespace redeliver::sim
