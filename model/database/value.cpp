#include "model/database/value.h"

#include <fmt/format.h>

namespace redeliver::model::database {

Value::Value(std::string_view text) {
    if (text.size() > inline_capacity) {
        set_large(text);
        return;
    }
    if (!text.empty()) std::memcpy(storage_.bytes, text.data(), text.size());
    storage_.size = static_cast<std::uint8_t>(text.size());
    storage_.form = Form::small;
}

std::string_view Value::text() const {
    sim::ensure(is_text(), "the value is a text");
    return raw_text();
}

void Value::set_large(std::string_view text) {
    const Large made{.bytes = new char[text.size()], .size = text.size()};
    std::memcpy(made.bytes, text.data(), text.size());
    std::memcpy(storage_.bytes, &made, sizeof made);
    storage_.form = Form::large;
}

void Value::clone_large() {
    const Large theirs = large();
    storage_.form = Form::null;  // Should the allocation throw, their bytes are not ours to free.
    set_large({theirs.bytes, theirs.size});
}

Truth equals(const Value& left, const Value& right) {
    if (left.is_null() || right.is_null()) return Truth::unknown;
    sim::ensure(left.kind() == right.kind(), "values of one type are compared");
    return left == right ? Truth::yes : Truth::no;
}

Truth less_than(const Value& left, const Value& right) {
    if (left.is_null() || right.is_null()) return Truth::unknown;
    return in_sort_order(left, right) < 0 ? Truth::yes : Truth::no;
}

std::strong_ordering in_sort_order(const Value& left, const Value& right) {
    if (left.is_null() || right.is_null()) return left.is_null() <=> right.is_null();
    sim::ensure(left.kind() == right.kind(), "values of one type are compared");
    if (left.is_integer()) return left.integer() <=> right.integer();
    return left.text() <=> right.text();
}

std::string describe(const Value& value) {
    if (value.is_null()) return "null";
    if (value.is_integer()) return fmt::format("{}", value.integer());
    std::string described = "'";
    for (const char byte : value.text()) {
        const auto number = static_cast<unsigned char>(byte);
        if (byte == '\'' || byte == '\\' || number < 0x20 || number >= 0x7f)
            described += fmt::format("\\x{:02x}", number);
        else
            described += byte;
    }
    return described + "'";
}

}  // namespace redeliver::model::database
