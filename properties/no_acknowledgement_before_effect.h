#pragma once

#include <cstdint>

#include "properties/promise.h"
#include "properties/run_table.h"

namespace redeliver::properties {

/// `no_acknowledgement_before_effect`: whoever acknowledges lets go of the message for good, so its
/// effect must be there: a reply, a run that is done or failed, or a dead letter. And it must be
/// durable: a loss of the database that leaves nothing of an acknowledged run breaks the promise
/// too, unless the broker has forgotten the acknowledgement as well.
class NoAcknowledgementBeforeEffect final : public Promise {
public:
    explicit NoAcknowledgementBeforeEffect(const Terms& terms = {});
    void observe(const sim::Step& step) override;

private:
    struct Run {
        std::uint32_t replies = 0;
        bool is_terminal = false;
        bool is_dead_lettered = false;
        bool is_acknowledged = false;
        bool has_effect() const { return replies > 0 || is_terminal || is_dead_lettered; }
    };

    void clear() override { runs_.clear(); }
    void acknowledged(const sim::Step& step);
    void database_forgot(const sim::Step& step);
    void broker_forgot(const sim::Step& step);

    RunTable<Run> runs_;
};

}  // namespace redeliver::properties
