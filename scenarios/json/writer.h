#pragma once

#include "scenarios/json/fields.h"
#include "scenarios/json/value.h"

namespace redeliver::scenarios::json {

/// Appends every member to a JSON object, in the order in which they are named. Judges nothing.
class Writer final : public Fields {
public:
    /// The object so far; what was taken is no longer here.
    Value take() { return std::move(object_); }

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
    Presence has(std::string_view, Presence current) override { return current; }
    std::size_t alternative(Words, std::size_t current) override { return current; }
    void require(std::initializer_list<std::string_view>) override {}
    void reject(std::string_view, const std::string&) override {}

private:
    void add(std::string_view key, Value value);

    Value object_ = object_value();
};

}  // namespace redeliver::scenarios::json
