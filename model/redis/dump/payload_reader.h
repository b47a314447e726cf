#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace redeliver::model::redis::dump {

/// The bytes are not what they should be.
struct BadData {};

/// Reads the primitives of an RDB file from bytes of any origin. Whatever is missing, too long or
/// unknown throws BadData; nothing is allocated on the word of a length alone.
/// Source: rdbLoadLenByRef, rdbGenericLoadStringObject in redis/src/rdb.c (7.0.15).
class PayloadReader {
public:
    explicit PayloadReader(std::string_view bytes) : bytes_(bytes) {}

    std::uint8_t byte();
    std::string_view raw(std::size_t size);
    std::uint64_t length();
    std::string string();
    /// Eight bytes, the lowest first.
    std::int64_t milliseconds();
    /// Sixteen bytes: two numbers, the highest byte first.
    struct RawId {
        std::uint64_t ms;
        std::uint64_t seq;
    };
    RawId raw_id();
    std::size_t left() const { return bytes_.size() - at_; }

private:
    std::uint64_t big_endian(std::size_t size);
    std::uint64_t little_endian(std::size_t size);
    std::string encoded_string(std::uint8_t encoding);

    std::string_view bytes_;
    std::size_t at_ = 0;
};

}  // namespace redeliver::model::redis::dump
