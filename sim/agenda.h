#pragma once

#include <cstdint>
#include <vector>

#include "sim/time.h"

namespace redeliver::sim {

/// What is due, and when: a binary order over (instant, priority, sequence).
///
/// An indexed 4-ary heap. An event that is no longer wanted is taken out at once, so that deadlines
/// met early (nearly all of them) do not stay behind and slow every later operation down. After its
/// largest size has been reached once, scheduling allocates nothing.
class Agenda {
public:
    /// What an event means is up to whoever dispatches it.
    struct Event {
        Instant at{};
        std::uint32_t kind = 0;
        std::uint32_t index = 0;
        std::uint32_t extra = 0;
    };

    /// Names a scheduled event until it is taken or cancelled; afterwards it names nothing.
    struct Handle {
        std::uint32_t slot = 0xffff'ffff;
        std::uint32_t generation = 0;
    };

    /// Lower priorities come first among events of one instant, then order of scheduling.
    Handle schedule(const Event& event, std::uint16_t priority = 0);

    /// Takes the event out; false when it has happened or was cancelled already.
    bool cancel(Handle handle);

    bool empty() const { return heap_.empty(); }
    std::size_t size() const { return heap_.size(); }
    bool has_event_due_by(Instant limit) const {
        return !heap_.empty() && heap_.front().at <= limit;
    }

    /// The next event, which must exist.
    Event take_next();

    /// An event with its name.
    struct Due {
        Event event;
        Handle handle;
    };
    /// Appends the next event and all that are due at most so long after it, in their order.
    void due_within(Duration time, std::vector<Due>& due) const;
    /// All events, in no order that means anything.
    template <class Visit>
    void for_each(Visit visit) const {
        for (const Item& item : heap_) {
            const Slot& slot = slots_[item.slot];
            visit(Event{item.at, slot.kind, slot.index, slot.extra});
        }
    }
    /// Takes out an event that is still there, next or not.
    Event take(Handle handle);

    /// Forgets all events but keeps the memory.
    void clear();

private:
    struct Item {
        Instant at;
        std::uint64_t order;  // priority in the upper 16 bits, sequence below
        std::uint32_t slot;

        bool before(const Item& other) const {
            return at != other.at ? at < other.at : order < other.order;
        }
    };
    struct Slot {
        std::uint32_t kind, index, extra;
        std::uint32_t generation = 0;
        std::uint32_t position = 0;
    };

    void place(std::size_t position, const Item& item) {
        heap_[position] = item;
        slots_[item.slot].position = static_cast<std::uint32_t>(position);
    }
    void sift_up(std::size_t position, const Item& item);
    void sift_down(std::size_t position, const Item& item);
    void remove_at(std::size_t position);
    void release(std::uint32_t slot);
    void collect(std::size_t position, Instant limit, std::vector<Item>& found) const;

    std::vector<Item> heap_;
    std::vector<Slot> slots_;
    std::vector<std::uint32_t> free_slots_;
    std::uint64_t sequence_ = 0;
};

}  // namespace redeliver::sim
