#include "properties/reconcile.h"

#include <gmock/gmock.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

#include "tests/properties/story.h"

namespace redeliver::properties {
namespace {

using namespace story;
using BrokerLost = model::BrokerForgot::What;
using DatabaseLost = model::DatabaseForgot::What;
using testing::ElementsAre;
using testing::IsEmpty;

Ledger after(const std::vector<Step>& steps) {
    Ledger ledger;
    for (const Step& step : history(steps)) ledger.observe(step);
    return ledger;
}

TEST(Reckoning, CountsWhatTheFinalFactsShow) {
    const FinalFacts facts = {
        .runs = {{run(1), Status::done}, {run(2), Status::pending}, {run(3), Status::failed}},
        .replies = {run(1), run(1), run(1)},
        .stream = {run(1), run(2)},
        .pending = {run(2)},
        .dead_letters = {run(3)},
        .told = {run(1), run(4)}};

    EXPECT_EQ(reckon(facts), (Reckoning{.lost = 2,  // run-2, and run-4 that a user was told.
                                        .duplicated = 2,
                                        .pending = 1,
                                        .dead_lettered = 1,
                                        .rows = 3,
                                        .replies = 3,
                                        .entries = 2}));
}

TEST(Reckoning, SaysAboutWhichRunFactsAndLedgerDisagree) {
    const Ledger ledger = after({accepted(run(6)), added(run(6), 10), replied(run(6))});

    EXPECT_THAT(
        disagreements(
            {.runs = {{run(6), Status::pending}}, .replies = {run(6), run(6)}, .stream = {run(6)}},
            ledger),
        ElementsAre("run-6: replies 2 in truth, 1 in the ledger"));
    EXPECT_THAT(
        disagreements(
            {.runs = {{run(6), Status::pending}}, .replies = {run(6)}, .stream = {run(6)}}, ledger),
        IsEmpty());
}

TEST(Reckoning, NoticesARunThatTheLedgerHasNeverHeardOf) {
    EXPECT_THAT(disagreements({.dead_letters = {run(9)}}, Ledger{}),
                ElementsAre("run-9: dead letters 1 in truth, 0 in the ledger"));
}

// ------------------------------------------------------------------ the ledger against the truth

/// A back end too plain to doubt: two tables, a stream with one group, dead letters. It tells every
/// step that the real one would, and can undo things as a loss does.
class PlainTruth {
public:
    std::vector<Step> steps;

    void accept(Subject run) {
        if (rows_.contains(run)) return;
        rows_[run] = Status::pending;
        steps.push_back(accepted(run));
    }
    void tell(Subject run) {
        told_.push_back(run);
        steps.push_back(answered(model::intention_of(run), run));
    }
    void publish(Subject run) {
        const std::uint64_t ms = ++last_ms_;
        entries_[ms] = {.run = run};
        steps.push_back(added(run, ms));
    }
    void deliver(std::uint64_t ms, NodeId worker) {
        Entry* const entry = find(ms);
        if (entry == nullptr || !entry->is_present || entry->is_delivered) return;
        entry->is_delivered = entry->is_pending = true;
        entry->owner = worker;
        steps.push_back(delivered(entry->run, ms, worker));
    }
    void claim(std::uint64_t ms, NodeId worker) {
        Entry* const entry = find(ms);
        if (entry == nullptr || !entry->is_pending) return;
        steps.push_back(claimed(entry->run, ms, entry->owner, worker));
        entry->owner = worker;
    }
    void acknowledge(std::uint64_t ms) {
        Entry* const entry = find(ms);
        if (entry == nullptr || !entry->is_pending) return;
        entry->is_pending = false;
        steps.push_back(acknowledged_late(entry->run, ms, worker_1, entry->owner));
    }
    void trim(std::uint64_t ms) {
        Entry* const entry = find(ms);
        if (entry == nullptr || !entry->is_present) return;
        entry->is_present = false;
        steps.push_back(
            removed(entry->run, ms, entry->is_delivered ? 0 : 1, entry->is_pending ? 1 : 0));
    }
    void drop(std::uint64_t ms) {
        Entry* const entry = find(ms);
        if (entry == nullptr || !entry->is_pending) return;
        entry->is_pending = false;
        steps.push_back(dropped_pending(entry->run, ms, entry->owner,
                                        model::PendingDropped::Cause::consumer_deleted));
    }
    void bury(Subject run) {
        const std::uint64_t ms = 1000 + ++last_ms_;
        dead_letters_[ms] = run;
        steps.push_back(dead_lettered(run, ms));
    }
    void reply(Subject run) {
        ++replies_[run];
        steps.push_back(replied(run));
    }
    void change(Subject run, Status status) {
        if (!rows_.contains(run)) return;
        rows_[run] = status;
        steps.push_back(became(run, status));
    }
    void lose_row(Subject run) {
        if (rows_.erase(run) == 0) return;
        steps.push_back(database_forgot(run, DatabaseLost::run));
    }
    void lose_status(Subject run) {
        if (!rows_.contains(run)) return;
        rows_[run] = Status::pending;
        steps.push_back(database_forgot(run, DatabaseLost::status, Status::pending));
    }
    void lose_reply(Subject run) {
        if (replies_[run] == 0) return;
        --replies_[run];
        steps.push_back(database_forgot(run, DatabaseLost::reply));
    }
    void lose_entry(std::uint64_t ms) {
        Entry* const entry = find(ms);
        if (entry == nullptr || !entry->is_present) return;
        const Subject run = entry->run;
        entries_.erase(ms);
        steps.push_back(broker_forgot(run, ms, BrokerLost::entry));
    }
    void lose_delivery(std::uint64_t ms) {
        Entry* const entry = find(ms);
        if (entry == nullptr || !entry->is_delivered) return;
        entry->is_delivered = entry->is_pending = false;
        steps.push_back(broker_forgot(entry->run, ms, BrokerLost::delivery, entry->owner));
    }
    void lose_acknowledgement(std::uint64_t ms) {
        Entry* const entry = find(ms);
        if (entry == nullptr || !entry->is_delivered || entry->is_pending) return;
        entry->is_pending = true;
        steps.push_back(broker_forgot(entry->run, ms, BrokerLost::acknowledgement, entry->owner));
    }
    void lose_removal(std::uint64_t ms) {
        Entry* const entry = find(ms);
        if (entry == nullptr || entry->is_present) return;
        entry->is_present = true;
        steps.push_back(broker_forgot(entry->run, ms, BrokerLost::removal));
    }
    void lose_a_dead_letter() {
        if (dead_letters_.empty()) return;
        const auto last = std::prev(dead_letters_.end());
        steps.push_back(broker_forgot_dead_letter(last->second, last->first));
        dead_letters_.erase(last);
    }

    FinalFacts facts() const {
        FinalFacts facts;
        for (const auto& [run, status] : rows_) facts.runs.push_back({run, status});
        for (const auto& [run, count] : replies_)
            facts.replies.insert(facts.replies.end(), count, run);
        for (const auto& [ms, entry] : entries_) {
            if (entry.is_present) facts.stream.push_back(entry.run);
            if (entry.is_pending) facts.pending.push_back(entry.run);
        }
        for (const auto& [ms, run] : dead_letters_) facts.dead_letters.push_back(run);
        facts.told = told_;
        return facts;
    }
    std::uint64_t unread() const {
        return static_cast<std::uint64_t>(std::ranges::count_if(entries_, [](const auto& each) {
            return each.second.is_present && !each.second.is_delivered;
        }));
    }
    std::uint64_t unfinished() const {
        return static_cast<std::uint64_t>(std::ranges::count_if(rows_, [](const auto& row) {
            return row.second != Status::done && row.second != Status::failed;
        }));
    }

private:
    struct Entry {
        Subject run{};
        NodeId owner = NodeId::none;
        bool is_present = true;
        bool is_delivered = false;
        bool is_pending = false;
    };

    Entry* find(std::uint64_t ms) {
        const auto found = entries_.find(ms);
        return found == entries_.end() ? nullptr : &found->second;
    }

    std::map<Subject, Status> rows_;
    std::map<Subject, std::size_t> replies_;
    std::map<std::uint64_t, Entry> entries_;
    std::map<std::uint64_t, Subject> dead_letters_;
    std::vector<Subject> told_;
    std::uint64_t last_ms_ = 0;
};

/// One thing that happens in it, as four small numbers.
struct Deed {
    int what;
    std::uint32_t message;
    std::uint64_t ms;
    bool second;
};

void perform(PlainTruth& truth, const Deed& deed) {
    const Subject subject = run(deed.message, deed.second ? 2 : 1);
    const NodeId worker = deed.second ? worker_2 : worker_1;
    switch (deed.what) {
    case 0: return truth.accept(subject);
    case 1: return truth.tell(subject);
    case 2: return truth.publish(subject);
    case 3: return truth.deliver(deed.ms, worker);
    case 4: return truth.claim(deed.ms, worker);
    case 5: return truth.acknowledge(deed.ms);
    case 6: return truth.trim(deed.ms);
    case 7: return truth.drop(deed.ms);
    case 8: return truth.bury(subject);
    case 9: return truth.reply(subject);
    case 10: return truth.change(subject, deed.ms % 2 == 0 ? Status::done : Status::failed);
    case 11: return truth.lose_row(subject);
    case 12: return truth.lose_status(subject);
    case 13: return truth.lose_reply(subject);
    case 14: return truth.lose_entry(deed.ms);
    case 15: return truth.lose_delivery(deed.ms);
    case 16: return truth.lose_acknowledgement(deed.ms);
    case 17: return truth.lose_removal(deed.ms);
    default: return truth.lose_a_dead_letter();
    }
}

rc::Gen<Deed> any_deed() {
    // Few runs and few entries, so that deeds meet.
    return rc::gen::construct<Deed>(rc::gen::inRange(0, 19), rc::gen::inRange<std::uint32_t>(1, 4),
                                    rc::gen::inRange<std::uint64_t>(1, 9),
                                    rc::gen::arbitrary<bool>());
}

RC_GTEST_PROP(LedgerReconciled, EqualsTheFinalFactsWhateverHappened, ()) {
    const auto deeds = *rc::gen::container<std::vector<Deed>>(any_deed());
    PlainTruth truth;
    for (const Deed& deed : deeds) perform(truth, deed);

    const Ledger ledger = after(truth.steps);

    const auto lines = disagreements(truth.facts(), ledger);
    RC_ASSERT(lines.empty());
    RC_ASSERT(reckon(truth.facts()) == reckon(ledger));
    RC_ASSERT(ledger.unread_entries() == truth.unread());
    RC_ASSERT(ledger.unfinished_runs() == truth.unfinished());
}

/// One run of each fate; every step in it counts.
std::vector<Step> many_fates() {
    PlainTruth truth;
    truth.accept(run(1));
    truth.tell(run(1));
    truth.publish(run(1));  // 1-0
    truth.deliver(1, worker_1);
    truth.reply(run(1));
    truth.change(run(1), Status::done);
    truth.acknowledge(1);
    truth.trim(1);
    truth.publish(run(2));  // 2-0
    truth.deliver(2, worker_1);
    truth.drop(2);
    truth.bury(run(3));
    truth.accept(run(4));
    truth.publish(run(4));  // 4-0, for the dead letter has taken a number as well.
    truth.lose_entry(4);
    truth.lose_row(run(4));
    truth.tell(run(5));
    truth.accept(run(6));
    truth.change(run(6), Status::failed);
    truth.publish(run(7));  // 5-0
    truth.deliver(5, worker_2);
    truth.publish(run(8));  // 6-0
    return truth.steps;
}

/// Suppressing a kind of step must show: which of them changes the reckoning.
class SuppressedStep : public testing::TestWithParam<sim::StepKind> {};

TEST_P(SuppressedStep, ChangesTheReckoning) {
    std::vector<Step> steps = many_fates();
    const Reckoning whole = reckon(after(steps));
    ASSERT_GT(std::erase_if(steps, [](const Step& step) { return step.kind == GetParam(); }), 0u);

    EXPECT_NE(reckon(after(steps)), whole);
}

std::string kind_name(const testing::TestParamInfo<sim::StepKind>& kind) {
    return std::string(model::kind_text(kind.param));
}

INSTANTIATE_TEST_SUITE_P(OfKind, SuppressedStep,
                         testing::Values(model::Accepted::kind, model::Answered::kind,
                                         model::StatusChanged::kind, model::Added::kind,
                                         model::Delivered::kind, model::ReplyStored::kind,
                                         model::Acknowledged::kind, model::EntryRemoved::kind,
                                         model::PendingDropped::kind, model::DeadLettered::kind,
                                         model::BrokerForgot::kind, model::DatabaseForgot::kind),
                         kind_name);

}  // namespace
}  // namespace redeliver::properties
