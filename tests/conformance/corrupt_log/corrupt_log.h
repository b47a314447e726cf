#pragma once

#include <vector>

#include "model/redis/commands.h"

namespace redeliver::model::redis {

/// What CMakeLists.txt lets the journal do to whatever it is about to log: an XADD that trims
/// is logged without its trim, and an XTRIM keeps one entry more.
void corrupt(std::vector<Command>& commands);

}  // namespace redeliver::model::redis
