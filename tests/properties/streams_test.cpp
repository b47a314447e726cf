#include "properties/streams.h"

#include <gmock/gmock.h>

#include "tests/properties/story.h"

namespace redeliver::properties {
namespace {

using namespace story;
using Lost = model::BrokerForgot::What;
using Dropped = model::PendingDropped::Cause;

Streams after(std::vector<Step> steps) {
    Streams streams;
    for (const Step& step : history(std::move(steps))) streams.observe(step);
    return streams;
}

TEST(Streams, CountAnEntryAsUnreadUntilItIsDelivered) {
    EXPECT_EQ(after({added(run(1), 10), added(run(2), 20)}).unread(), 2u);

    const Streams read =
        after({added(run(1), 10), added(run(2), 20), delivered(run(1), 10, worker_1)});
    EXPECT_EQ(read.unread(), 1u);
    EXPECT_EQ(read.pending_rows(), 1u);
    EXPECT_EQ(read.length(runs_stream), 2u);
    EXPECT_TRUE(read.is_pending(run(1)));
    EXPECT_FALSE(read.is_pending(run(2)));
}

TEST(Streams, LetEveryGroupHaveEveryEntry) {
    const Streams streams =
        after({added(run(1), 10), added(run(2), 20), delivered(run(1), 10, worker_1),
               delivered(run(1), 10, worker_2, 1, audit_group)});

    EXPECT_EQ(streams.pending_rows(), 2u);
    EXPECT_EQ(streams.unread(), 2u) << "each group still lacks run-2";
}

TEST(Streams, AcknowledgeInOneGroupAlone) {
    const Streams streams = after({added(run(1), 10), delivered(run(1), 10, worker_1),
                                   delivered(run(1), 10, worker_2, 1, audit_group),
                                   acknowledged(run(1), 10, worker_1)});

    EXPECT_EQ(streams.pending_rows(), 1u);
    EXPECT_TRUE(streams.is_pending(run(1)));
}

TEST(Streams, LetAnybodyAcknowledgeWhateverTheOwner) {
    const Streams streams = after({added(run(1), 10), delivered(run(1), 10, worker_1),
                                   claimed(run(1), 10, worker_1, worker_2),
                                   acknowledged_late(run(1), 10, worker_1, worker_2)});

    EXPECT_EQ(streams.pending_rows(), 0u);
}

TEST(Streams, KeepOwnerHolderAndCountOfAClaimedEntry) {
    const Streams streams = after({added(run(1), 10), delivered(run(1), 10, worker_1),
                                   claimed(run(1), 10, worker_1, worker_2, 2)});

    const Streams::Row* const row = streams.pending_row(run(1), entry(10), consumer(worker_2));
    ASSERT_NE(row, nullptr);
    EXPECT_EQ(row->owner, consumer(worker_2));
    EXPECT_EQ(row->holder, worker_2);
    EXPECT_EQ(row->since, 3u);
    EXPECT_EQ(row->delivery_count, 2u);
    EXPECT_EQ(streams.pending_rows(), 1u);
}

TEST(Streams, KeepThePendingRowOfATrimmedEntry) {
    const Streams streams =
        after({added(run(1), 10), delivered(run(1), 10, worker_1), removed(run(1), 10, 0, 1)});

    EXPECT_EQ(streams.length(runs_stream), 0u);
    EXPECT_EQ(streams.pending_rows(), 1u);
    EXPECT_EQ(streams.unread(), 0u);
}

TEST(Streams, ForgetThatATrimmedEntryWasUnread) {
    EXPECT_EQ(after({added(run(1), 10), removed(run(1), 10, 1)}).unread(), 0u);
}

TEST(Streams, DropRowsThatVanishWithoutAnAcknowledgement) {
    const Streams streams = after({added(run(1), 10), delivered(run(1), 10, worker_1),
                                   dropped_pending(run(1), 10, worker_1, Dropped::entry_gone)});

    EXPECT_EQ(streams.pending_rows(), 0u);
}

TEST(Streams, KeepDeadLettersApart) {
    const Streams streams = after({added(run(1), 10), dead_lettered(run(1), 500)});

    EXPECT_EQ(streams.dead_letters(), 1u);
    EXPECT_EQ(streams.length(runs_stream), 1u);
    EXPECT_EQ(streams.unread(), 1u);
}

TEST(Streams, LetWhoeverReplaysDeadLettersReadThem) {
    const auto of_dead_letter = [](const Step& original) {
        auto delivery = *original.as<model::Delivered>();
        delivery.entry.stream = dead_stream;
        return step(original.actor, original.subject, delivery);
    };
    const Streams streams =
        after({added(run(1), 10), dead_lettered(run(1), 500),
               of_dead_letter(delivered(run(1), 500, worker_1, 1, audit_group))});

    EXPECT_EQ(streams.pending_rows(), 1u);
    EXPECT_EQ(streams.unread(), 1u) << "run-1 itself";
    EXPECT_EQ(streams.dead_letters(), 1u);
}

TEST(Streams, CountDeliveriesOfEntriesThatWereNeverAdded) {
    const Streams streams =
        after({delivered(run(1), 10, worker_1), claimed(run(2), 20, worker_1, worker_2)});

    EXPECT_EQ(streams.strays(), 2u);
    EXPECT_EQ(streams.pending_rows(), 2u);
    EXPECT_EQ(streams.unread(), 0u);
}

TEST(Streams, FindTheEntryOfAStepThatNoLongerKnowsItsRun) {
    const Streams streams = after({added(run(1), 10), delivered(run(1), 10, worker_1),
                                   acknowledged(Subject::none, 10, worker_1)});

    EXPECT_EQ(streams.pending_rows(), 0u);
}

// ------------------------------------------------------------------ what losses undo

const std::vector<Step> delivered_once = {added(run(1), 10), delivered(run(1), 10, worker_1)};

Streams after_loss(std::vector<Step> steps, const Step& loss) {
    steps.push_back(loss);
    return after(std::move(steps));
}

TEST(Streams, LoseAnEntryWithItsRows) {
    const Streams streams = after_loss(delivered_once, broker_forgot(run(1), 10, Lost::entry));

    EXPECT_EQ(streams.length(runs_stream), 0u);
    EXPECT_EQ(streams.pending_rows(), 0u);
    EXPECT_EQ(streams.unread(), 0u);
}

TEST(Streams, MakeAForgottenDeliveryUnread) {
    const Streams streams = after_loss(delivered_once, broker_forgot(run(1), 10, Lost::delivery));

    EXPECT_EQ(streams.pending_rows(), 0u);
    EXPECT_EQ(streams.unread(), 1u);
}

TEST(Streams, DeliverAgainWhatTheyHadForgottenToHaveDelivered) {
    std::vector<Step> steps = delivered_once;
    steps.push_back(broker_forgot(run(1), 10, Lost::delivery));
    const Streams streams = after_loss(steps, delivered(run(1), 10, worker_2));

    EXPECT_EQ(streams.pending_rows(), 1u);
    EXPECT_EQ(streams.unread(), 0u);
    EXPECT_EQ(streams.strays(), 0u);
}

TEST(Streams, ForgetTheDeliveryOfAnAcknowledgedEntry) {
    std::vector<Step> steps = delivered_once;
    steps.push_back(acknowledged(run(1), 10, worker_1));
    const Streams streams = after_loss(steps, broker_forgot(run(1), 10, Lost::delivery));

    EXPECT_EQ(streams.pending_rows(), 0u);
    EXPECT_EQ(streams.unread(), 1u);
}

TEST(Streams, ForgetTheDeliveryToOneGroupAlone) {
    std::vector<Step> steps = delivered_once;
    steps.push_back(delivered(run(1), 10, worker_2, 1, audit_group));
    steps.push_back(acknowledged(run(1), 10, worker_1));
    const Streams settled =
        after_loss(steps, broker_forgot(run(1), 10, Lost::delivery, republisher));
    const Streams pending = after_loss(steps, broker_forgot(run(1), 10, Lost::delivery, worker_2));

    EXPECT_EQ(settled.pending_rows(), 1u) << "worker 2 still has it for the other group";
    EXPECT_EQ(pending.pending_rows(), 0u);
    EXPECT_EQ(settled.unread() + pending.unread(), 2u);
}

TEST(Streams, MakeAForgottenAcknowledgementPendingAgain) {
    std::vector<Step> steps = delivered_once;
    steps.push_back(acknowledged(run(1), 10, worker_1));
    const Streams streams =
        after_loss(steps, broker_forgot(run(1), 10, Lost::acknowledgement, worker_1));

    EXPECT_EQ(streams.pending_rows(), 1u);
    EXPECT_EQ(streams.pending_row(run(1), entry(10), consumer(worker_1))->holder, worker_1);
}

TEST(Streams, GiveAForgottenClaimBack) {
    std::vector<Step> steps = delivered_once;
    steps.push_back(claimed(run(1), 10, worker_1, worker_2));
    const Streams streams = after_loss(steps, broker_forgot(run(1), 10, Lost::claim, worker_1));

    const Streams::Row* const row = streams.pending_row(run(1), entry(10), consumer(worker_1));
    EXPECT_EQ(row->owner, consumer(worker_1));
    EXPECT_EQ(row->holder, worker_1);
    EXPECT_EQ(streams.pending_rows(), 1u);
}

TEST(Streams, BringARemovedEntryBack) {
    const Streams unread = after(
        {added(run(1), 10), removed(run(1), 10, 1), broker_forgot(run(1), 10, Lost::removal)});
    const Streams read = after({added(run(1), 10), delivered(run(1), 10, worker_1),
                                removed(run(1), 10), broker_forgot(run(1), 10, Lost::removal)});

    EXPECT_EQ(unread.length(runs_stream), 1u);
    EXPECT_EQ(unread.unread(), 1u);
    EXPECT_EQ(read.unread(), 0u);
}

TEST(Streams, LoseADeadLetter) {
    EXPECT_EQ(
        after({dead_lettered(run(1), 500), broker_forgot_dead_letter(run(1), 500)}).dead_letters(),
        0u);
}

TEST(Streams, TakeAnIdAgainThatALossHadFreed) {
    const Streams streams =
        after({added(run(1), 10), broker_forgot(run(1), 10, Lost::entry), added(run(1), 10)});

    EXPECT_EQ(streams.length(runs_stream), 1u);
    EXPECT_EQ(streams.unread(), 1u);
}

TEST(Streams, AreEmptyOnceCleared) {
    Streams streams =
        after({added(run(1), 10), delivered(run(1), 10, worker_1),
               delivered(run(1), 10, worker_2, 1, audit_group), dead_lettered(run(1), 500)});

    streams.clear();

    EXPECT_EQ(streams.pending_rows() + streams.unread() + streams.dead_letters(), 0u);
    EXPECT_EQ(streams.length(runs_stream), 0u);
    streams.observe(history({added(run(2), 20)}).front());
    EXPECT_EQ(streams.unread(), 1u) << "the groups of the trial before are forgotten";
}

}  // namespace
}  // namespace redeliver::properties
