// A space-time chart for a terminal: a column for each node, time downward, ASCII throughout.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "reports/exports.h"
#include "reports/look.h"
#include "reports/sequence.h"
#include "reports/text_width.h"
#include "reports/words.h"
#include "scenarios/json/printable.h"

namespace redeliver::reports {

namespace {

using Fate = TraceMessage::Fate;
using Way = TraceMessage::Way;

constexpr std::size_t widest = 120;
constexpr std::size_t time_width = 10;
constexpr std::size_t narrowest_text = 40;
constexpr std::size_t narrowest_lane = 3;
constexpr std::size_t widest_lane = 11;
constexpr std::size_t most_lanes = (widest - time_width - narrowest_text) / narrowest_lane;

/// What is not ASCII as escapes, so that every byte is a column.
std::string ascii_text(std::string_view stranger) {
    std::string text;
    for (const char each : scenarios::printable(stranger)) {
        if (static_cast<unsigned char>(each) < 0x80) {
            text += each;
        } else {
            text += fmt::format("\\x{:02x}", static_cast<unsigned char>(each));
        }
    }
    return text;
}

/// Lines of at most `width`, of words where that can be.
std::vector<std::string> lines_of(const std::string& text, std::size_t width) {
    std::vector<std::string> lines;
    for (std::string& line : wrapped(text, width)) {
        for (; line.size() > width; line.erase(0, width)) lines.push_back(line.substr(0, width));
        lines.push_back(std::move(line));
    }
    if (lines.empty()) lines.emplace_back();
    return lines;
}

std::string without_trailing_blanks(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    return line + "\n";
}

char mark_of(const SequenceRow& row) {
    static const std::map<std::string_view, Mark> marks = {
        {"crash", Mark::crash},       {"restart", Mark::restart}, {"pause", Mark::pause},
        {"resume", Mark::resume},     {"lost", Mark::lost},       {"partition", Mark::partition},
        {"heal", Mark::heal},         {"claim", Mark::claim},     {"stored", Mark::stored},
        {"absorbed", Mark::absorbed}, {"forgot", Mark::forgot},   {"set_aside", Mark::set_aside}};
    if (!row.broken.empty()) return glyph(Mark::broken, Charset::ascii).front();
    const auto found = marks.find(row.step->mark);
    return found == marks.end() ? '@' : glyph(found->second, Charset::ascii).front();
}

/// A name short enough for a lane: `w2` for `worker-2`.
std::string short_name(std::string_view name, std::size_t width, std::set<std::string>& taken) {
    std::string base = ascii_text(name);
    if (base.size() > width) {
        const std::size_t digits = base.find_last_not_of("0123456789") + 1;
        base = base.substr(0, 1) + base.substr(digits);
        if (base.size() > width) base = base.substr(0, width);
    }
    std::string unique = base;
    for (int number = 1; !taken.insert(unique).second; ++number) unique = fmt::format("{}", number);
    return unique;
}

class Chart {
public:
    explicit Chart(const Trace& trace) : trace_(trace), sequence_(trace), lanes_(lanes_of(trace)) {
        if (lanes_.size() > most_lanes) {
            unseen_ = lanes_.size() - most_lanes;
            lanes_.resize(most_lanes);
        }
        const std::size_t room = widest - time_width - narrowest_text;
        lane_width_ =
            std::clamp(room / std::max<std::size_t>(lanes_.size(), 1), narrowest_lane, widest_lane);
        text_width_ = widest - time_width - lane_width_ * lanes_.size();
        for (std::size_t lane = 0; lane < lanes_.size(); ++lane) place_.emplace(lanes_[lane], lane);
        state_.assign(lanes_.size(), '|');
    }

    std::string render() {
        std::string text = heading();
        text += head_line();
        std::size_t next = 0;
        for (const TraceStep& step : trace_.steps) {
            for (; next < sequence_.rows.size() && sequence_.rows[next].step == &step; ++next)
                text += render(sequence_.rows[next]);
            follow(step);
        }
        return text + verdicts();
    }

private:
    std::string heading() {
        const SequenceCounts all = counts_of(trace_, sequence_);
        std::string text =
            paragraph(ascii_text(trace_.story) + fmt::format(", seed {}", trace_.seed));
        text += paragraph(ascii_text(trace_.sentence));
        text += paragraph(fmt::format(
            "Drawn are {} of {} (the others are polls that brought nothing), {} lost; {}, {}; {} "
            "in "
            "all.",
            grouped(sequence_.drawn), counted(all.messages, "message"),
            grouped(counts_of(sequence_.rows).lost), counted(all.faults, "fault"),
            counted(all.crashes, "crash", "crashes"), counted(trace_.steps.size(), "step")));
        if (unseen_ > 0)
            text += paragraph(fmt::format("{} without a column.", counted(unseen_, "node")));
        text += paragraph(
            "---> request  ...> answer  x lost  ? unknown  | up  H at work  : paused  blank down; "
            "! crash  ^ restart  = pause  % claim  * promise broken  o stored  . absorbed  d dead "
            "letter  < forgotten  + heal  # network or clock  @ any other step");
        return text;
    }

    static std::string paragraph(const std::string& text) {
        std::string paragraph;
        for (const std::string& line : lines_of(text, widest)) paragraph += line + "\n";
        return paragraph;
    }

    std::string head_line() const {
        std::set<std::string> taken;
        std::string line = right_aligned("time", time_width - 1) + " ";
        std::string legend;
        for (const std::string& lane : lanes_) {
            const std::string name = short_name(lane, lane_width_ - 1, taken);
            const std::size_t before = (lane_width_ - std::min(name.size(), lane_width_)) / 2;
            line += padded(std::string(before, ' ') + name, lane_width_);
            if (name != lane)
                legend +=
                    fmt::format("{}{} {}", legend.empty() ? "" : ", ", name, ascii_text(lane));
        }
        return (legend.empty() ? "" : paragraph(legend)) + "\n" + without_trailing_blanks(line);
    }

    std::size_t column(std::size_t lane) const { return lane * lane_width_ + lane_width_ / 2; }

    std::string idle_lanes() const {
        std::string lanes(lane_width_ * lanes_.size(), ' ');
        for (std::size_t lane = 0; lane < lanes_.size(); ++lane) lanes[column(lane)] = state_[lane];
        return lanes;
    }

    std::string render(const SequenceRow& row) const {
        if (row.message != nullptr)
            return lines(row, arrow_over(*row.message), arrow_text(*row.message));
        std::string lanes = idle_lanes();
        if (const auto place = place_.find(place_of(trace_, *row.step)); place != place_.end())
            lanes[column(place->second)] = mark_of(row);
        std::string text = ascii_text(note_text(trace_, row));
        if (place_of(trace_, *row.step).empty()) text = std::string(1, mark_of(row)) + " " + text;
        for (const TracePromise* const promise : row.broken)
            text += ascii_text(fmt::format("; BREAKS {}, {} {}", promise->name, promise->subject,
                                           promise->evidence));
        return lines(row, lanes, text);
    }

    std::string lines(const SequenceRow& row, const std::string& lanes,
                      const std::string& text) const {
        const std::string time = moment(sim::at(sim::Duration{row.step->at_us}));
        std::string rendered;
        for (const std::string& line : lines_of(text, text_width_)) {
            const bool is_first = rendered.empty();
            rendered +=
                without_trailing_blanks(right_aligned(is_first ? time : "", time_width - 1) + " " +
                                        (is_first ? lanes : idle_lanes()) + line);
        }
        return rendered;
    }

    std::string arrow_over(const TraceMessage& message) const {
        std::string lanes = idle_lanes();
        const auto from = place_.find(message.from);
        const auto to = place_.find(message.to);
        if (from == place_.end() || to == place_.end() || from == to) return lanes;
        const auto start = static_cast<std::ptrdiff_t>(column(from->second));
        const auto end = static_cast<std::ptrdiff_t>(column(to->second));
        const std::ptrdiff_t step = end > start ? 1 : -1;
        // What did not arrive ends part-way.
        const std::ptrdiff_t tip =
            message.fate == Fate::arrived ? end - step : start + (end - start) * 2 / 3;
        const char shaft = message.way == Way::request ? '-' : '.';
        for (std::ptrdiff_t at = start + step; at != tip; at += step)
            lanes[static_cast<std::size_t>(at)] = shaft;
        lanes[static_cast<std::size_t>(tip)] = tip_of(message, step > 0);
        return lanes;
    }

    static char tip_of(const TraceMessage& message, bool is_rightward) {
        if (message.fate == Fate::lost) return 'x';
        if (message.fate == Fate::unknown) return '?';
        return is_rightward ? '>' : '<';
    }

    static std::string arrow_text(const TraceMessage& message) {
        std::string text = ascii_text(message_text(message));
        if (message.way == Way::answer) text += " answered";
        if (message.fate == Fate::lost) text += ", lost";
        return text;
    }

    /// From the next row on.
    void follow(const TraceStep& step) {
        const auto place = place_.find(step.actor);
        if (place == place_.end()) return;
        char& state = state_[place->second];
        if (step.kind == "Crashed") state = ' ';
        if (step.kind == "Restarted" || step.kind == "WorkFinished") state = '|';
        if (step.kind == "WorkStarted") state = 'H';
        if (step.kind == "Paused") {
            before_pause_[place->second] = state;
            state = ':';
        }
        if (step.kind == "Resumed" && state == ':') state = before_pause_[place->second];
    }

    std::string verdicts() const {
        std::string text = "\n";
        for (const TracePromise& promise : trace_.promises)
            if (promise.verdict == "violated")
                text += paragraph(
                    ascii_text(fmt::format("broke {} at {}, step {}: {} {}", promise.name,
                                           moment(sim::at(sim::Duration{promise.at_us})),
                                           promise.step, promise.subject, promise.evidence)));
        return text + paragraph(ascii_text(fmt::format("outcome {}", trace_.outcome)));
    }

    const Trace& trace_;
    Sequence sequence_;
    std::vector<std::string> lanes_;
    std::size_t unseen_ = 0;
    std::size_t lane_width_ = 0;
    std::size_t text_width_ = 0;
    std::map<std::string, std::size_t, std::less<>> place_;
    std::string state_;
    std::map<std::size_t, char> before_pause_;
};

}  // namespace

std::string ascii(const Trace& trace) { return Chart(trace).render(); }

}  // namespace redeliver::reports
