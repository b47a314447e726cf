#pragma once

#include <optional>
#include <string_view>

#include "model/redis/keyspace.h"
#include "model/redis/names.h"

namespace redeliver::model::redis::dump {

/// Whether the payload ends with the version of a format that redis-server 7.0 reads, and with the
/// checksum of all before that.
/// Source: verifyDumpPayload in redis/src/cluster.c (7.0.15).
bool is_intact(std::string_view payload);

/// What a DUMP payload that is intact holds: a string, or a stream with its groups. Nothing when it
/// holds anything else, or what could not be: ids out of order, a row that two consumers own. (The
/// server looks less closely, unless told to by sanitize-dump-payload.)
/// Source: rdbLoadObject in redis/src/rdb.c (7.0.15).
std::optional<Value> load_value(std::string_view payload, std::string_view key, Names& names);

}  // namespace redeliver::model::redis::dump
