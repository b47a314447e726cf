#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace redeliver::scenarios::json {

/// A JSON value and the line it began on, so that messages can say where.
struct Value {
    enum class Kind : std::uint8_t { null, boolean, number, text, list, object };

    Kind kind = Kind::null;
    /// From 1; 0 for values that come from no file.
    std::uint32_t line = 0;
    /// Of a member of an object.
    std::string key = {};
    /// Of a text its bytes, valid UTF-8; of a number or boolean as it is written.
    std::string text = {};
    /// Of a list its items, of an object its members in their order.
    std::vector<Value> children = {};

    /// The member of this key; nullptr when there is none.
    const Value* find(std::string_view member) const;
};

Value text_value(std::string text);
Value number_value(std::uint64_t number);
Value list_value(std::vector<Value> items = {});
Value object_value();

/// What a reader of a message should see of a value: `"after_wrk"`, `5`, `a list`. Harmless to
/// print and short, whatever it holds.
std::string describe(const Value& value);

/// As a file: two spaces a level, lists and objects of plain values on one line where they fit, a
/// line end after the last line.
std::string print(const Value& value);

}  // namespace redeliver::scenarios::json
