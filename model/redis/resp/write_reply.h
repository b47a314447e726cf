#pragma once

#include <string>

#include "model/redis/replies.h"

namespace redeliver::model::redis::resp {

/// Which form replies take on a connection: RESP2 until HELLO 3.
enum class Protocol : std::uint8_t { resp2, resp3 };

/// Appends the reply as redis-server sends it, byte for byte.
void write_reply(const Reply& reply, Protocol protocol, std::string& out);

}  // namespace redeliver::model::redis::resp
