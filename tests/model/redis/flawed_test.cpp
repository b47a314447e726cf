#include <gtest/gtest.h>

#include "tests/model/redis/broker.h"

namespace redeliver::model::redis {
namespace {

using Lookup = Flawed::Lookup;

Flawed unknown_command() {
    return {.error = "ERR unknown command 'x', with args beginning with: ",
            .noticed = Flawed::Noticed::at_once,
            .words = {"x"}};
}

Flawed bad_id(std::vector<Lookup> lookups) {
    return {.error = "ERR Invalid stream ID specified as stream command argument",
            .access = Access::writes,
            .lookups = std::move(lookups)};
}

std::string error(Broker& broker, const Command& command) {
    return std::string(text(std::get<Refused>(broker.ask(command))));
}

TEST(Flawed, IsRefusedInItsOwnWords) {
    Broker broker;
    EXPECT_EQ(error(broker, bad_id({})),
              "ERR Invalid stream ID specified as stream command argument");
}

TEST(Flawed, IsToldOnlyAfterWhatTheServerLooksUpFirst) {
    Broker broker;
    const Lookup key{.key = "s", .if_missing = Lookup::IfMissing::zero};
    const Lookup group{
        .key = "s", .if_missing = Lookup::IfMissing::no_group_for_pending, .group = "g"};

    EXPECT_EQ(broker.ask(bad_id({key, group})), Reply(std::int64_t{0}));
    broker.add(1);
    EXPECT_EQ(error(broker, bad_id({key, group})), "NOGROUP No such key 's' or consumer group 'g'");
    broker.create_group();
    EXPECT_EQ(error(broker, bad_id({key, group})),
              "ERR Invalid stream ID specified as stream command argument");
    broker.ask(Set{.key = "s", .value = "text"});
    EXPECT_EQ(refusal(broker.ask(bad_id({key, group}))), Refusal::wrong_type);
}

TEST(Flawed, BreaksATransactionWhenNoticedAtOnce) {
    Broker broker;
    broker.ask(Multi{});
    EXPECT_EQ(error(broker, unknown_command()),
              "ERR unknown command 'x', with args beginning with: ");
    EXPECT_EQ(refusal(broker.ask(Exec{})), Refusal::exec_aborted);
}

TEST(Flawed, IsAnElementOfTheTransactionWhenNoticedAtItsExecution) {
    Broker broker;
    broker.ask(Multi{});
    EXPECT_EQ(broker.ask(bad_id({})), Reply(Queued{}));
    EXPECT_EQ(broker.ask(Ping{}), Reply(Queued{}));

    const auto replies = broker.get<Array>(Exec{});
    EXPECT_EQ(refusal(replies.elements.at(0)), Refusal::as_worded);
    EXPECT_EQ(replies.elements.at(1), Reply(Pong{}));
}

TEST(Flawed, IsRefusedByAReplicaBeforeItsFlawIsSeen) {
    Broker broker;
    broker.server.become_replica(broker.now, broker.out);
    EXPECT_EQ(refusal(broker.ask(bad_id({}))), Refusal::read_only);
    EXPECT_EQ(refusal(broker.ask(unknown_command())), Refusal::as_worded);
}

}  // namespace
}  // namespace redeliver::model::redis
