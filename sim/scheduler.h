#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "sim/agenda.h"
#include "sim/names.h"
#include "sim/schedule.h"
#include "sim/step.h"

namespace redeliver::sim {

/// Whose turn an event is, so that a schedule can weigh it against others.
struct Turn {
    enum class Order : std::uint8_t {
        fixed,  ///< it happens when it is due, and nothing goes past it
        free,   ///< it can be exchanged with others
        moot    ///< it will do nothing, because what it was for is over
    } order = Order::fixed;
    NodeId node = NodeId::none;
    /// Events of one queue never overtake each other.
    std::uint64_t queue = 0;
};

/// Takes events out of an agenda in the order of a schedule.
class Scheduler {
public:
    /// What whoever watches makes of a branching point: the last step before it, and a digest of
    /// the state there.
    struct Sight {
        StepNumber after = no_step;
        std::uint64_t state = 0;
    };
    /// What there was to choose from at a branching point.
    struct Branching {
        std::uint32_t options = 0;
        std::uint32_t taken = 0;
        Sight sight = {};  ///< As `watch` says; empty when nobody watches.
    };
    using TurnOf = std::function<Turn(const Agenda::Event&)>;
    using NodeNamed = std::function<std::optional<NodeId>(const std::string&)>;

    Scheduler(const Schedule& schedule, const NodeNamed& node_named, TurnOf turn_of);

    /// The next event, which must exist.
    Agenda::Event take_next(Agenda& agenda);

    /// From now on everything is taken in the default order.
    void lapse();

    /// Asked at every branching point from the one of this number on, before anything is taken.
    void watch(std::uint32_t from, std::function<Sight()> look) {
        watched_from_ = from;
        look_ = std::move(look);
    }

    /// Events taken that could have been exchanged, had others been due.
    std::uint32_t steps() const { return steps_; }
    const std::vector<Branching>& branchings() const { return branchings_; }
    /// Whatever was not taken in the default order: a schedule of these alone does the same.
    std::vector<Pick> picks() const;

private:
    struct Option {
        Agenda::Handle handle;
        Turn turn;
    };

    void collect_options(const Agenda& agenda);
    std::uint32_t pick();
    std::uint32_t most_urgent() const;
    std::uint32_t urgency(NodeId node) const;

    Schedule schedule_;
    TurnOf turn_of_;
    std::function<Sight()> look_;
    std::uint32_t watched_from_ = 0;
    std::vector<std::uint32_t> urgencies_;  // By node; the highest goes first.
    std::size_t next_pick_ = 0;
    std::uint32_t steps_ = 0;
    std::vector<Branching> branchings_;
    std::vector<Agenda::Due> due_;
    std::vector<Option> options_;
};

}  // namespace redeliver::sim
