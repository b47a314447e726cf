#pragma once

#include "properties/promise.h"
#include "properties/session_order.h"

namespace redeliver::properties {

/// `replies_keep_session_order`: the promise that a consumer group cannot keep. Broken by the first
/// reply that comes after the reply to a later run of its session; replies still missing break
/// nothing.
class RepliesKeepSessionOrder final : public Promise {
public:
    explicit RepliesKeepSessionOrder(const Terms& terms = {});
    void observe(const sim::Step& step) override;

private:
    void clear() override { order_.clear(); }

    SessionOrder order_;
};

}  // namespace redeliver::properties
