#include "properties/session_order.h"

#include "sim/ensure.h"

namespace redeliver::properties {

using sim::Subject;

Subject SessionOrder::observe(const sim::Step& step) {
    if (const auto* const accepted = step.as<model::Accepted>()) {
        accept(step.subject, accepted->session);
    } else if (step.kind == model::ReplyStored::kind) {
        return reply(step.subject);
    } else if (const auto* const forgot = step.as<model::DatabaseForgot>()) {
        forget(step.subject, forgot->what);
    }
    return Subject::none;
}

void SessionOrder::clear() {
    places_.clear();
    fronts_.clear();
    accepted_ = 0;
    compared_ = false;
}

void SessionOrder::accept(Subject run, std::uint32_t session) {
    Place& place = places_[run];
    place.position = ++accepted_;
    place.session = session;
}

Subject SessionOrder::reply(Subject run) {
    Place& place = places_[run];
    if (place.position == 0 || ++place.replies > 1) return Subject::none;
    Front& last = front(place.session);
    compared_ |= last.position != 0;
    if (last.position > place.position) return last.run;
    last = {run, place.position};
    return Subject::none;
}

void SessionOrder::forget(Subject run, model::DatabaseForgot::What what) {
    Place& place = places_[run];
    if (what == model::DatabaseForgot::What::run) place.position = 0;
    if (what == model::DatabaseForgot::What::reply && place.replies > 0) --place.replies;
    Front& last = front(place.session);
    if (last.run != run) return;
    // Its reply may be gone: then the one before it is the last again.
    last = {};
    const std::uint32_t session = place.session;
    places_.for_each([&](Subject other, const Place& answered) {
        if (answered.session != session || answered.replies == 0) return;
        if (answered.position > last.position) last = {other, answered.position};
    });
}

SessionOrder::Front& SessionOrder::front(std::uint32_t session) {
    sim::ensure(session <= sim::max_subject_number, "sessions are numbered from 0, without gaps");
    if (session >= fronts_.size()) fronts_.resize(session + 1);
    return fronts_[session];
}

}  // namespace redeliver::properties
