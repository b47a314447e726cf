#include "sim/fault_table.h"

#include "sim/ensure.h"

namespace redeliver::sim {

void FaultTable::add(const Armed& fault) {
    ensure(fault.number == armed_.size(), "faults are armed in the order of their plan");
    armed_.push_back(fault);
    if (fault.at) {
        ++timed_left_;
    } else {
        operations_ |= std::uint64_t{1} << (fault.address.operation & 63u);
    }
}

FaultTable::Armed* FaultTable::search(const Address& address, NodeId performer, Point point) {
    for (Armed& fault : armed_) {
        if (fault.is_spent || fault.at || fault.point != point) continue;
        if (fault.address.operation != address.operation) continue;
        if (fault.address.subject != address.subject) continue;
        if (fault.address.occurrence != address.occurrence) continue;
        if (fault.performer != NodeId::none && fault.performer != performer) continue;
        fault.is_spent = fault.has_fired = true;
        return &fault;
    }
    return nullptr;
}

bool FaultTable::fire(std::size_t index) {
    Armed& fault = armed_[index];
    if (fault.is_spent) return false;
    ensure(fault.at.has_value(), "only faults at an instant are fired by the clock");
    fault.is_spent = fault.has_fired = true;
    --timed_left_;
    return true;
}

std::uint32_t FaultTable::lapse() {
    std::uint32_t lapsed = 0;
    for (Armed& fault : armed_) {
        if (fault.is_spent) continue;
        fault.is_spent = true;
        ++lapsed;
    }
    operations_ = 0;
    timed_left_ = 0;
    return lapsed;
}

std::vector<std::uint32_t> FaultTable::inert() const {
    std::vector<std::uint32_t> numbers;
    for (const Armed& fault : armed_)
        if (!fault.has_fired) numbers.push_back(fault.number);
    return numbers;
}

std::vector<std::uint32_t> FaultTable::effective() const {
    std::vector<std::uint32_t> numbers;
    for (const Armed& fault : armed_)
        if (fault.had_effect) numbers.push_back(fault.number);
    return numbers;
}

}  // namespace redeliver::sim
