#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenarios/json/bad_input.h"
#include "scenarios/json/fields.h"
#include "scenarios/json/value.h"

namespace redeliver::scenarios::json {

/// Assigns what a JSON object holds. Throws BadInput at the first value that is not allowed, and in
/// `finish` for keys that nobody asked for or that are missing.
class Reader final : public Fields {
public:
    /// `file` and `value` stay until the reader is gone. `pointer` leads to the value, which throws
    /// if it is no object.
    Reader(const std::string& file, const Value& value, std::string pointer = {});

    void name(std::string_view key, std::string& value) override;
    void actor_name(std::string_view key, std::string& value) override;
    void prose(std::string_view key, std::string& value, std::size_t most) override;
    void one_of(std::string_view key, std::string& value, const Vocabulary& valid) override;
    void several_of(std::string_view key, std::vector<std::string>& values,
                    const Vocabulary& valid) override;
    void texts(std::string_view key, std::vector<std::string>& values, std::size_t most) override;
    using Fields::number;
    void number(std::string_view key, std::uint64_t& value, NumberRange range) override;
    void span(std::string_view key, std::uint32_t& least, std::uint32_t& most,
              NumberRange range) override;
    void duration(std::string_view key, sim::Duration& value, DurationRange range) override;
    void distribution(std::string_view key, sim::Distribution& value) override;
    void hash(std::string_view key, std::uint64_t& value) override;
    void hashes(std::string_view key, std::vector<std::uint32_t>& values) override;
    std::size_t choose(std::string_view key, std::size_t current, Words words) override;
    void object(std::string_view key, const Visit& visit) override;
    void list(std::string_view key, std::size_t count, std::size_t most,
              const std::function<void(std::size_t)>& resize,
              const std::function<void(std::size_t, Fields&)>& visit) override;
    Presence has(std::string_view key, Presence current) override;
    std::size_t alternative(Words keys, std::size_t current) override;
    void require(std::initializer_list<std::string_view> keys) override;
    void reject(std::string_view key, const std::string& message) override;

    /// To be called when every member has been asked for.
    void finish() const;

private:
    /// The member, which from now on is a known key; nullptr when it is absent.
    const Value* take(std::string_view key);
    /// The same; throws when it is there but of another kind.
    const Value* take(std::string_view key, Value::Kind kind, std::string_view wanted);

    /// A key that is almost one of these tells more than that all of them are missing.
    void refuse_misspelt(Words keys) const;
    std::string pointer_to(std::string_view key) const;
    [[noreturn]] void fail(const Value& value, std::string pointer,
                           const std::string& message) const;

    const std::string* file_;
    const Value* object_;
    std::string pointer_;
    std::vector<std::string_view> known_;
    std::vector<std::string_view> required_;
};

}  // namespace redeliver::scenarios::json
