#pragma once

#include <compare>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "sim/ensure.h"

namespace redeliver::model::database {

/// What a condition can come to in SQL, where a comparison with null is neither true nor false.
enum class Truth : std::uint8_t { no, yes, unknown };

/// One field of a row: null, a whole number of 64 bits, or a text.
///
/// Texts of up to 22 bytes live inside the value, so that ids and keys cost no allocation. Texts
/// are bytes: two are equal, and one is less, as memcmp() says (PostgreSQL's collation "C").
class Value {
public:
    enum class Kind : std::uint8_t { null, integer, text };

    /// Longest text that needs no allocation, in bytes.
    static constexpr std::size_t inline_capacity = 22;

    Value() noexcept = default;
    Value(std::nullptr_t) noexcept {}
    template <std::integral Number>
    requires(!std::same_as<Number, bool>) Value(Number number)
    noexcept { set_integer(static_cast<std::int64_t>(number)); }
    /// Enumerations are stored as their number.
    template <typename Enumeration>
    requires std::is_enum_v<Enumeration> Value(Enumeration constant)
    noexcept { set_integer(static_cast<std::int64_t>(constant)); }
    Value(std::string_view text);
    Value(const char* text) : Value(std::string_view(text)) {}
    Value(const std::string& text) : Value(std::string_view(text)) {}

    Value(const Value& other) : storage_(other.storage_) {
        if (storage_.form == Form::large) [[unlikely]]
            clone_large();
    }
    Value(Value&& other) noexcept : storage_(other.storage_) { other.storage_.form = Form::null; }
    Value& operator=(const Value& other) {
        if (this == &other) return *this;
        release();
        storage_ = other.storage_;
        if (storage_.form == Form::large) [[unlikely]]
            clone_large();
        return *this;
    }
    Value& operator=(Value&& other) noexcept {
        if (this == &other) return *this;
        release();
        storage_ = other.storage_;
        other.storage_.form = Form::null;
        return *this;
    }
    ~Value() { release(); }

    friend void swap(Value& left, Value& right) noexcept {
        std::swap(left.storage_, right.storage_);
    }

    Kind kind() const noexcept {
        if (storage_.form == Form::null) return Kind::null;
        return storage_.form == Form::integer ? Kind::integer : Kind::text;
    }
    bool is_null() const noexcept { return storage_.form == Form::null; }
    bool is_integer() const noexcept { return storage_.form == Form::integer; }
    bool is_text() const noexcept { return storage_.form >= Form::small; }

    /// The number of a value known to be an integer; another kind is a harness error.
    std::int64_t integer() const {
        sim::ensure(is_integer(), "the value is an integer");
        return raw_integer();
    }
    /// The bytes of a value known to be a text, valid while the value is; another kind is a harness
    /// error.
    std::string_view text() const;

    /// Sameness, not SQL: null equals null, and values of different kinds differ.
    friend bool operator==(const Value& left, const Value& right) noexcept {
        if (left.is_integer() && right.is_integer())
            return left.raw_integer() == right.raw_integer();
        if (left.is_text() && right.is_text()) return left.raw_text() == right.raw_text();
        return left.is_null() && right.is_null();
    }

private:
    enum class Form : std::uint8_t { null, integer, small, large };
    struct Large {
        char* bytes;
        std::uint64_t size;
    };
    struct alignas(8) Storage {
        char bytes[inline_capacity];
        std::uint8_t size;
        Form form;
    };

    void set_integer(std::int64_t number) noexcept {
        std::memcpy(storage_.bytes, &number, sizeof number);
        storage_.form = Form::integer;
    }
    std::int64_t raw_integer() const noexcept {
        std::int64_t number;
        std::memcpy(&number, storage_.bytes, sizeof number);
        return number;
    }
    Large large() const noexcept {
        Large found;
        std::memcpy(&found, storage_.bytes, sizeof found);
        return found;
    }
    std::string_view raw_text() const noexcept {
        if (storage_.form == Form::small) return {storage_.bytes, storage_.size};
        const Large found = large();
        return {found.bytes, found.size};
    }
    void set_large(std::string_view text);
    void clone_large();
    void release() noexcept {
        if (storage_.form == Form::large) [[unlikely]]
            delete[] large().bytes;
    }

    Storage storage_{.bytes = {}, .size = 0, .form = Form::null};
};

static_assert(sizeof(Value) == 24, "rows are arrays of values, so their size is what a scan costs");

/// SQL's `left = right`: unknown when either is null. Comparing a number with a text is a harness
/// error, for PostgreSQL would refuse the statement.
Truth equals(const Value& left, const Value& right);

/// SQL's `left < right`, unknown when either is null.
Truth less_than(const Value& left, const Value& right);

/// The order of ORDER BY … ASC: nulls come last.
/// Source: postgresql.org/docs/15/queries-order.html.
std::strong_ordering in_sort_order(const Value& left, const Value& right);

/// For people: `null`, `42`, `'text'`; bytes that could harm a terminal are written as \xNN.
std::string describe(const Value& value);

}  // namespace redeliver::model::database
