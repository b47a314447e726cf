#include "reports/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "model/steps.h"
#include "reports/columns.h"
#include "reports/describe.h"
#include "reports/polls.h"
#include "reports/why.h"
#include "reports/words.h"

namespace redeliver::reports {

namespace {

/// Waits that are longer are explained by the polls they consisted of.
constexpr sim::Duration notable_wait = std::chrono::seconds{1};

/// The promises that broke, by the step at which they did; of what is owed that is the last one.
std::map<sim::StepNumber, std::string> breaches(
    const scenarios::Recording& recording, const std::vector<scenarios::PromiseVerdict>& verdicts) {
    std::map<sim::StepNumber, std::string> broken;
    const auto last = static_cast<sim::StepNumber>(recording.steps.size());
    for (const auto& [name, verdict] : verdicts) {
        if (verdict.holds != properties::Holds::violated) continue;
        const bool is_owed = verdict.breach == properties::Breach::owed;
        std::string& names = broken[is_owed ? last : verdict.step];
        names.append(names.empty() ? "breaks " : ", ").append(name);
    }
    return broken;
}

class Timeline {
public:
    Timeline(const scenarios::Recording& recording,
             const std::vector<scenarios::PromiseVerdict>& verdicts, Detail detail,
             const Look& look)
        : recording_(recording),
          broken_(breaches(recording, verdicts)),
          detail_(detail),
          look_(look) {
        for (const auto& [name, verdict] : verdicts)
            for (const sim::StepNumber step : why(recording, verdict)) telling_.insert(step);
    }

    std::string render() {
        add_heading();
        for (const sim::Step& step : recording_.steps) {
            polls_.observe(step);
            if (!shows(step)) continue;
            if (detail_ == Detail::biography) add_wait(step);
            add(step);
        }
        return columns_.render(look_);
    }

private:
    bool shows(const sim::Step& step) const {
        return detail_ == Detail::every_step || is_shown(recording_, step) ||
               telling_.contains(step.number) || broken_.contains(step.number);
    }

    void add_heading() {
        const Tone faint = Tone::faint;
        columns_.add({{"step", faint},
                      {"time", faint},
                      {"who", faint},
                      {""},
                      {"what", faint},
                      {"about", faint},
                      {"how", faint}});
    }

    void add_wait(const sim::Step& step) {
        const std::uint64_t polls = polls_.take_idle();
        const sim::Duration waited = step.at - shown_at_;
        shown_at_ = step.at;
        if (polls == 0 || waited < notable_wait) return;
        columns_.add({{""},
                      {std::string(ellipsis(look_.charset)), Tone::faint},
                      {fmt::format("{} in {}", counted(polls, "idle poll"),
                                   length(std::chrono::floor<std::chrono::milliseconds>(waited))),
                       Tone::faint}});
    }

    void add(const sim::Step& step) {
        Line line = describe(recording_, step);
        Tone tone = Tone::plain;
        if (const auto broken = broken_.find(step.number); broken != broken_.end()) {
            line.mark = Mark::broken;
            line.detail += "; " + broken->second;
            tone = Tone::bad;
        }
        const auto precision =
            detail_ == Detail::every_step ? Precision::microseconds : Precision::milliseconds;
        const bool is_plumbing = !is_shown(recording_, step) && tone == Tone::plain;
        const Tone quiet = is_plumbing ? Tone::faint : tone;
        columns_.add({{std::to_string(step.number), Tone::faint},
                      {moment(step.at, precision)},
                      {line.who.empty() ? "-" : line.who},
                      {std::string(glyph(line.mark, look_.charset)), tone_of(line.mark)},
                      {line.what, is_plumbing ? Tone::faint : tone_of_word(line.mark)},
                      {line.about, quiet},
                      {with_arrows(line.detail, look_.charset), quiet}});
    }

    // Words next to a mark that means harm share its colour.
    static Tone tone_of_word(Mark mark) {
        return tone_of(mark) == Tone::bad ? Tone::bad : Tone::plain;
    }

    const scenarios::Recording& recording_;
    std::map<sim::StepNumber, std::string> broken_;
    Detail detail_;
    Look look_;
    std::set<sim::StepNumber> telling_;
    IdlePolls polls_;
    sim::Instant shown_at_{};
    Columns columns_{{{.align = Align::right, .gap = 0},
                      {.align = Align::right},
                      {.widest = 28},
                      {.gap = 2},
                      {.widest = 18, .gap = 1},
                      {.widest = 12},
                      {}}};
};

}  // namespace

std::string timeline(const scenarios::Recording& recording,
                     const std::vector<scenarios::PromiseVerdict>& verdicts, Detail detail,
                     const Look& look) {
    return Timeline(recording, verdicts, detail, look).render();
}

}  // namespace redeliver::reports
