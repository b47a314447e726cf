#include "model/redis/resp/request.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "model/redis/resp/integer.h"

namespace redeliver::model::redis::resp {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

}  // namespace

std::string_view until_null(std::string_view word) { return word.substr(0, word.find('\0')); }

bool is_same_word(std::string_view word, std::string_view other) {
    const std::string_view text = until_null(word);
    return std::equal(text.begin(), text.end(), other.begin(), other.end(),
                      [](char one, char two) { return lower(one) == lower(two); });
}

std::vector<std::string> Request::words_from(std::size_t index) const {
    return {words_.begin() + static_cast<std::ptrdiff_t>(index), words_.end()};
}

std::int64_t Request::integer(std::size_t index, std::string_view otherwise) const {
    const auto value = read_integer(words_[index]);
    if (!value) refuse(otherwise);
    return *value;
}

std::int64_t Request::integer_between(std::size_t index, std::int64_t least, std::int64_t greatest,
                                      std::string_view otherwise) const {
    const std::int64_t value = integer(index, otherwise);
    if (value < least || value > greatest) refuse(otherwise);
    return value;
}

EntryId Request::id(std::size_t index, std::uint64_t missing_seq) const {
    const auto id = parse_entry_id(words_[index], missing_seq);
    if (!id) refuse(invalid_id);
    return *id;
}

bool Request::is_id(std::size_t index) const {
    return parse_entry_id(words_[index], 0).has_value();
}

Ids Request::ids_from(std::size_t index) const {
    Ids ids;
    ids.reserve(words_.size() - index);
    for (std::size_t i = index; i < words_.size(); ++i) ids.push_back(id(i));
    return ids;
}

EntryId Request::loose_id(std::size_t index, std::uint64_t missing_seq) const {
    if (is_exactly(index, "-")) return min_entry_id;
    if (is_exactly(index, "+")) return max_entry_id;
    return id(index, missing_seq);
}

Bound Request::bound(std::size_t index, std::uint64_t missing_seq) const {
    const std::string_view word = words_[index];
    if (word.size() < 2 || word.front() != '(') return {.id = loose_id(index, missing_seq)};
    const auto id = parse_entry_id(word.substr(1), missing_seq);
    if (!id) refuse(invalid_id);
    return {.id = *id, .edge = Bound::Edge::exclusive};
}

Bound Request::start(std::size_t index) const {
    const Bound start = bound(index, 0);
    if (start.edge == Bound::Edge::exclusive && start.id == max_entry_id)
        refuse("ERR invalid start ID for the interval");
    return start;
}

Bound Request::end(std::size_t index) const {
    const Bound end = bound(index, std::numeric_limits<std::uint64_t>::max());
    if (end.edge == Bound::Edge::exclusive && end.id == min_entry_id)
        refuse("ERR invalid end ID for the interval");
    return end;
}

std::vector<Flawed::Lookup> Request::lookups() const {
    std::vector<Flawed::Lookup> lookups;
    for (const Lookup& lookup : lookups_) {
        lookups.push_back(
            {.key = word(lookup.key), .if_missing = lookup.if_missing, .type = lookup.type});
        if (lookup.group) lookups.back().group = word(*lookup.group);
    }
    return lookups;
}

void Request::refuse(std::string_view error) const { throw Flaw{std::string(error)}; }

void Request::refuse_subcommand() const {
    std::string container = words_[0];
    std::transform(container.begin(), container.end(), container.begin(), upper);
    const bool is_6_2 = version_ < Configuration::Version::v7_0;
    const std::string_view subcommand = until_null(words_[1]);
    refuse(
        fmt::format("ERR {}nknown subcommand or wrong number of arguments for '{}'. Try {} HELP.",
                    is_6_2 ? 'U' : 'u', is_6_2 ? subcommand : subcommand.substr(0, 128),
                    until_null(container)));
}

}  // namespace redeliver::model::redis::resp
