#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What to tell somebody whose word is none of the valid ones.
namespace redeliver::scenarios::json {

/// Letters to insert, delete, replace, or swap with their neighbour to turn one word into the
/// other.
std::size_t edit_distance(std::string_view one, std::string_view other);

/// The valid word closest to `word` or begun like it, the first of several; empty when none is
/// close: more than half of it would have to change.
std::string_view nearest(std::string_view word, std::span<const std::string_view> valid);

/// `; nearest is 'claim'; allowed are 'batch', 'claim', …` as far as there is something to say. Of
/// long lists only the beginning.
std::string advice(std::string_view word, std::span<const std::string_view> valid);

}  // namespace redeliver::scenarios::json
