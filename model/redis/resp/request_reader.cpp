#include "model/redis/resp/request_reader.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "model/redis/resp/inline_words.h"
#include "model/redis/resp/integer.h"
#include "sim/ensure.h"

namespace redeliver::model::redis::resp {
namespace {

/// Room made for the words of a request before they come.
constexpr std::size_t words_at_once = 1024;
/// A buffer that once held more than this is given back when it is empty.
constexpr std::size_t kept_capacity = 64 * 1024;
/// What a word costs beside its bytes.
constexpr std::size_t word_overhead = sizeof(std::string);

}  // namespace

void RequestReader::feed(std::string_view bytes) {
    if (is_broken_) return;
    // Moving what is left only once half is read keeps the work linear.
    if (position_ > 0 && position_ >= buffer_.size() / 2) {
        buffer_.erase(0, position_);
        searched_ -= std::min(searched_, position_);
        position_ = 0;
    }
    buffer_ += bytes;
}

std::optional<std::variant<Words, ProtocolError>> RequestReader::next() {
    if (is_broken_) return std::nullopt;
    if (position_ == buffer_.size()) release_buffer();
    try {
        while (position_ < buffer_.size()) {
            if (read_request() == Progress::nothing_yet) break;
            form_ = Form::unknown;
            taken_bytes_ = 0;
            if (!words_.empty()) return std::exchange(words_, {});
        }
        if (buffered() > limits_.buffered_bytes) refuse("");
    } catch (ProtocolError& error) {
        is_broken_ = true;
        buffer_ = {};
        words_ = {};
        position_ = taken_bytes_ = 0;
        return std::move(error);
    }
    return std::nullopt;
}

void RequestReader::release_buffer() {
    position_ = searched_ = 0;
    buffer_.clear();
    if (buffer_.capacity() > kept_capacity) buffer_ = {};
}

RequestReader::Progress RequestReader::read_request() {
    if (form_ == Form::unknown)
        form_ = buffer_[position_] == '*' ? Form::array : Form::inline_words;
    return form_ == Form::array ? read_array() : read_inline();
}

RequestReader::Progress RequestReader::read_inline() {
    const auto newline = find_line_end('\n', "ERR Protocol error: too big inline request");
    if (!newline) return Progress::nothing_yet;
    std::string_view line(buffer_.data() + position_, *newline - position_);
    if (line.ends_with('\r')) line.remove_suffix(1);
    auto words = split_inline(line);
    if (!words) refuse("ERR Protocol error: unbalanced quotes in request");
    words_ = std::move(*words);
    consume_until(*newline + 1);
    return Progress::request;
}

RequestReader::Progress RequestReader::read_array() {
    if (missing_words_ == 0) {
        if (!read_word_count()) return Progress::nothing_yet;
        if (missing_words_ == 0) return Progress::request;
    }
    while (missing_words_ > 0) {
        if (!word_length_ && !read_word_length()) return Progress::nothing_yet;
        if (!read_word()) return Progress::nothing_yet;
    }
    return Progress::request;
}

bool RequestReader::read_word_count() {
    const auto end = find_line_end('\r', "ERR Protocol error: too big mbulk count string");
    if (!end || *end + 1 == buffer_.size()) return false;
    const auto count =
        read_integer(std::string_view(buffer_).substr(position_ + 1, *end - position_ - 1));
    if (!count || (*count > 0 && static_cast<std::uint64_t>(*count) > limits_.words))
        refuse("ERR Protocol error: invalid multibulk length");
    missing_words_ = static_cast<std::size_t>(std::max<std::int64_t>(*count, 0));
    words_.reserve(std::min(missing_words_, words_at_once));
    consume_until(*end + 2);
    return true;
}

bool RequestReader::read_word_length() {
    const auto end = find_line_end('\r', "ERR Protocol error: too big bulk count string");
    if (!end || *end + 1 == buffer_.size()) return false;
    if (buffer_[position_] != '$')
        refuse(fmt::format("ERR Protocol error: expected '$', got '{}'", buffer_[position_]));
    const auto length =
        read_integer(std::string_view(buffer_).substr(position_ + 1, *end - position_ - 1));
    if (!length || *length < 0 || static_cast<std::uint64_t>(*length) > limits_.word_bytes)
        refuse("ERR Protocol error: invalid bulk length");
    word_length_ = static_cast<std::size_t>(*length);
    consume_until(*end + 2);
    return true;
}

/// The two bytes behind the word are not looked at, as the server does not.
bool RequestReader::read_word() {
    if (buffer_.size() - position_ < *word_length_ + 2) return false;
    words_.emplace_back(buffer_, position_, *word_length_);
    taken_bytes_ += *word_length_ + word_overhead;
    consume_until(position_ + *word_length_ + 2);
    word_length_.reset();
    --missing_words_;
    return true;
}

std::optional<std::size_t> RequestReader::find_line_end(char end, std::string_view too_long) {
    const auto from = buffer_.begin() + static_cast<std::ptrdiff_t>(std::max(searched_, position_));
    const auto found =
        std::find_if(from, buffer_.end(), [end](char c) { return c == end || c == '\0'; });
    searched_ = static_cast<std::size_t>(found - buffer_.begin());
    if (found != buffer_.end() && *found == end) return searched_;
    if (buffer_.size() - position_ > limits_.line_bytes) refuse(too_long);
    return std::nullopt;
}

void RequestReader::consume_until(std::size_t position) {
    sim::ensure(position <= buffer_.size(), "only what has arrived is consumed");
    position_ = position;
    searched_ = position;
}

void RequestReader::refuse(std::string_view text) const { throw ProtocolError{std::string(text)}; }

}  // namespace redeliver::model::redis::resp
