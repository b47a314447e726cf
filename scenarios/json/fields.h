#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/json/limits.h"
#include "scenarios/json/vocabulary.h"
#include "scenarios/json/words.h"
#include "sim/distribution.h"
#include "sim/time.h"

namespace redeliver::scenarios::json {

struct NumberRange {
    std::uint64_t least = 0;
    std::uint64_t most = 0;
};

struct DurationRange {
    sim::Duration least = sim::Duration::zero();
    sim::Duration most = max_duration;
};

/// The members of one JSON object, in their order.
///
/// The structs of a scenario list their members once, by calling these functions for each; who is
/// called decides what that means. A Reader assigns what the object holds and leaves alone what it
/// lacks; a Writer appends the present value; a test collects the keys and words there are.
class Fields {
public:
    using Visit = std::function<void(Fields&)>;

    virtual ~Fields() = default;

    /// A text of `[a-z0-9-]`, at most `max_name` of them: it may become a path.
    virtual void name(std::string_view key, std::string& value) = 0;
    /// A text of `[a-z_]` that begins with a letter, at most `max_actor_name` of them: a node's
    /// name is this, a '-' and a number.
    virtual void actor_name(std::string_view key, std::string& value) = 0;
    /// Any visible text up to so many bytes.
    virtual void prose(std::string_view key, std::string& value, std::size_t most) = 0;
    virtual void one_of(std::string_view key, std::string& value, const Vocabulary& valid) = 0;
    /// A list of different words.
    virtual void several_of(std::string_view key, std::vector<std::string>& values,
                            const Vocabulary& valid) = 0;

    /// A list of visible texts of up to so many bytes each.
    virtual void texts(std::string_view key, std::vector<std::string>& values,
                       std::size_t most) = 0;

    virtual void number(std::string_view key, std::uint64_t& value, NumberRange range) = 0;
    void number(std::string_view key, std::uint32_t& value, NumberRange range);
    /// `[least, most]`, the first not above the second.
    virtual void span(std::string_view key, std::uint32_t& least, std::uint32_t& most,
                      NumberRange range) = 0;
    virtual void duration(std::string_view key, sim::Duration& value, DurationRange range = {}) = 0;
    virtual void distribution(std::string_view key, sim::Distribution& value) = 0;
    /// 16 hexadecimal digits.
    virtual void hash(std::string_view key, std::uint64_t& value) = 0;
    /// A list of 8 hexadecimal digits each.
    virtual void hashes(std::string_view key, std::vector<std::uint32_t>& values) = 0;

    template <class Enum>
    void word(std::string_view key, Enum& value) {
        value = static_cast<Enum>(choose(key, static_cast<std::size_t>(value), words_of(value)));
    }
    /// The number of a word; `current` for an object without the key.
    virtual std::size_t choose(std::string_view key, std::size_t current, Words words) = 0;

    virtual void object(std::string_view key, const Visit& visit) = 0;
    template <class Element, class Each>
    void objects(std::string_view key, std::vector<Element>& values, std::size_t most, Each each) {
        const auto resize = [&](std::size_t count) { values = std::vector<Element>(count); };
        const auto visit = [&](std::size_t index, Fields& in) { each(in, values[index]); };
        list(key, values.size(), most, resize, visit);
    }
    virtual void list(std::string_view key, std::size_t count, std::size_t most,
                      const std::function<void(std::size_t)>& resize,
                      const std::function<void(std::size_t, Fields&)>& visit) = 0;

    /// Whether a member that may be absent is there; `is_there` says so of the present value.
    enum class Presence { absent, present };
    virtual Presence has(std::string_view key, Presence current) = 0;
    /// Which of these keys the object holds: exactly one of them.
    virtual std::size_t alternative(Words keys, std::size_t current) = 0;

    /// Members without a default.
    virtual void require(std::initializer_list<std::string_view> keys) = 0;
    /// The value of this member contradicts another; an empty key blames the object, and
    /// `worker/name` a member of a member.
    virtual void reject(std::string_view key, const std::string& message) = 0;
};

inline void Fields::number(std::string_view key, std::uint32_t& value, NumberRange range) {
    std::uint64_t wide = value;
    number(key, wide, range);
    value = static_cast<std::uint32_t>(wide);
}

}  // namespace redeliver::scenarios::json
