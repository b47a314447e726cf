// A Mermaid sequence diagram. Source of what breaks it: mermaid-js/mermaid,
// packages/mermaid/src/docs/syntax/sequenceDiagram.md and diagrams/sequence/parser.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "reports/exports.h"
#include "reports/sequence.h"
#include "reports/words.h"
#include "scenarios/json/printable.h"

namespace redeliver::reports {

namespace {

using Fate = TraceMessage::Fate;
using Way = TraceMessage::Way;

/// What Mermaid draws unless told otherwise (maxTextSize).
constexpr std::size_t most_characters = 50'000;
constexpr std::size_t longest_text = 240;

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

/// Everything but letters, digits, a few harmless signs and what is not ASCII becomes an entity;
/// so does the first letter of the word `end`, which would close a block.
std::string escaped(std::string_view stranger) {
    const std::string text = scenarios::printable(stranger, longest_text);
    std::string safe;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char each = text[at];
        const bool is_word_start = at == 0 || !is_letter(text[at - 1]);
        const bool is_end = is_word_start && (each == 'e' || each == 'E') &&
                            (text[at + 1] == 'n' || text[at + 1] == 'N') &&
                            (text[at + 2] == 'd' || text[at + 2] == 'D') &&
                            (at + 3 == text.size() || !is_letter(text[at + 3]));
        const bool is_plain = is_letter(each) || static_cast<unsigned char>(each) >= 0x80 ||
                              std::string_view(" .,_-/()'").find(each) != std::string_view::npos;
        if (is_plain && !is_end) {
            safe += each;
        } else {
            safe += fmt::format("#{};", static_cast<int>(each));
        }
    }
    return safe;
}

std::string_view arrow_of(const TraceMessage& message) {
    const bool is_request = message.way == Way::request;
    switch (message.fate) {
    case Fate::arrived: return is_request ? "->>" : "-->>";
    case Fate::lost: return is_request ? "-x" : "--x";
    case Fate::unknown: return is_request ? "-)" : "--)";
    }
    return "";
}

/// Rows as lines of Mermaid, and the choice of those that fit.
class Diagram {
public:
    explicit Diagram(const Trace& trace) : trace_(trace), sequence_(trace) {
        for (const std::string& lane : lanes_of(trace))
            ids_.emplace(lane, fmt::format("n{}", participants_.size() + 1)),
                participants_.push_back(lane);
        for (const SequenceRow& row : sequence_.rows) lines_.push_back(lines_for(row));
    }

    std::string render() const {
        const auto [first, last] = fitting();
        std::string text = "sequenceDiagram\n" + heading(first, last);
        for (const std::string& lane : participants_) text += participant(lane);
        const bool is_cut = last - first < lines_.size();
        if (is_cut && !participants_.empty())
            text += over_all(fmt::format("showing {}", extent(first, last)));
        bool is_healed = false;
        for (std::size_t row = first; row < last; ++row) {
            text += lines_[row];
            if (!is_healed && sequence_.rows[row].step->kind == "Healed") {
                text += "    rect rgb(232, 245, 233)\n";
                is_healed = true;
            }
        }
        // A block may not be empty.
        if (is_healed)
            text += (participants_.empty() ? "" : over_all("nothing is broken any more")) +
                    std::string("    end\n");
        return text;
    }

private:
    std::string participant(const std::string& lane) const {
        return fmt::format("    participant {} as {}\n", ids_.at(lane), escaped(lane));
    }

    /// `text` is ours, or escaped.
    std::string over_all(const std::string& text) const {
        return fmt::format("    Note over {},{}: {}\n", ids_.at(participants_.front()),
                           ids_.at(participants_.back()), text);
    }

    std::string lines_for(const SequenceRow& row) const {
        if (row.message != nullptr) {
            const TraceMessage& message = *row.message;
            return fmt::format("    {}{}{}: {}\n", id(message.from), arrow_of(message),
                               id(message.to), escaped(message_text(message)));
        }
        if (participants_.empty()) return "";
        const std::string time = moment(sim::at(sim::Duration{row.step->at_us}));
        std::string text = note(*row.step, time + " " + escaped(note_text(trace_, row)));
        for (const TracePromise* const promise : row.broken)
            text +=
                note(*row.step, fmt::format("BREAKS {}, {}", escaped(promise->name),
                                            escaped(promise->subject + " " + promise->evidence)));
        return text;
    }

    std::string note(const TraceStep& step, const std::string& text) const {
        const auto place = ids_.find(std::string(place_of(trace_, step)));
        if (place == ids_.end()) return over_all(text);
        return fmt::format("    Note over {}: {}\n", place->second, text);
    }

    std::string id(const std::string& lane) const {
        const auto found = ids_.find(lane);
        return found == ids_.end() ? "n1" : found->second;
    }

    /// `steps 4,100–4,600 of 12,000`
    std::string extent(std::size_t first, std::size_t last) const {
        const auto number = [&](std::size_t row) {
            return grouped(sequence_.rows[row].step->number);
        };
        if (first == last) return fmt::format("no steps of {}", grouped(trace_.steps.size()));
        return fmt::format("steps {}–{} of {}", number(first), number(last - 1),
                           grouped(trace_.steps.size()));
    }

    std::string heading(std::size_t first, std::size_t last) const {
        const SequenceCounts all = counts_of(trace_, sequence_);
        const SequenceCounts here =
            counts_of(std::span(sequence_.rows).subspan(first, last - first));
        std::string text = fmt::format("    %% {}, seed {}\n", escaped(trace_.story), trace_.seed);
        text += fmt::format("    %% showing {}\n",
                            last - first == lines_.size()
                                ? fmt::format("all {} steps", trace_.steps.size())
                                : extent(first, last));
        text += fmt::format(
            "    %% messages {} of {}, lost {} of {}, faults {} of {}, crashes {} of {}\n",
            here.messages, all.messages, here.lost, all.lost, here.faults, all.faults, here.crashes,
            all.crashes);
        if (sequence_.drawn < all.messages)
            text += fmt::format("    %% left out are {} that are polls and brought nothing\n",
                                counted(all.messages - sequence_.drawn, "message"));
        return text;
    }

    /// As many rows round the heart as there is room for, two before it for each one after it.
    std::pair<std::size_t, std::size_t> fitting() const {
        std::size_t room = most_characters - 2'000;
        for (const std::string& lane : participants_)
            room -= std::min(room, participant(lane).size());
        const auto heart = std::ranges::find_if(sequence_.rows, [&](const SequenceRow& row) {
            return row.step->number >= heart_of(trace_);
        });
        auto first = static_cast<std::size_t>(heart - sequence_.rows.begin());
        std::size_t last = first;
        const auto take = [&](std::size_t row) {
            if (lines_[row].size() > room) return false;
            room -= lines_[row].size();
            return true;
        };
        for (std::size_t turn = 0; first > 0 || last < lines_.size(); ++turn) {
            const bool is_forward = first == 0 || (last < lines_.size() && turn % 3 == 0);
            if (!take(is_forward ? last : first - 1)) break;
            if (is_forward) {
                ++last;
            } else {
                --first;
            }
        }
        return {first, last};
    }

    const Trace& trace_;
    Sequence sequence_;
    std::vector<std::string> participants_;
    std::map<std::string, std::string> ids_;
    std::vector<std::string> lines_;
};

}  // namespace

std::string mermaid(const Trace& trace) { return Diagram(trace).render(); }

}  // namespace redeliver::reports
