#pragma once

#include <cstdint>

#include "properties/promise.h"
#include "properties/run_table.h"

namespace redeliver::properties {

/// `exactly_one_reply`: the first headline promise.
///
/// A second reply row of an accepted run breaks it when it is committed. What else there is to it
/// is judged at the end, because a run may pass through other states on its way: it has one reply
/// and has not failed, or it has failed, for a reason, and has none.
class ExactlyOneReply final : public Promise {
public:
    explicit ExactlyOneReply(const Terms& terms = {});
    void observe(const sim::Step& step) override;

private:
    struct Run {
        std::uint32_t replies = 0;
        bool is_accepted = false;
        bool has_failed = false;
        bool has_reason = false;
    };

    void settle() override;
    void clear() override { runs_.clear(); }
    void judge_count(const sim::Step& step);
    void database_forgot(const sim::Step& step);

    RunTable<Run> runs_;
};

}  // namespace redeliver::properties
