#include "tests/conformance/postgresql/shrink.h"

#include <algorithm>
#include <utility>

namespace redeliver::conformance::postgresql {
namespace {

using namespace model::database;

std::size_t* session_of(Step& step) {
    if (auto* const say = std::get_if<Say>(&step)) return &say->session;
    if (auto* const cancel = std::get_if<Cancel>(&step)) return &cancel->session;
    if (auto* const part = std::get_if<Part>(&step)) return &part->session;
    if (auto* const leave = std::get_if<Leave>(&step)) return &leave->session;
    return nullptr;
}

Conditions* conditions_of(Step& step) {
    auto* const say = std::get_if<Say>(&step);
    if (say == nullptr) return nullptr;
    return std::visit(
        [](auto& statement) -> Conditions* {
            if constexpr (requires { statement.where; })
                return &statement.where;
            else
                return nullptr;
        },
        say->statement);
}

class Shrinker {
public:
    Shrinker(Script script, const std::function<bool(const Script&)>& fails, ShrinkBudget budget)
        : best_(std::move(script)), fails_(fails), budget_(budget) {}

    Script run() {
        std::size_t before = 0;
        do {
            before = weight();
            drop_ranges(&Script::steps);
            drop_sessions();
            drop_ranges(&Script::rows);
            drop_conditions();
            drop_keys();
            drop_timeouts();
        } while (weight() < before && may_go_on());
        return std::move(best_);
    }

private:
    bool may_go_on() const {
        return plays_ < budget_.plays && std::chrono::steady_clock::now() - began_ < budget_.time;
    }

    void accept(Script candidate) {
        if (!may_go_on()) return;
        ++plays_;
        if (fails_(candidate)) best_ = std::move(candidate);
    }

    std::size_t weight() {
        std::size_t weight = best_.steps.size() + best_.rows.size() + best_.sessions;
        for (Step& step : best_.steps)
            if (const Conditions* const where = conditions_of(step)) weight += where->size();
        for (const Table& table : best_.schema.tables) weight += table.unique_keys.size();
        return weight;
    }

    /// The longest ranges first, from the end: what comes last matters least.
    template <typename Part>
    void drop_ranges(std::vector<Part> Script::*parts) {
        for (std::size_t length = std::max<std::size_t>((best_.*parts).size() / 2, 1); length > 0;
             length /= 2) {
            std::size_t end = (best_.*parts).size();
            while (end >= length && end > 0 && may_go_on()) {
                Script without = best_;
                const auto to = (without.*parts).begin() + static_cast<std::ptrdiff_t>(end);
                (without.*parts).erase(to - static_cast<std::ptrdiff_t>(length), to);
                accept(std::move(without));
                end = std::min(end - length, (best_.*parts).size());
            }
        }
    }

    /// Those above take the numbers below.
    void drop_sessions() {
        for (std::size_t session = best_.sessions; session-- > 0 && best_.sessions > 1;) {
            Script without = best_;
            --without.sessions;
            std::erase_if(without.steps, [session](Step& step) {
                const std::size_t* const of = session_of(step);
                return of != nullptr && *of == session;
            });
            for (Step& step : without.steps)
                if (std::size_t* const of = session_of(step); of != nullptr && *of > session) --*of;
            accept(std::move(without));
        }
    }

    void drop_conditions() {
        for (std::size_t step = 0; step < best_.steps.size(); ++step) {
            const Conditions* const where = conditions_of(best_.steps[step]);
            for (std::size_t at = where == nullptr ? 0 : where->size(); at-- > 0;) {
                Script without = best_;
                Conditions& left = *conditions_of(without.steps[step]);
                left.erase(left.begin() + static_cast<std::ptrdiff_t>(at));
                accept(std::move(without));
            }
        }
    }

    void drop_keys() {
        for (std::size_t table = 0; table < best_.schema.tables.size(); ++table)
            for (std::size_t key = best_.schema.tables[table].unique_keys.size(); key-- > 0;) {
                Script without = best_;
                auto& keys = without.schema.tables[table].unique_keys;
                keys.erase(keys.begin() + static_cast<std::ptrdiff_t>(key));
                accept(std::move(without));
            }
    }

    void drop_timeouts() {
        for (sim::Duration Script::*timeout : {&Script::lock_timeout, &Script::statement_timeout}) {
            if (best_.*timeout == sim::Duration::zero()) continue;
            Script without = best_;
            without.*timeout = {};
            accept(std::move(without));
        }
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

}  // namespace redeliver::conformance::postgresql
