#pragma once

#include <cstdint>
#include <vector>

#include "model/steps.h"
#include "properties/run_table.h"
#include "sim/step.h"

namespace redeliver::properties {

/// In which order the runs of each session were accepted, and whether their replies keep to it.
///
/// Only the first reply of a run has a place in the order: a second one breaks another promise. A
/// reply to a run that has not been accepted has none either.
class SessionOrder {
public:
    /// Follows Accepted, ReplyStored and DatabaseForgot. Returns the run of the same session that
    /// was accepted later than this step's run but answered before it; none if all is in order.
    sim::Subject observe(const sim::Step& step);
    void clear();

    /// Whether two replies have been compared yet: otherwise no order could break.
    bool has_compared() const { return compared_; }

private:
    struct Place {
        std::uint32_t position = 0;  // In the order of acceptance, from 1; 0 is not accepted.
        std::uint32_t session = 0;
        std::uint32_t replies = 0;
    };
    /// The last run, in the order of acceptance, that a session has a reply to.
    struct Front {
        sim::Subject run = sim::Subject::none;
        std::uint32_t position = 0;
    };

    void accept(sim::Subject run, std::uint32_t session);
    sim::Subject reply(sim::Subject run);
    void forget(sim::Subject run, model::DatabaseForgot::What what);
    Front& front(std::uint32_t session);

    RunTable<Place> places_;
    std::vector<Front> fronts_;  // By session.
    std::uint32_t accepted_ = 0;
    bool compared_ = false;
};

}  // namespace redeliver::properties
