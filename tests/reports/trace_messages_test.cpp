#include "reports/trace_messages.h"

#include <gmock/gmock.h>

#include "tests/reports/written_trace.h"

namespace redeliver::reports {
namespace {

using Fate = TraceMessage::Fate;
using Way = TraceMessage::Way;
using testing::ElementsAre;

struct TraceMessages : testing::Test, WrittenTrace {
    /// The fates in the order in which the messages were sent.
    std::vector<Fate> fates() const {
        std::vector<Fate> fates;
        for (const TraceMessage& message : messages_of(trace)) fates.push_back(message.fate);
        return fates;
    }
};

TEST_F(TraceMessages, AreARequestAndItsAnswer) {
    const auto sent = send("gateway-1", "redis", "XADD", "run-1");
    const auto added = add(event("Added", "gateway-1", "XADD", sent));
    const auto replied = reply("redis", "gateway-1", "XADD", added, "run-1");
    const auto arrived = arrive("gateway-1", "redis", "XADD", replied, "run-1");

    const auto messages = messages_of(trace);
    ASSERT_EQ(messages.size(), 2u);
    EXPECT_EQ(messages[0].from, "gateway-1");
    EXPECT_EQ(messages[0].to, "redis");
    EXPECT_EQ(messages[0].received, added);
    EXPECT_EQ(messages[0].ended, arrived);
    EXPECT_EQ(messages[0].other, replied);
    EXPECT_EQ(messages[1].way, Way::answer);
    EXPECT_EQ(messages[1].from, "redis");
    EXPECT_EQ(messages[1].received, arrived);
    EXPECT_EQ(messages[1].other, sent);
    EXPECT_THAT(fates(), ElementsAre(Fate::arrived, Fate::arrived));
}

TEST_F(TraceMessages, TieAnAnswerThatNothingCausedToTheNewestRequestThatWaits) {
    exchange("worker-1", "redis", "XREADGROUP", "");
    const auto sent = send("worker-1", "redis", "XREADGROUP");
    const auto replied = reply("redis", "worker-1", "XREADGROUP");
    arrive("worker-1", "redis", "XREADGROUP", replied);

    const auto messages = messages_of(trace);
    ASSERT_EQ(messages.size(), 4u);
    EXPECT_EQ(messages[2].other, replied);
    EXPECT_EQ(messages[3].other, sent);
    EXPECT_EQ(messages[2].received, replied);
}

TEST_F(TraceMessages, AreLostOnTheWireInBothDirections) {
    const auto request = send("worker-1", "redis", "XACK", "run-1");
    add(on_the_wire("Dropped", "worker-1", "redis", "XACK", "run-1", request));
    const auto asked = send("worker-2", "redis", "XACK", "run-2");
    const auto answer = reply("redis", "worker-2", "XACK", asked, "run-2");
    add(on_the_wire("Dropped", "redis", "worker-2", "XACK", "run-2", answer));

    EXPECT_THAT(fates(), ElementsAre(Fate::lost, Fate::arrived, Fate::lost));
}

TEST_F(TraceMessages, TieALossThatAPartitionCausedToTheMessageBeforeIt) {
    const auto cut = add(event("Partitioned", "worker-1"));
    const auto request = send("worker-1", "redis", "XACK", "run-1");
    TraceStep dropped = on_the_wire("Dropped", "worker-1", "redis", "XACK", "run-1", cut);
    dropped.previous = request;
    add(dropped);

    EXPECT_THAT(fates(), ElementsAre(Fate::lost));
}

TEST_F(TraceMessages, AreLostWhenTheyComeTooLate) {
    const auto sent = send("worker-1", "postgres", "COMMIT", "run-1");
    add(on_the_wire("Lost", "worker-1", "postgres", "COMMIT", "run-1", sent));
    reply("postgres", "worker-1", "COMMIT", sent, "run-1");

    EXPECT_THAT(fates(), ElementsAre(Fate::arrived, Fate::lost));
}

TEST_F(TraceMessages, AreLostOnTheWayToADeadNode) {
    const auto answered = send("worker-1", "redis", "XACK", "run-1");
    reply("redis", "worker-1", "XACK", answered, "run-1");
    send("worker-2", "worker-1", "ask");
    add(event("Crashed", "worker-1"));

    EXPECT_THAT(fates(), ElementsAre(Fate::arrived, Fate::lost, Fate::lost));
}

TEST_F(TraceMessages, AreLostOnNobody) {
    send("worker-1", "redis", "XREADGROUP");
    add(event("Crashed", "worker-1"));
    add(on_the_wire("AnsweredNobody", "redis", "worker-1", "XREADGROUP", "", sim::no_step));

    EXPECT_EQ(fates().back(), Fate::lost);
}

TEST_F(TraceMessages, AreUnknownWhereTheTraceEnds) {
    send("worker-1", "redis", "XREADGROUP");

    EXPECT_THAT(fates(), ElementsAre(Fate::unknown));
}

TEST_F(TraceMessages, AreNoneForWhatWasRefused) {
    add(on_the_wire("Refused", "worker-1", "redis", "XACK", "run-1", sim::no_step));

    EXPECT_THAT(fates(), ElementsAre());
}

TEST_F(TraceMessages, WhatAServerDoesForAClientHappensAtTheServer) {
    const auto sent = send("worker-1", "postgres", "COMMIT", "run-1");
    add(event("StatusChanged", "worker-1", "UPDATE run", sent));
    add(event("Delivered", "worker-1", "XREADGROUP"));
    add(event("WorkStarted", "worker-1"));

    EXPECT_EQ(place_of(trace, trace.steps[1]), "postgres");
    EXPECT_EQ(place_of(trace, trace.steps[2]), "redis");
    EXPECT_EQ(place_of(trace, trace.steps[3]), "worker-1");
}

TEST_F(TraceMessages, HaveLanesFromTheUsersToTheDatabase) {
    exchange("user-1", "gateway-1", "submit", "run-1");
    exchange("worker-2", "postgres", "COMMIT", "run-1");
    exchange("gateway-1", "redis", "XADD", "run-1");

    EXPECT_THAT(lanes_of(trace),
                ElementsAre("user-1", "gateway-1", "redis", "worker-2", "postgres"));
}

}  // namespace
}  // namespace redeliver::reports
