#include <fmt/format.h>

#include <algorithm>

#include "scenarios/json/scenario_fields.h"

namespace redeliver::scenarios::json {

namespace {

/// The reports count the failures of a message in 8 bits.
constexpr NumberRange failures = {0, 255};
constexpr NumberRange messages = {0, max_messages};

void message_fields(Fields& in, Message& message, const System& system) {
    in.number("number", message.number, {1, max_messages});
    in.number("user", message.user, {1, system.users.count});
    in.number("session", message.session, {1, max_messages});
    sim::Duration at = message.at.time_since_epoch();
    in.duration("at", at);
    message.at = sim::at(at);
    in.word("content", message.content);
    in.number("failures", message.failures, failures);
    in.number("submissions", message.submissions, {1, max_handlings / system.users.attempts});
    if (in.has("work_time",
               message.work_time ? Fields::Presence::present : Fields::Presence::absent) ==
        Fields::Presence::present) {
        Duration work_time = message.work_time.value_or(Duration::zero());
        in.duration("work_time", work_time);
        message.work_time = work_time;
    }
    in.require({"number"});
}

void reject_repeated_numbers(Fields& in, const std::vector<Message>& listed) {
    std::vector<std::uint32_t> numbers;
    for (const Message& message : listed) numbers.push_back(message.number);
    std::ranges::sort(numbers);
    const auto twice = std::ranges::adjacent_find(numbers);
    if (twice != numbers.end())
        in.reject("messages",
                  fmt::format("found number {} twice; messages are told apart by it", *twice));
}

void reject_too_many(Fields& in, const Workload& workload, const System& system) {
    const std::uint64_t total = std::uint64_t{workload.runs} + workload.messages.size();
    if (total > max_messages)
        in.reject("runs",
                  fmt::format("found {} messages in all, allowed are {}", total, max_messages));
    const std::uint64_t special =
        std::uint64_t{workload.poison} + workload.killers + workload.flaky;
    if (special > workload.runs)
        in.reject("runs", fmt::format("found {}, but poison, killers and flaky ask for {}",
                                      workload.runs, special));
    if (workload.duplicates > workload.runs)
        in.reject("duplicates", fmt::format("found {}, but there are only {} runs",
                                            workload.duplicates, workload.runs));
    if (workload.duplicates > 0 && system.users.attempts * 2 > max_handlings)
        in.reject("duplicates",
                  fmt::format("found {}, but two submissions of up to {} attempts are more than "
                              "the {} ids that a message has",
                              workload.duplicates, system.users.attempts, max_handlings));
}

}  // namespace

void messages_fields(Fields& in, std::vector<Message>& listed, const System& system) {
    in.objects("messages", listed, max_listed_messages,
               [&](Fields& inner, Message& message) { message_fields(inner, message, system); });
    reject_repeated_numbers(in, listed);
}

void workload_fields(Fields& in, Workload& workload, const System& system) {
    in.number("runs", workload.runs, messages);
    in.number("sessions", workload.sessions, {1, max_messages});
    in.duration("span", workload.span);
    in.number("poison", workload.poison, messages);
    in.number("killers", workload.killers, messages);
    in.number("flaky", workload.flaky, messages);
    in.number("failures", workload.failures, failures);
    in.number("duplicates", workload.duplicates, messages);
    messages_fields(in, workload.messages, system);
    reject_too_many(in, workload, system);
}

}  // namespace redeliver::scenarios::json
