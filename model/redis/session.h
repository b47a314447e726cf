#pragma once

#include <cstdint>

namespace redeliver::model::redis {

/// A client connection, numbered by whoever drives the server. A number that has disconnected may
/// be used again.
enum class SessionId : std::uint64_t {};

}  // namespace redeliver::model::redis
