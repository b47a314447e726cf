#include "tests/conformance/shrink.h"

#include <algorithm>
#include <utility>

namespace redeliver::conformance {
namespace {

class Shrinker {
public:
    Shrinker(Script script, const std::function<bool(const Script&)>& fails, ShrinkBudget budget)
        : best_(std::move(script)), fails_(fails), budget_(budget) {}

    Script run() {
        take_bursts_apart();
        std::size_t before = 0;
        do {
            before = weight();
            drop_connections();
            drop_steps();
            drop_words();
        } while (weight() < before && may_go_on());
        return std::move(best_);
    }

private:
    bool may_go_on() const {
        return plays_ < budget_.plays && std::chrono::steady_clock::now() - began_ < budget_.time;
    }

    bool accept(Script candidate) {
        if (!may_go_on()) return false;
        ++plays_;
        if (!fails_(candidate)) return false;
        best_ = std::move(candidate);
        return true;
    }

    std::size_t weight() const {
        std::size_t weight = best_.steps.size();
        for (const Step& step : best_.steps)
            if (const auto* const send = std::get_if<Send>(&step))
                for (const Words& words : send->burst) weight += words.size();
        return weight;
    }

    /// So that single commands can go; unless the difference hangs on the burst.
    void take_bursts_apart() {
        Script apart = best_;
        apart.steps.clear();
        for (const Step& step : best_.steps) {
            const auto* const send = std::get_if<Send>(&step);
            if (!send) {
                apart.steps.push_back(step);
                continue;
            }
            for (const Words& words : send->burst)
                apart.steps.push_back(Send{send->connection, {words}});
        }
        accept(std::move(apart));
    }

    void drop_connections() {
        for (std::size_t connection = 0; connection < best_.protocols.size(); ++connection) {
            Script without = best_;
            std::erase_if(without.steps, [connection](const Step& step) {
                if (const auto* const send = std::get_if<Send>(&step))
                    return send->connection == connection;
                const auto* const disconnect = std::get_if<Disconnect>(&step);
                return disconnect && disconnect->connection == connection;
            });
            if (without.steps.size() < best_.steps.size()) accept(std::move(without));
        }
    }

    /// Ranges of steps, the longest first, from the end: what comes last matters least.
    void drop_steps() {
        for (std::size_t length = std::max<std::size_t>(best_.steps.size() / 2, 1); length > 0;
             length /= 2) {
            std::size_t end = best_.steps.size();
            while (end >= length && end > 0 && may_go_on()) {
                Script without = best_;
                const auto to = without.steps.begin() + static_cast<std::ptrdiff_t>(end);
                without.steps.erase(to - static_cast<std::ptrdiff_t>(length), to);
                accept(std::move(without));
                end = std::min(end - length, best_.steps.size());
            }
        }
    }

    void drop_words() {
        for (std::size_t step = 0; step < best_.steps.size(); ++step) {
            const auto* const send = std::get_if<Send>(&best_.steps[step]);
            const std::size_t commands = send ? send->burst.size() : 0;
            for (std::size_t command = 0; command < commands; ++command)
                for (const std::size_t count : {4u, 2u, 1u}) drop_words_of(step, command, count);
        }
    }

    void drop_words_of(std::size_t step, std::size_t command, std::size_t count) {
        for (std::size_t at = words(best_, step, command).size(); at-- > 1 && may_go_on();) {
            Script without = best_;
            Words& left = words(without, step, command);
            if (at + count > left.size()) continue;
            const auto from = left.begin() + static_cast<std::ptrdiff_t>(at);
            left.erase(from, from + static_cast<std::ptrdiff_t>(count));
            accept(std::move(without));
        }
    }

    static Words& words(Script& script, std::size_t step, std::size_t command) {
        return std::get<Send>(script.steps[step]).burst[command];
    }

    Script best_;
    const std::function<bool(const Script&)>& fails_;
    ShrinkBudget budget_;
    std::size_t plays_ = 0;
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace

Script shrink(Script script, const std::function<bool(const Script&)>& fails, ShrinkBudget budget) {
    return Shrinker(std::move(script), fails, budget).run();
}

}  // namespace redeliver::conformance
