#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "scenarios/case.h"

/// The moves that docs/explain.md states, written anew to judge the shrinker: nothing here uses it.
namespace redeliver::scenarios::shrunk {

/// A case that is simpler by one move, and which one that was.
struct Simpler {
    std::string move;
    Case of;
};

/// All that are one move away.
class SingleChanges {
public:
    explicit SingleChanges(const Case& from) : from_(from) {
        removals();
        few_kept();
        fewer_actors();
        plainer_messages();
        plainer_schedules();
        for (sim::Fault& fault : plan_.faults) earlier(fault);
        rounder_times();
    }

    std::vector<Simpler> take() { return std::move(all_); }

private:
    // Each change is made to `from_` itself, kept as a copy, and taken back.
    template <typename Value>
    void with(const std::string& move, Value& value, const Value& other) {
        if (value == other) return;
        const Value was = value;
        value = other;
        keep(move);
        value = was;
    }

    void keep(const std::string& move) { all_.push_back({move, from_}); }

    template <typename Thing>
    static std::vector<Thing> chosen(const std::vector<Thing>& all, std::uint32_t mask) {
        std::vector<Thing> some;
        for (std::size_t each = 0; each < all.size(); ++each)
            if ((mask >> each & 1) != 0) some.push_back(all[each]);
        return some;
    }

    void removals() {
        for (std::size_t i = 0; i < plan_.faults.size(); ++i) {
            sim::FaultPlan others = plan_.faults;
            others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
            with("no fault " + std::to_string(i + 1), plan_.faults, others);
        }
        for (std::size_t i = 0; plan_.messages.size() > 1 && i < plan_.messages.size(); ++i) {
            std::vector<Message> others = plan_.messages;
            others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
            with_messages("no message " + std::to_string(i + 1), others);
        }
    }

    void few_kept() {
        for (std::uint32_t mask = 1; mask < 1u << plan_.faults.size(); ++mask)
            if (std::popcount(mask) <= 2)
                with("faults " + std::to_string(mask), plan_.faults, chosen(plan_.faults, mask));
        for (std::uint32_t mask = 1; mask < 1u << plan_.messages.size(); ++mask)
            if (std::popcount(mask) <= 2)
                with_messages("messages " + std::to_string(mask), chosen(plan_.messages, mask));
    }

    // A fault that names a run of a message that is gone goes with it.
    void with_messages(const std::string& move, const std::vector<Message>& others) {
        const sim::FaultPlan was = plan_.faults;
        std::erase_if(plan_.faults, [&](const sim::Fault& fault) {
            const auto* const step = std::get_if<sim::AtStep>(&fault.when);
            if (step == nullptr || !step->subject.starts_with("run-")) return false;
            const int number = std::stoi(step->subject.substr(4));
            for (const Message& message : others)
                if (static_cast<int>(message.number) == number) return false;
            return true;
        });
        with(move, plan_.messages, others);
        plan_.faults = was;
    }

    void fewer_actors() {
        System& system = from_.scenario.system;
        const auto one_less = [this](const std::string& who, std::uint32_t& count) {
            if (count > 1) with("one " + who + " less", count, count - 1);
        };
        one_less("worker", system.worker.count);
        one_less("gateway", system.gateway.count);
        one_less("relay", system.relay.count);
        std::uint32_t writing = 1;
        for (const Message& message : plan_.messages) writing = std::max(writing, message.user);
        if (system.users.count > writing) one_less("user", system.users.count);
    }

    void plainer_messages() {
        for (Message& message : plan_.messages) {
            const std::string name = "message " + std::to_string(message.number);
            Message plain = message;
            plain.content = model::Content::healthy;
            plain.failures = 0;
            with(name + " healthy", message, plain);
            if (message.failures > 1) with(name + " fails once", message.failures, 1u);
            with(name + " submitted once", message.submissions, 1u);
            if (message.submissions > 2)
                with(name + " submitted less", message.submissions, message.submissions - 1);
            with(name + " of user 1", message.user, 1u);
            with(name + " of any work", message.work_time, {});
        }
    }

    void plainer_schedules() {
        with("no schedule", plan_.schedule, {});
        const std::vector<sim::Pick> picks = plan_.schedule.picks;
        for (std::size_t i = 0; picks.size() > 1 && i < picks.size(); ++i) {
            std::vector<sim::Pick> others = picks;
            others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
            with("no pick " + std::to_string(i + 1), plan_.schedule.picks, others);
        }
        for (sim::Pick& pick : plan_.schedule.picks)
            for (std::uint32_t fewer = 1; fewer < pick.take; ++fewer)
                with("pick overtakes " + std::to_string(fewer), pick.take, fewer);
    }

    // The first occurrence, half as many, one less; or the instants 0, 1 ms, 2 ms, 5 ms, 10 ms, ...
    void earlier(sim::Fault& fault) {
        if (auto* const step = std::get_if<sim::AtStep>(&fault.when)) {
            const std::uint32_t was = step->occurrence;
            for (const std::uint32_t sooner : {1u, was / 2, was - 1})
                if (sooner > 0)
                    with("occurrence " + std::to_string(sooner), step->occurrence, sooner);
        }
        if (auto* const instant = std::get_if<sim::AtInstant>(&fault.when)) {
            const sim::Instant was = instant->at;
            with("fault at 0", instant->at, sim::Instant{});
            for (std::int64_t power = 1'000; power <= 1'000'000'000'000; power *= 10)
                for (const std::int64_t digit : {1, 2, 5})
                    if (const auto sooner = sim::at(sim::Duration{digit * power}); sooner < was)
                        with("fault at " + std::to_string(digit * power), instant->at, sooner);
        }
    }

    void rounder_times() {
        for (sim::Fault& fault : plan_.faults) {
            if (auto* const when = std::get_if<sim::AtInstant>(&fault.when)) rounder(when->at);
            if (auto* const what = std::get_if<sim::Crash>(&fault.what))
                rounder(what->restart_after);
            if (auto* const what = std::get_if<sim::Pause>(&fault.what)) rounder(what->lasts);
            if (auto* const what = std::get_if<sim::Slow>(&fault.what)) rounder(what->lasts);
            if (auto* const what = std::get_if<sim::Partition>(&fault.what)) rounder(what->lasts);
            if (auto* const what = std::get_if<sim::ClockStep>(&fault.what)) rounder(what->by);
            if (auto* const what = std::get_if<sim::Failover>(&fault.what)) rounder(what->lag);
        }
        for (Message& message : plan_.messages) {
            rounder(message.at);
            if (message.work_time) rounder(*message.work_time);
        }
    }

    void rounder(sim::Duration& time) {
        for (const sim::Duration other : round_numbers(time)) with(text_of(other), time, other);
    }
    void rounder(sim::Instant& instant) {
        for (const sim::Duration other : round_numbers(instant.time_since_epoch()))
            with(text_of(other), instant, sim::at(other));
    }
    static std::string text_of(sim::Duration time) {
        return "time " + std::to_string(time.count()) + " us";
    }

    static std::size_t digits_of(std::string number) {
        while (!number.empty() && number.back() == '0') number.pop_back();
        return number.size();
    }

    /// To one digit and to two, down and up, by way of the number as it is written.
    static std::vector<sim::Duration> round_numbers(sim::Duration time) {
        const bool is_negative = time < sim::Duration::zero();
        const std::string text = std::to_string(is_negative ? -time.count() : time.count());
        std::vector<sim::Duration> all;
        for (const std::size_t kept : {std::size_t{1}, std::size_t{2}}) {
            if (digits_of(text) <= kept) continue;
            const std::string zeros(text.size() - kept, '0');
            const std::int64_t head = std::stoll(text.substr(0, kept));
            for (const std::int64_t rounded : {head, head + 1}) {
                const std::int64_t other = std::stoll(std::to_string(rounded) + zeros);
                all.emplace_back(is_negative ? -other : other);
            }
        }
        return all;
    }

    Case from_;
    Plan& plan_ = from_.plan;
    std::vector<Simpler> all_;
};

inline std::vector<Simpler> single_changes(const Case& from) { return SingleChanges(from).take(); }

}  // namespace redeliver::scenarios::shrunk
