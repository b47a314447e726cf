#pragma once

#include "properties/promise.h"
#include "properties/streams.h"

namespace redeliver::properties {

/// `pending_list_drains`: judged at the end, when everything that was broken has been repaired.
class PendingListDrains final : public Promise {
public:
    explicit PendingListDrains(const Terms& terms = {});
    void observe(const sim::Step& step) override;

private:
    void settle() override;
    void clear() override { streams_.clear(); }

    Streams streams_;
};

}  // namespace redeliver::properties
