#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

#include "sim/fault.h"
#include "sim/operation.h"

namespace redeliver::sim {

/// A fault of a plan that cannot be armed: it names what the world does not have.
class PlanError : public std::runtime_error {
public:
    PlanError(std::size_t fault, const std::string& what)
        : std::runtime_error(what), fault_(fault) {}
    /// Position in the plan, from 0.
    std::size_t fault() const { return fault_; }

private:
    std::size_t fault_;
};

/// No fault of the plan.
inline constexpr std::uint32_t no_fault = 0xffff'ffff;

/// The faults of a plan, resolved to one world's numbers and looked up by address.
class FaultTable {
public:
    struct Armed {
        std::uint32_t number = 0;  // Position in the plan.
        What what{};
        NodeId target = NodeId::none;  // None is the performer.
        NodeId to = NodeId::none;      // The far side of a partition.
        std::optional<Instant> at{};   // Otherwise the address counts.
        Address address{};
        Point point = Point::before_send;
        NodeId performer = NodeId::none;  // None is anybody.
        bool is_spent = false;            // Fired, or lapsed.
        bool has_fired = false;
        bool had_effect = false;  // Something was otherwise because of it.
    };

    void add(const Armed& fault);

    /// The first unspent fault for this point of this operation, marked as fired; or nullptr.
    Armed* match(const Address& address, NodeId performer, Point point) {
        if (((operations_ >> (address.operation & 63u)) & 1) == 0) return nullptr;
        return search(address, performer, point);
    }

    /// Marks all unspent faults as lapsed and says how many there were.
    std::uint32_t lapse();

    Armed& operator[](std::size_t index) { return armed_[index]; }
    const Armed& operator[](std::size_t index) const { return armed_[index]; }
    std::size_t size() const { return armed_.size(); }
    /// Faults at an instant that have neither fired nor lapsed.
    std::size_t timed_left() const { return timed_left_; }
    /// Marks a fault at an instant as fired; false when it has lapsed already.
    bool fire(std::size_t index);

    /// Numbers of the faults of the plan that never fired.
    std::vector<std::uint32_t> inert() const;

    /// Notes that the state of the world differs because of a fault that has fired; of `no_fault`,
    /// nothing.
    void note_effect(std::uint32_t number) {
        if (number != no_fault) armed_[number].had_effect = true;
    }
    /// Numbers of the faults that fired and were not in vain. A crash of what is dead, a partition
    /// that nothing was sent across, an order that changed nothing: these were.
    std::vector<std::uint32_t> effective() const;

private:
    Armed* search(const Address& address, NodeId performer, Point point);

    std::vector<Armed> armed_;
    std::uint64_t operations_ = 0;  // Bit per kind of operation that some unspent fault addresses.
    std::size_t timed_left_ = 0;
};

}  // namespace redeliver::sim
