#pragma once

#include <cstddef>
#include <cstdint>
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
    std::size_t words = 2'147'483'647;
    /// Of one word (proto-max-bulk-len).
    std::size_t word_bytes = 512 * 1024 * 1024;
    /// Of an inline request, and of the line before a word or a request.
    std::size_t line_bytes = 64 * 1024;
    /// Of everything received and not yet taken (client-query-buffer-limit), the words of an
    /// unfinished request included.
    std::size_t buffered_bytes = 1024 * 1024 * 1024;
};

/// Bytes that are no request. The connection gets `text` as its last error, and is closed.
struct ProtocolError {
    /// Without the leading minus, as redis-server 7.0.15 words it. Empty where it closes the
    /// connection without a word: when too much is buffered.
    std::string text;
    friend bool operator==(const ProtocolError&, const ProtocolError&) = default;
};

/// Cuts a stream of bytes into requests: RESP arrays of bulk strings, and inline requests.
/// After a protocol error it gives nothing more. Looks at every byte a bounded number of times,
/// however the stream is cut, and takes no memory for what is only announced.
///
/// Lines end where C strings do: behind a null byte no end of line is ever found.
class RequestReader {
public:
    explicit RequestReader(RequestLimits limits = {}) : limits_(limits) {}

    /// Bytes as they arrive, cut anywhere.
    void feed(std::string_view bytes);

    /// The next whole request; nothing while bytes are missing. Empty requests are skipped, as the
    /// server skips them.
    std::optional<std::variant<Words, ProtocolError>> next();

    /// Bytes received and not yet taken.
    std::size_t buffered() const { return buffer_.size() - position_ + taken_bytes_; }

private:
    enum class Form : std::uint8_t { unknown, inline_words, array };
    /// What a step of reading came to.
    enum class Progress : std::uint8_t { request, nothing_yet };

    Progress read_request();
    Progress read_inline();
    Progress read_array();
    bool read_word_count();
    bool read_word_length();
    bool read_word();
    std::optional<std::size_t> find_line_end(char end, std::string_view too_long);
    void release_buffer();
    void consume_until(std::size_t position);
    [[noreturn]] void refuse(std::string_view text) const;

    RequestLimits limits_;
    std::string buffer_;
    /// Everything before has been read.
    std::size_t position_ = 0;
    /// Up to here no end of line was found.
    std::size_t searched_ = 0;

    // The request at work.
    Form form_ = Form::unknown;
    Words words_;
    std::size_t missing_words_ = 0;
    std::optional<std::size_t> word_length_;
    std::size_t taken_bytes_ = 0;

    bool is_broken_ = false;
};

}  // namespace redeliver::model::redis::resp
