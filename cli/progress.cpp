#include "cli/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/text_width.h"
#include "reports/words.h"
#include "scenarios/json/printable.h"

namespace redeliver::cli {

namespace {

using namespace std::chrono_literals;

constexpr auto between_updates = 100ms;
constexpr std::string_view erase_line = "\r\x1b[K";

}  // namespace

Progress::Progress(Watched watched, std::uint64_t trials, const reports::Look& look, Output& out)
    : watched_(watched), trials_(trials), look_(look), out_(out) {}

void Progress::begin(std::string_view story) { story_ = scenarios::printable(story); }

std::string Progress::text(std::uint64_t done) const {
    const double seconds = std::chrono::duration<double>(Clock::now() - began_).count();
    const double rate = static_cast<double>(done) / std::max(seconds, 0.001);
    const auto per_second = reports::grouped(static_cast<std::uint64_t>(std::llround(rate)));
    if (trials_ == 0)
        return fmt::format("{}  {} trials  {}/s", story_, reports::grouped(done), per_second);
    const double left =
        static_cast<double>(trials_ - std::min(done, trials_)) / std::max(rate, 0.001);
    return fmt::format("{}  {} of {} trials  {}/s  {} s left", story_, reports::grouped(done),
                       reports::grouped(trials_), per_second,
                       reports::grouped(static_cast<std::uint64_t>(std::ceil(left))));
}

void Progress::update(std::uint64_t done_of_story) {
    if (watched_ == Watched::no || Clock::now() - shown_ < between_updates) return;
    shown_ = Clock::now();
    // One column stays free: some terminals wrap a line that fills them.
    const std::size_t width = look_.width == reports::unlimited_width ? 80 : look_.width;
    out_.print(erase_line);
    out_.print(reports::fitted(text(done_ + done_of_story), width - 1, look_.charset));
    out_.flush();
}

void Progress::end(std::uint64_t trials_of_story) {
    done_ += trials_of_story;
    if (watched_ == Watched::no) return;
    out_.print(erase_line);
    out_.flush();
}

}  // namespace redeliver::cli
