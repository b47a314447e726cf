#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace redeliver::sim {

/// A node of the world, in order of creation.
enum class NodeId : std::uint16_t { none = 0xffff };

/// A text interned in one world: a consumer name, a reason. Numbers follow first use.
enum class Name : std::uint32_t { none = 0 };

/// What an operation or a step is about: a numbered thing such as `run-6`, or a node.
///
/// The upper 8 bits are the series, the lower 24 the number in it, so that naming the six millionth
/// run costs no table and its number depends on nothing else in the plan.
enum class Subject : std::uint32_t { none = 0 };

inline constexpr unsigned subject_number_bits = 24;
inline constexpr std::uint32_t max_subject_number = (1u << subject_number_bits) - 1;

/// Series 0 is nobody, series 1 the nodes; the rest belong to whoever configures the world.
inline constexpr std::uint32_t node_series = 1;
inline constexpr std::uint32_t first_free_series = 2;

constexpr Subject subject_of(std::uint32_t series, std::uint32_t number) {
    return Subject{(series << subject_number_bits) | number};
}
constexpr Subject subject_of(NodeId node) {
    return subject_of(node_series, static_cast<std::uint32_t>(node));
}
constexpr std::uint32_t series_of(Subject subject) {
    return static_cast<std::uint32_t>(subject) >> subject_number_bits;
}
constexpr std::uint32_t number_of(Subject subject) {
    return static_cast<std::uint32_t>(subject) & max_subject_number;
}

/// How the members of a series are written: prefix, number, suffix (`run-6`, `run-6b`).
struct Series {
    std::string prefix;
    std::string suffix = {};
};

/// Texts interned in order of first use.
class Names {
public:
    Name intern(std::string_view text);
    /// The text behind a name of this world; empty for `Name::none`.
    std::string_view text(Name name) const;
    std::size_t size() const { return texts_.size(); }

private:
    std::map<std::string, Name, std::less<>> by_text_;
    std::vector<const std::string*> texts_;
};

/// `run-6` for a member of a series; nothing when the series is unknown or the subject is a node.
std::optional<std::string> subject_text(const std::vector<Series>& series, Subject subject);

/// The member of a series that is written like this, if any.
std::optional<Subject> parse_subject(const std::vector<Series>& series, std::string_view text);

}  // namespace redeliver::sim
