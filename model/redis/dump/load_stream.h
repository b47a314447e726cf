#pragma once

#include <cstdint>
#include <string_view>

#include "model/redis/dump/payload_reader.h"
#include "model/redis/names.h"
#include "model/redis/stream.h"

namespace redeliver::model::redis::dump {

/// Whether the stream knows how many entries were ever added and read.
enum class Counted : std::uint8_t { no, yes };

/// The stream that the reader has come to, its nodes as they were. Throws BadData.
Stream load_stream(PayloadReader& reader, Counted counted, std::string_view key, Names& names);

}  // namespace redeliver::model::redis::dump
