#pragma once

#include <cstdint>

namespace redeliver::model::database {

/// One connection, as its caller numbers it. A number may be used again once its connection has
/// been closed or has vanished with the server.
enum class SessionId : std::uint64_t {};

}  // namespace redeliver::model::database
