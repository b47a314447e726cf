#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "model/redis/dump/payload_reader.h"

namespace redeliver::model::redis::dump {

/// Reads the elements of a listpack, from front to back. Throws BadData where it is none.
/// Source: redis/src/listpack.c (7.0.15).
class ListpackReader {
public:
    /// Checks the header and the end.
    explicit ListpackReader(std::string_view listpack);

    bool at_end() const { return reader_.left() == 0; }

    /// The next element.
    std::string text();
    /// The next element, which must be an integer.
    std::int64_t integer();

private:
    using Element = std::variant<std::int64_t, std::string_view>;
    Element element();
    Element read(std::uint8_t first);

    PayloadReader reader_;
};

}  // namespace redeliver::model::redis::dump
