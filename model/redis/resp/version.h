#pragma once

#include <string_view>

#include "model/redis/configuration.h"

namespace redeliver::model::redis::resp {

/// The release that is imitated: 7.0.15 for 7.0.
std::string_view release(Configuration::Version version);

}  // namespace redeliver::model::redis::resp
