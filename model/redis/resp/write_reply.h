#pragma once

#include <cstdint>
#include <string>

#include "model/redis/configuration.h"
#include "model/redis/replies.h"

namespace redeliver::model::redis::resp {

/// Which form replies take on a connection: RESP2 until HELLO 3.
enum class Protocol : std::uint8_t { resp2, resp3 };

/// Appends the reply as redis-server sends it, byte for byte.
///
/// RESP3 has one null for the two of RESP2, and maps for what XREAD, XREADGROUP and XINFO answer;
/// entries, their fields and pending rows stay arrays. Line breaks inside an error become blanks.
/// Which fields XINFO has, and how an entry that is gone looks, depends on the version.
void write_reply(const Reply& reply, Protocol protocol, std::string& out,
                 Configuration::Version version = Configuration::Version::v7_0);

}  // namespace redeliver::model::redis::resp
