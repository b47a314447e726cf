#pragma once

#include <vector>

#include "model/database/events.h"
#include "model/database/results.h"
#include "model/database/session.h"

namespace redeliver::model::database {

struct Reply {
    SessionId session;
    Result result;
};

/// What a call made happen. Replies may go to other sessions than the caller's: to those that the
/// call let go on. Calls append; whoever owns the output clears it, and keeps its memory, between
/// calls.
struct Output {
    std::vector<Reply> replies;
    std::vector<Event> events;  ///< In the order in which they happened.

    void clear() {
        replies.clear();
        events.clear();
    }
};

}  // namespace redeliver::model::database
