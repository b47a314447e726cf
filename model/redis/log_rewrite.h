#pragma once

#include <vector>

#include "model/redis/commands.h"
#include "model/redis/configuration.h"
#include "model/redis/keyspace.h"

namespace redeliver::model::redis {

/// The commands that a rewritten append-only file holds (BGREWRITEAOF with `aof-use-rdb-preamble
/// no`): from them an empty server comes to these keys, but for what they cannot say. A row whose
/// entry has left the stream is named and not made again, because XCLAIM makes rows of entries
/// only. Keys come in byte order; the real server's hash table has an order of its own.
///
/// Source: rewriteAppendOnlyFileRio, rewriteStreamObject, rioWriteStreamPendingEntry and
/// rioWriteStreamEmptyConsumer in redis/src/aof.c (7.0.15; 6.2.16 says less of streams and groups).
std::vector<Command> rewrite_of(const Keyspace& keys, Configuration::Version version);

}  // namespace redeliver::model::redis
