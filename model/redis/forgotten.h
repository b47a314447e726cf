#pragma once

#include <vector>

#include "model/redis/events.h"
#include "model/redis/keyspace.h"
#include "model/redis/names.h"

namespace redeliver::model::redis {

/// Appends a Forgotten event for everything that `before` had and `after`, which survived, has not,
/// or has otherwise. By key, group and id in ascending order.
void tell_forgotten(const Keyspace& before, const Keyspace& after, Names& names,
                    std::vector<Event>& events);

}  // namespace redeliver::model::redis
