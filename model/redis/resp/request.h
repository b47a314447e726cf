#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "model/redis/commands.h"
#include "model/redis/configuration.h"
#include "model/redis/entry_id.h"
#include "model/redis/resp/request_reader.h"

namespace redeliver::model::redis::resp {

/// Texts that many commands share.
inline constexpr std::string_view syntax_error = "ERR syntax error";
inline constexpr std::string_view not_an_integer = "ERR value is not an integer or out of range";
inline constexpr std::string_view invalid_id =
    "ERR Invalid stream ID specified as stream command argument";

/// Words as C strings, as most of the server's own comparisons take them: they end at the first
/// null byte, and case does not matter.
std::string_view until_null(std::string_view word);
bool is_same_word(std::string_view word, std::string_view other);

/// The words of one request as a reader of a command looks at them. Whatever a word cannot be read
/// as ends the reading with a Flaw, which read_command turns into a Flawed command.
class Request {
public:
    /// What `refuse` throws.
    struct Flaw {
        std::string error;
    };

    /// A Flawed::Lookup by the places of its words, so that a sound request copies none.
    struct Lookup {
        std::size_t key = 1;
        Flawed::Lookup::IfMissing if_missing = Flawed::Lookup::IfMissing::go_on;
        std::optional<std::size_t> group = {};
        Flawed::Lookup::Type type = Flawed::Lookup::Type::stream;
    };

    Request(const Words& words, Configuration::Version version)
        : words_(words), version_(version) {}

    std::size_t size() const { return words_.size(); }
    const std::string& word(std::size_t index) const { return words_[index]; }
    Configuration::Version version() const { return version_; }
    /// How many words come after this one.
    std::size_t more(std::size_t index) const { return words_.size() - 1 - index; }
    /// Whether the word is this option, in whatever case.
    bool is(std::size_t index, std::string_view option) const {
        return is_same_word(words_[index], option);
    }
    /// Whether the word is exactly this, as strcmp() has it.
    bool is_exactly(std::size_t index, std::string_view text) const {
        return until_null(words_[index]) == text;
    }
    std::vector<std::string> words_from(std::size_t index) const;

    /// A 64 bit integer in the one way the server writes it: no blank, no plus, no leading zero.
    std::int64_t integer(std::size_t index, std::string_view otherwise = not_an_integer) const;
    std::int64_t integer_between(std::size_t index, std::int64_t least, std::int64_t greatest,
                                 std::string_view otherwise) const;

    /// An entry id, neither `-` nor `+`.
    EntryId id(std::size_t index, std::uint64_t missing_seq = 0) const;
    bool is_id(std::size_t index) const;
    Ids ids_from(std::size_t index) const;
    /// An id, `-` or `+`.
    EntryId loose_id(std::size_t index, std::uint64_t missing_seq) const;
    /// Ends of an interval, `(` before an id excluding it.
    Bound start(std::size_t index) const;
    Bound end(std::size_t index) const;

    /// The server looks this up before it reads on: a later flaw is told only after that.
    void looks_up(Lookup lookup) { lookups_.push_back(lookup); }
    std::vector<Flawed::Lookup> lookups() const;

    [[noreturn]] void refuse(std::string_view error) const;
    /// "unknown subcommand or wrong number of arguments for ..."
    [[noreturn]] void refuse_subcommand() const;

private:
    Bound bound(std::size_t index, std::uint64_t missing_seq) const;

    const Words& words_;
    Configuration::Version version_;
    boost::container::small_vector<Lookup, 2> lookups_;
};

}  // namespace redeliver::model::redis::resp
