#include "model/database/sessions.h"

#include <algorithm>

#include "sim/ensure.h"

namespace redeliver::model::database {

void Run::restart(sim::WallTime now) {
    sim::ensure(queue == 0, "a new statement stands in no queue");
    phase = Phase::fresh;
    waited_in_pass = false;
    overflows = false;
    row = no_row;
    key = 0;
    next_candidate = 0;
    candidates.clear();
    began = now;
}

Session* Sessions::find(SessionId id) {
    const auto place = place_of(id);
    if (place == by_id_.end() || place->first != id) return nullptr;
    return slots_[place->second].get();
}

Session& Sessions::open(SessionId id) {
    const auto place = place_of(id);
    sim::ensure(place == by_id_.end() || place->first != id, "a session connects once");
    if (free_slots_.empty()) {
        free_slots_.push_back(static_cast<Slot>(slots_.size()));
        slots_.push_back(std::make_unique<Session>());
    }
    const Slot slot = free_slots_.back();
    free_slots_.pop_back();
    by_id_.insert(place, {id, slot});
    ++size_;
    Session& session = *slots_[slot];
    session.id = id;
    session.slot = slot;
    session.client = Session::Client::connected;
    return session;
}

void Sessions::orphan(Session& session) {
    unlist(session);
    session.client = Session::Client::gone;
}

void Sessions::close(Session& session) {
    sim::ensure(session.transaction.held.empty() && session.waiters.empty() &&
                    !session.is_waiting() && session.run.queue == 0,
                "a session leaves nothing behind");
    if (session.client == Session::Client::connected) unlist(session);
    session.transaction.state = Transaction::State::none;
    session.inbox.clear();
    free_slots_.push_back(session.slot);
    --size_;
}

void Sessions::clear() {
    slots_.clear();
    free_slots_.clear();
    by_id_.clear();
    size_ = 0;
}

std::vector<const Session*> Sessions::in_order() const {
    std::vector<const Session*> listed;
    for (const auto& session : slots_)
        if (std::find(free_slots_.begin(), free_slots_.end(), session->slot) == free_slots_.end())
            listed.push_back(session.get());
    std::sort(listed.begin(), listed.end(), [](const Session* left, const Session* right) {
        return std::pair(left->id, left->slot) < std::pair(right->id, right->slot);
    });
    return listed;
}

std::vector<Sessions::Entry>::iterator Sessions::place_of(SessionId id) {
    return std::lower_bound(
        by_id_.begin(), by_id_.end(), id,
        [](const Entry& entry, SessionId wanted) { return entry.first < wanted; });
}

void Sessions::unlist(const Session& session) {
    const auto place = place_of(session.id);
    sim::ensure(place != by_id_.end() && place->second == session.slot, "the session is listed");
    by_id_.erase(place);
}

}  // namespace redeliver::model::database
