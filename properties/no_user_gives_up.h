#pragma once

#include "properties/promise.h"

namespace redeliver::properties {

/// `no_user_gives_up`: what a gateway that answers nobody any more breaks.
class NoUserGivesUp final : public Promise {
public:
    explicit NoUserGivesUp(const Terms& terms = {});
    void observe(const sim::Step& step) override;

private:
    void clear() override {}
};

}  // namespace redeliver::properties
