// What survives is the replay of a prefix of what was propagated. Random commands on two servers,
// one of which is restarted now and then, tell the same story afterwards, but for the few things
// that no log holds.

#include <cstdint>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "model/redis/arguments.h"
#include "tests/model/redis/broker.h"

namespace redeliver::model::redis {

namespace {

/// Reads the choices of one command from the digits of a number. Numbers are cheaper to generate,
/// to shrink and to compile than commands; 0 is the plainest choice.
class Dice {
public:
    explicit Dice(std::uint64_t number) : left_(number) {}

    std::uint64_t below(std::uint64_t sides) {
        const std::uint64_t digit = left_ % sides;
        left_ /= sides;
        return digit;
    }
    std::int64_t count_below(std::uint64_t sides) {
        return static_cast<std::int64_t>(below(sides));
    }
    bool one_in(std::uint64_t sides) { return below(sides) == sides - 1; }
    EntryId id() { return {below(12), below(2)}; }
    std::string consumer() { return one_in(2) ? "bob" : "alice"; }

private:
    std::uint64_t left_;
};

Trim trim_from(Dice& dice) {
    Trim trim;
    if (dice.one_in(2))
        trim.keep = MinId{dice.id()};
    else
        trim.keep = MaxLen{dice.count_below(8)};
    if (dice.one_in(2)) trim.precision = Trim::Precision::approximate;
    return trim;
}

Command addition_from(Dice& dice) {
    Xadd command{.key = "s", .body = {{"f", "v"}}, .label = dice.below(100)};
    if (!dice.one_in(4)) command.id = dice.id();
    if (dice.one_in(4)) command.trim = trim_from(dice);
    return command;
}

Command read_from(Dice& dice) {
    Xreadgroup command = Broker::read_new(dice.consumer(), dice.count_below(3));
    if (dice.one_in(4)) command.acknowledgement = Xreadgroup::Acknowledgement::none;
    return command;
}

Command claim_from(Dice& dice) {
    Xclaim command{
        .key = "s", .group = "g", .consumer = dice.consumer(), .ids = {dice.id(), dice.id()}};
    if (dice.one_in(2)) command.if_not_pending = Xclaim::IfNotPending::create;
    if (dice.one_in(2)) command.delivery_count = dice.count_below(5);
    if (dice.one_in(4)) command.last_delivered_id = dice.id();
    return command;
}

Command autoclaim_from(Dice& dice) {
    return Xautoclaim{.key = "s",
                      .group = "g",
                      .consumer = dice.consumer(),
                      .min_idle_time = std::chrono::seconds{dice.count_below(3)},
                      .count = dice.count_below(3) + 1};
}

/// No history reads: their counts are what no log holds.
Command command_from(std::uint64_t number) {
    Dice dice(number);
    switch (dice.below(12)) {
    case 0:
    case 1:
    case 2: return addition_from(dice);
    case 3:
    case 4: return read_from(dice);
    case 5: return Xack{"s", "g", {dice.id(), dice.id()}};
    case 6: return claim_from(dice);
    case 7: return autoclaim_from(dice);
    case 8: return Xdel{"s", {dice.id()}};
    case 9: return Xtrim{"s", trim_from(dice)};
    case 10: return XgroupSetid{"s", "g", dice.id()};
    default: return XgroupDelconsumer{"s", "g", dice.consumer()};
    }
}

/// Random commands, printed as a client would type them when a property fails.
std::vector<Command> any_commands() {
    constexpr std::uint64_t any = std::uint64_t{1} << 62;
    std::vector<Command> commands;
    std::string script;
    for (const std::uint64_t number :
         *rc::gen::container<std::vector<std::uint64_t>>(rc::gen::inRange<std::uint64_t>(0, any))) {
        commands.push_back(command_from(number));
        for (const std::string& word : arguments(commands.back())) script += word + ' ';
        script += '\n';
    }
    RC_LOG() << script;
    return commands;
}

Configuration recording() {
    return {.stream_node_max_entries = 3,
            .appendfsync = Configuration::Appendfsync::always,
            .record = Configuration::Record::propagated};
}

/// All that a log holds: no read counters, no times of consumers, none without rows.
Snapshot as_logged(const Broker& broker) {
    Snapshot snapshot = broker.server.snapshot(broker.now);
    for (auto& [key, stream] : snapshot.streams) {
        for (GroupSnapshot& group : stream.groups) {
            group.entries_read.reset();
            group.lag.reset();
            std::erase_if(group.consumers,
                          [](const ConsumerSnapshot& consumer) { return consumer.pending == 0; });
            for (ConsumerSnapshot& consumer : group.consumers) consumer.seen_at = {};
        }
    }
    return snapshot;
}

void run(Broker& broker, const std::vector<Command>& commands) {
    broker.create_group();
    for (const Command& command : commands) {
        broker.pass(std::chrono::milliseconds{700});
        broker.ask(command);
    }
}

RC_GTEST_PROP(Replay, OfTheWholeLogGivesTheLiveState, ()) {
    const auto commands = any_commands();
    Broker broker(recording());
    run(broker, commands);
    const Snapshot before = as_logged(broker);

    broker.server.restart_after_process_loss(broker.now, broker.out);

    RC_ASSERT(as_logged(broker) == before);
}

RC_GTEST_PROP(Replay, OfAPrefixGivesTheStateOfThatTime, ()) {
    const auto commands = any_commands();
    Broker broker(recording());
    run(broker, commands);
    const std::uint64_t lost =
        *rc::gen::inRange<std::uint64_t>(0, broker.server.retained_records() + 1);

    // The same story, told up to the first record that the replica did not get.
    Broker shorter(recording());
    const std::uint64_t kept = broker.server.retained_records() - lost;
    if (kept > 0) shorter.create_group();
    for (const Command& command : commands) {
        if (shorter.server.retained_records() >= kept) break;
        shorter.pass(std::chrono::milliseconds{700});
        shorter.ask(command);
    }
    shorter.now = broker.now;
    broker.server.fail_over(lost, broker.now, broker.out);

    RC_ASSERT(as_logged(broker) == as_logged(shorter));
}

RC_GTEST_PROP(Replay, ToldInOneGoOrInPiecesComesToTheSame, ()) {
    const auto commands = any_commands();
    Configuration forgetful = recording();
    forgetful.retained_records = 2;
    forgetful.retained_time = sim::Duration{0};
    forgetful.write_back = sim::Duration{0};
    Broker whole(recording());
    Broker pieces(forgetful);
    run(whole, commands);
    run(pieces, commands);

    whole.server.restart_after_machine_loss(whole.now, whole.out);
    pieces.server.restart_after_machine_loss(pieces.now, pieces.out);

    RC_ASSERT(whole.server.snapshot(whole.now) == pieces.server.snapshot(pieces.now));
}

RC_GTEST_PROP(Replay, OfTheSameCommandsGivesTheSameDigestRepliesAndEvents, ()) {
    const auto commands = any_commands();
    Broker one(recording());
    Broker other(recording());
    one.create_group();
    other.create_group();
    for (const Command& command : commands) {
        RC_ASSERT(hash(one.ask(command)) == hash(other.ask(command)));
        RC_ASSERT(one.out.events.size() == other.out.events.size());
        RC_ASSERT(one.server.digest() == other.server.digest());
    }
}

}  // namespace
}  // namespace redeliver::model::redis
