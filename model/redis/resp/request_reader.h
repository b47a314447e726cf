#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace redeliver::model::redis::resp {

/// A request, word by word: the name of a command and its arguments, any bytes.
using Words = std::vector<std::string>;

/// How much a client may send before it is cut off. The defaults are those of redis-server 7.0.15.
/// Source: processInlineBuffer, processMultibulkBuffer in redis/src/networking.c.
struct RequestLimits {
    std::size_t words = 1024 * 1024;
    /// Of one word (proto-max-bulk-len).
    std::size_t word_bytes = 512 * 1024 * 1024;
    /// Of an inline request, and of the line before a word or a request.
    std::size_t line_bytes = 64 * 1024;
    /// Of everything received and not yet taken (client-query-buffer-limit).
    std::size_t buffered_bytes = 1024 * 1024 * 1024;
};

/// Bytes that are no request. The connection gets `text` as its last error, and is closed.
struct ProtocolError {
    /// Without the leading minus, as redis-server 7.0.15 words it.
    std::string text;
    friend bool operator==(const ProtocolError&, const ProtocolError&) = default;
};

/// Cuts a stream of bytes into requests: RESP arrays of bulk strings, and inline requests.
/// After a protocol error it gives nothing more.
class RequestReader {
public:
    explicit RequestReader(RequestLimits limits = {});

    /// Bytes as they arrive, cut anywhere.
    void feed(std::string_view bytes);

    /// The next whole request; nothing while bytes are missing. Empty requests are skipped, as the
    /// server skips them.
    std::optional<std::variant<Words, ProtocolError>> next();
};

}  // namespace redeliver::model::redis::resp
