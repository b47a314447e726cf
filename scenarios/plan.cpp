#include "scenarios/plan.h"

#include <algorithm>
#include <array>
#include <string>

#include "model/operations.h"
#include "model/subjects.h"
#include "scenarios/chat_world.h"
#include "sim/choices.h"

namespace redeliver::scenarios {

namespace {

using sim::Choices;
using sim::Label;
using sim::Point;
using sim::SubjectKey;

/// The draws of one thing in a plan: a message or a fault, each independent of all others.
class Draws {
public:
    Draws(const Choices& choices, std::uint64_t thing) : choices_(choices), thing_(thing) {}

    std::uint64_t bits(Label label) const { return choices_.bits(label, SubjectKey{thing_}); }
    std::uint64_t below(Label label, std::uint64_t limit) const {
        return sim::below(limit, bits(label));
    }
    Duration up_to(Label label, Duration longest) const {
        const auto limit = static_cast<std::uint64_t>(longest.count()) + 1;
        return Duration{static_cast<std::int64_t>(below(label, limit))};
    }
    template <class T, std::size_t size>
    T one_of(Label label, const std::array<T, size>& options) const {
        return options[below(label, size)];
    }

private:
    const Choices& choices_;
    std::uint64_t thing_;
};

/// Numbers of the messages that get a special content: `count` different ones, chosen by the least
/// of a draw each, so that adding a message moves at most one choice.
std::vector<std::uint32_t> choose(const Choices& choices, Label label, std::uint32_t messages,
                                  std::uint32_t count) {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> ranks;
    for (std::uint32_t number = 1; number <= messages; ++number)
        ranks.emplace_back(choices.bits(label, SubjectKey{number}), number);
    std::ranges::sort(ranks);
    std::vector<std::uint32_t> chosen;
    for (std::size_t index = 0; index < std::min<std::size_t>(count, ranks.size()); ++index)
        chosen.push_back(ranks[index].second);
    return chosen;
}

class FaultDraws {
public:
    FaultDraws(const Scenario& scenario, const AddressBook& book, std::uint64_t seed)
        : scenario_(scenario),
          book_(book),
          choices_(seed),
          names_(node_names(scenario)),
          texts_(model::operation_texts()),
          series_(model::run_series()) {}

    sim::FaultPlan draw() const {
        sim::FaultPlan plan = scenario_.faults.pinned;
        for (const auto& [kind, intensity] : scenario_.faults.random) {
            const Draws draws(choices_, thing(kind, 0));
            const std::uint64_t count =
                intensity.least +
                draws.below(Label{"fault count"}, intensity.most - intensity.least + 1);
            for (std::uint64_t each = 1; each <= count; ++each)
                if (auto fault = draw_one(kind, Draws(choices_, thing(kind, each))))
                    plan.push_back(std::move(*fault));
        }
        return plan;
    }

private:
    static std::uint64_t thing(FaultKind kind, std::uint64_t each) {
        return (static_cast<std::uint64_t>(kind) + 1) << 32 | each;
    }

    std::optional<sim::Fault> draw_one(FaultKind kind, const Draws& draws) const {
        switch (kind) {
        case FaultKind::crash_worker: return at_step(draws, "worker-", crash(draws));
        case FaultKind::crash_gateway: return at_step(draws, "gateway-", crash(draws));
        case FaultKind::crash_broker: return while_serving(draws, broker_node, crash(draws));
        case FaultKind::crash_database: return while_serving(draws, database_node, crash(draws));
        case FaultKind::lose_broker: {
            sim::Crash loss = crash(draws);
            loss.of = sim::CrashOf::machine;
            return while_serving(draws, broker_node, loss);
        }
        case FaultKind::fail_over_broker:
            return while_serving(
                draws, broker_node,
                sim::Failover{draws.up_to(Label{"lag"}, scenario_.faults.replica_lag)});
        case FaultKind::fail_over_database:
            return while_serving(
                draws, database_node,
                sim::Failover{draws.up_to(Label{"lag"}, scenario_.faults.replica_lag)});
        case FaultKind::pause_worker: return at_step(draws, "worker-", sim::Pause{lasts(draws)});
        case FaultKind::slow_worker:
            return at_instant(
                draws, worker(draws),
                sim::Slow{static_cast<std::uint32_t>(200 + draws.below(Label{"percent"}, 800)),
                          lasts(draws)});
        case FaultKind::lose_request: return message_loss(draws, Point::before_send);
        case FaultKind::lose_reply: return message_loss(draws, Point::after_apply);
        case FaultKind::reset: return at_instant(draws, worker(draws), sim::Reset{});
        case FaultKind::partition: return partition(draws);
        case FaultKind::clock_step:
            return at_instant(
                draws, names_[draws.below(Label{"server"}, 2)],
                sim::ClockStep{draws.up_to(Label{"step"}, 2 * scenario_.faults.longest) -
                               scenario_.faults.longest});
        }
        return {};
    }

    Duration lasts(const Draws& draws) const {
        return draws.up_to(Label{"lasts"}, scenario_.faults.longest);
    }
    sim::Crash crash(const Draws& draws) const {
        return {.of = sim::CrashOf::process, .restart_after = lasts(draws)};
    }
    std::string worker(const Draws& draws) const {
        const auto count = std::max<std::uint64_t>(scenario_.system.worker.count, 1);
        return "worker-" + std::to_string(1 + draws.below(Label{"worker"}, count));
    }

    sim::Fault at_instant(const Draws& draws, std::string target, sim::What what) const {
        const Duration last = std::min(book_.end.time_since_epoch(), scenario_.faults.until);
        return {sim::AtInstant{sim::at(draws.up_to(Label{"instant"}, last))}, what,
                std::move(target)};
    }

    /// At some step of some node whose name begins so; whoever performs it is the target.
    std::optional<sim::Fault> at_step(const Draws& draws, std::string_view role,
                                      sim::What what) const {
        const auto* const entry = pick(draws, [&](const AddressEntry& candidate) {
            return name(candidate.node).starts_with(role);
        });
        if (entry == nullptr) return {};
        const bool is_work = entry->server == sim::NodeId::none;
        static constexpr std::array requests = {Point::before_send, Point::before_apply,
                                                Point::after_apply, Point::after_reply};
        static constexpr std::array work = {Point::start, Point::middle, Point::end};
        const Point point =
            is_work ? draws.one_of(Label{"point"}, work) : draws.one_of(Label{"point"}, requests);
        return sim::Fault{step(*entry, point), what};
    }

    std::optional<sim::Fault> while_serving(const Draws& draws, sim::NodeId server,
                                            sim::What what) const {
        const auto* const entry =
            pick(draws, [&](const AddressEntry& candidate) { return candidate.server == server; });
        if (entry == nullptr) return {};
        static constexpr std::array points = {Point::before_apply, Point::after_apply};
        return sim::Fault{step(*entry, draws.one_of(Label{"point"}, points)), what,
                          std::string{name(server)}};
    }

    std::optional<sim::Fault> message_loss(const Draws& draws, Point point) const {
        const auto* const entry = pick(draws, [](const AddressEntry& candidate) {
            return candidate.server != sim::NodeId::none;
        });
        if (entry == nullptr) return {};
        return sim::Fault{step(*entry, point), sim::Drop{}};
    }

    sim::Fault partition(const Draws& draws) const {
        std::string one = worker(draws);
        std::string other = names_[draws.below(Label{"server"}, 2)];
        if (draws.below(Label{"direction"}, 2) == 1) std::swap(one, other);
        return at_instant(draws, one, sim::Partition{other, lasts(draws)});
    }

    /// Three of four times among what is about a run: polls are many and alike. Never where the
    /// faults are over: there it would lapse.
    template <class Wanted>
    const AddressEntry* pick(const Draws& draws, Wanted wanted) const {
        const bool about_runs = draws.below(Label{"about runs"}, 4) > 0;
        std::vector<const AddressEntry*> candidates;
        for (const bool strict : {about_runs, false}) {
            for (const AddressEntry& entry : book_.entries)
                if (entry.at <= sim::at(scenario_.faults.until) && wanted(entry) &&
                    (!strict || model::is_run(entry.address.subject)))
                    candidates.push_back(&entry);
            if (!candidates.empty()) break;
        }
        if (candidates.empty()) return nullptr;
        return candidates[draws.below(Label{"address"}, candidates.size())];
    }

    sim::AtStep step(const AddressEntry& entry, Point point) const {
        const sim::Subject subject = entry.address.subject;
        return {.operation = texts_[entry.address.operation],
                .subject = model::is_run(subject) ? *sim::subject_text(series_, subject)
                                                  : names_[sim::number_of(subject)],
                .occurrence = entry.address.occurrence,
                .point = point};
    }
    std::string_view name(sim::NodeId node) const { return names_[static_cast<std::size_t>(node)]; }

    const Scenario& scenario_;
    const AddressBook& book_;
    Choices choices_;
    std::vector<std::string> names_;
    std::vector<std::string> texts_;
    std::vector<sim::Series> series_;
};

void give_content(std::vector<Message>& messages, const Workload& workload,
                  const Choices& choices) {
    // One ranking for all three, so that no message is poison and killer at once.
    const auto chosen =
        choose(choices, Label{"content"}, static_cast<std::uint32_t>(messages.size()),
               workload.poison + workload.killers + workload.flaky);
    for (std::size_t index = 0; index < chosen.size(); ++index) {
        Message& message = messages[chosen[index] - 1];
        if (index < workload.poison) {
            message.content = model::Content::poison;
        } else if (index < workload.poison + workload.killers) {
            message.content = model::Content::killer;
        } else {
            message.content = model::Content::flaky;
            message.failures =
                1 + static_cast<std::uint32_t>(
                        Draws(choices, message.number)
                            .below(Label{"failures"}, std::max(workload.failures, 1u)));
        }
    }
}

}  // namespace

std::vector<Message> draw_messages(const Scenario& scenario, std::uint64_t seed) {
    const Workload& workload = scenario.workload;
    const Choices choices(seed);
    std::vector<Message> drawn;
    const std::uint32_t users = std::max(scenario.system.users.count, 1u);
    for (std::uint32_t number = 1; number <= workload.runs; ++number) {
        const Draws draws(choices, number);
        const auto session = static_cast<std::uint32_t>(
            1 + draws.below(Label{"session"}, std::max(workload.sessions, 1u)));
        drawn.push_back({.number = number,
                         .user = 1 + (session - 1) % users,  // A session belongs to one user.
                         .session = session,
                         .at = sim::at(draws.up_to(Label{"at"}, workload.span))});
    }
    give_content(drawn, workload, choices);
    for (const std::uint32_t number :
         choose(choices, Label{"duplicate"}, workload.runs, workload.duplicates))
        drawn[number - 1].submissions = 2;
    std::vector<Message> messages = workload.messages;
    std::vector<std::uint32_t> taken;
    for (const Message& fixed : workload.messages) taken.push_back(fixed.number);
    std::ranges::sort(taken);
    std::ranges::copy_if(drawn, std::back_inserter(messages), [&](const Message& message) {
        return !std::ranges::binary_search(taken, message.number);
    });
    return messages;
}

Plan expand(const Scenario& scenario, const AddressBook& book, std::uint64_t seed) {
    return {.messages = draw_messages(scenario, seed),
            .faults = FaultDraws(scenario, book, seed).draw()};
}

}  // namespace redeliver::scenarios
