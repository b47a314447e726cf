#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "tests/conformance/duel.h"
#include "tests/conformance/words.h"

namespace redeliver::conformance {

/// What was asked, by which options, and what came of it.
///
/// A command is its name in capitals, with the subcommand of a container. Its options are those
/// words of it that decide how it works ("MAXLEN~", "BLOCK", ">"), or "-" when it has none. The
/// outcome is the kind of the reply: ok, queued, 0, n, value, empty, nil, or the code of the error;
/// "waited: " before it means that the reply came later.
struct Cell {
    std::string command;
    std::string option;
    std::string outcome;
    friend auto operator<=>(const Cell&, const Cell&) = default;
};

/// A command's full name: "XADD", "XGROUP CREATE".
std::string name_of(const Words& words);
std::vector<std::string> options_of(const Words& words);
std::string outcome_of(std::string_view reply, bool waited);
/// The words of an error without what it quotes from the command; empty for any other reply.
std::string error_text(std::string_view reply);

/// Counts what two servers agreed on.
class Coverage {
public:
    void command(const Words& words, bool meets_pending);
    void answered(const Words& request, std::string_view reply, bool waited);

    std::uint64_t commands() const { return commands_; }
    /// In hundredths.
    std::uint64_t percent_meeting_pending() const;

    const std::map<Cell, std::uint64_t>& cells() const { return cells_; }
    const std::map<std::string, std::uint64_t>& error_texts() const { return error_texts_; }

    /// By command: how often, and every option with its outcomes.
    nlohmann::json as_json() const;
    std::string as_table() const;

private:
    std::uint64_t commands_ = 0;
    std::uint64_t commands_meeting_pending_ = 0;
    std::map<std::string, std::uint64_t> by_command_;
    std::map<Cell, std::uint64_t> cells_;
    std::map<std::string, std::uint64_t> error_texts_;
};

/// What a run has to have met: the one table of it, read from `cells.txt`.
class DeclaredCells {
public:
    /// Throws std::runtime_error for a line that is neither a cell nor an error text.
    explicit DeclaredCells(std::string_view text);

    std::size_t size() const { return cells_.size() + error_texts_.size(); }
    /// Declared and never met.
    std::vector<std::string> missing_from(const Coverage& coverage) const;

    /// A table that declares what was met at least so often.
    static std::string text_of(const Coverage& coverage, std::uint64_t at_least);

private:
    std::set<Cell> cells_;
    std::set<std::string> error_texts_;
};

}  // namespace redeliver::conformance
