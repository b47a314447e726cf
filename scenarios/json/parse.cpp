#include "scenarios/json/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "scenarios/json/bad_input.h"
#include "scenarios/json/limits.h"
#include "scenarios/json/pointer.h"
#include "scenarios/json/printable.h"

namespace redeliver::scenarios::json {

namespace {

/// Reads a text and leaves behind how far it has been read: the library does not tell.
class Reading {
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    Reading(const char* at, const char** furthest) : at_(at), furthest_(furthest) {}

    reference operator*() const { return *at_; }
    Reading& operator++() {
        *furthest_ = ++at_;
        return *this;
    }
    Reading operator++(int) {
        const Reading before = *this;
        ++*this;
        return before;
    }
    bool operator==(const Reading& other) const { return at_ == other.at_; }

private:
    const char* at_;
    const char** furthest_;
};

/// Builds a Value from the library's events, and refuses what is beyond the caps at once.
class Builder {
public:
    Builder(std::string_view text, std::string_view file_name)
        : text_(text),
          place_{.file = std::string(file_name)},
          read_to_(text.data()),
          counted_to_(text.data()) {}

    Value build() {
        const Reading begin{text_.data(), &read_to_};
        const Reading end{text_.data() + text_.size(), &read_to_};
        nlohmann::json::sax_parse(begin, end, this, nlohmann::json::input_format_t::json,
                                  /*strict=*/true, /*ignore_comments=*/true);
        return std::move(root_);
    }

    // ------------------------------------------------------- as the library calls them

    bool null() { return add({.kind = Value::Kind::null}); }
    bool boolean(bool is_true) {
        return add({.kind = Value::Kind::boolean, .text = is_true ? "true" : "false"});
    }
    bool number_integer(std::int64_t number) { return add_number(fmt::format("{}", number)); }
    bool number_unsigned(std::uint64_t number) { return add_number(fmt::format("{}", number)); }
    bool number_float(double, const std::string& digits) { return add_number(digits); }
    bool string(std::string& text) { return add(text_value(std::move(text))); }
    bool binary(nlohmann::json::binary_t&) { return false; }

    bool start_object(std::size_t) { return open(Value::Kind::object); }
    bool key(std::string& name) {
        key_ = std::move(name);
        return true;
    }
    bool end_object() {
        refuse_repeated_keys(*open_.back());
        open_.pop_back();
        return true;
    }
    bool start_array(std::size_t) { return open(Value::Kind::list); }
    bool end_array() {
        open_.pop_back();
        return true;
    }

    bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception& error) {
        const std::size_t at = consumed();
        const std::size_t line_start = at == 0 ? 0 : text_.rfind('\n', at - 1) + 1;
        place_.line = line();
        place_.column = static_cast<std::uint32_t>(at - line_start + 1);
        // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error …"
        const std::string_view whole = error.what();
        const std::size_t colon = whole.find(": ");
        const auto reason = colon == std::string_view::npos ? whole : whole.substr(colon + 2);
        throw BadInput(place_, fmt::format("this is no JSON: {}", printable(reason, 300)));
    }

private:
    bool add_number(std::string digits) {
        return add({.kind = Value::Kind::number, .text = std::move(digits)});
    }

    /// What has been read ends with the last character of the present token, or one further: a
    /// number ends where something else begins. Without that character the line is right for both.
    std::size_t consumed() const {
        const auto read = static_cast<std::size_t>(read_to_ - text_.data());
        return read == 0 ? 0 : read - 1;
    }

    std::uint32_t line() {
        const char* const until = text_.data() + consumed();
        if (until > counted_to_) {
            lines_ += static_cast<std::uint32_t>(std::count(counted_to_, until, '\n'));
            counted_to_ = until;
        }
        return lines_;
    }

    Value& place_value(Value&& value) {
        if (++values_ > max_values) refuse(fmt::format("more than {} values", max_values));
        value.line = line();
        if (open_.empty()) return root_ = std::move(value);
        if (open_.back()->kind == Value::Kind::object) value.key = std::move(key_);
        return open_.back()->children.emplace_back(std::move(value));
    }

    bool add(Value&& value) {
        place_value(std::move(value));
        return true;
    }

    bool open(Value::Kind kind) {
        if (open_.size() == max_nesting)
            refuse(fmt::format("lists and objects nested more than {} deep", max_nesting));
        // Stays where it is while it is open: only the innermost container grows.
        open_.push_back(&place_value({.kind = kind}));
        return true;
    }

    void refuse_repeated_keys(const Value& object) {
        std::vector<const Value*> members;
        for (const Value& member : object.children) members.push_back(&member);
        const auto by_key = [](const Value* one, const Value* other) {
            return one->key < other->key;
        };
        std::ranges::stable_sort(members, by_key);
        const auto same = [](const Value* one, const Value* other) {
            return one->key == other->key;
        };
        const auto twice = std::ranges::adjacent_find(members, same);
        if (twice == members.end()) return;
        const Value& second = **std::next(twice);
        place_.line = second.line;
        place_.pointer = pointer_to(second);
        throw BadInput(place_, fmt::format("key '{}' occurs twice, first on line {}",
                                           printable(second.key, 60), (*twice)->line));
    }

    std::string pointer_to(const Value& member) const {
        std::string pointer;
        for (std::size_t level = 1; level < open_.size(); ++level) {
            const Value& parent = *open_[level - 1];
            if (parent.kind == Value::Kind::list) {
                pointer += fmt::format("/{}", parent.children.size() - 1);
            } else {
                pointer += pointer_token(open_[level]->key);
            }
        }
        return pointer + pointer_token(member.key);
    }

    [[noreturn]] void refuse(const std::string& what) {
        place_.line = line();
        throw BadInput(place_, fmt::format("found {}, which no file needs", what));
    }

    std::string_view text_;
    Place place_;
    const char* read_to_;
    const char* counted_to_;
    std::uint32_t lines_ = 1;
    std::size_t values_ = 0;
    std::string key_;
    Value root_;
    std::vector<Value*> open_;
};

}  // namespace

Value parse(std::string_view text, std::string_view file_name) {
    if (text.size() > max_file_bytes)
        throw BadInput({.file = std::string(file_name)},
                       fmt::format("found {} bytes, allowed are {}", text.size(), max_file_bytes));
    return Builder{text, file_name}.build();
}

}  // namespace redeliver::scenarios::json
