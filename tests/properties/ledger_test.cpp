#include "properties/ledger.h"

#include <gmock/gmock.h>

#include <set>

#include "tests/properties/story.h"

namespace redeliver::properties {
namespace {

using namespace story;
using Failed = model::WorkResult;
using DatabaseLost = model::DatabaseForgot::What;

Ledger after(std::vector<Step> steps) {
    Ledger ledger;
    for (const Step& step : history(std::move(steps))) ledger.observe(step);
    return ledger;
}

const std::vector<Step> one_run_from_end_to_end = {submitted(run(6)),
                                                   accepted(run(6), 4),
                                                   added(run(6), 10),
                                                   answered(run(6), run(6)),
                                                   delivered(run(6), 10, worker_1),
                                                   work_started(run(6), worker_1),
                                                   work_finished(run(6), worker_1),
                                                   replied(run(6), 4),
                                                   became(run(6), Status::done),
                                                   acknowledged(run(6), 10, worker_1)};

TEST(Ledger, TellsTheBiographyOfARun) {
    const Ledger ledger = after(one_run_from_end_to_end);

    const Biography& biography = *ledger.find(run(6));
    EXPECT_EQ(biography.intention, run(6));
    EXPECT_EQ(biography.session, 4u);
    EXPECT_EQ(biography.publications, 1u);
    EXPECT_EQ(biography.deliveries, 1u);
    EXPECT_EQ(biography.executions, 1u);
    EXPECT_EQ(biography.replies, 1u);
    EXPECT_EQ(biography.acknowledgements, 1u);
    EXPECT_EQ(biography.status, Status::done);
    EXPECT_TRUE(biography.was_told);
    EXPECT_EQ(ledger.find_intention(run(6))->attempts, 1u);
}

TEST(Ledger, SumsUpARunFromEndToEnd) {
    const Totals totals = after(one_run_from_end_to_end).totals();

    EXPECT_EQ(totals.intentions, 1u);
    EXPECT_EQ(totals.attempted, 1u);
    EXPECT_EQ(totals.accepted, 1u);
    EXPECT_EQ(totals.told, 1u);
    EXPECT_EQ(totals.published, 1u);
    EXPECT_EQ(totals.delivered, 1u);
    EXPECT_EQ(totals.executions, 1u);
    EXPECT_EQ(totals.effects, 1u);
    EXPECT_EQ(totals.replies, 1u);
    EXPECT_EQ(totals.acknowledged, 1u);
    EXPECT_EQ(totals.done, 1u);
    EXPECT_EQ(totals.lost + totals.duplicated + totals.unexpected + totals.pending + totals.unread +
                  totals.recovered + totals.dead_lettered,
              0u);
}

TEST(Ledger, CountsARunWithoutReplyAndWithoutFailureAsLost) {
    EXPECT_EQ(after({accepted(run(1))}).totals().lost, 1u);
    EXPECT_EQ(after({accepted(run(1)), replied(run(1))}).totals().lost, 0u);
    EXPECT_EQ(after({accepted(run(1)), failed(run(1))}).totals().lost, 0u);
    EXPECT_EQ(after({accepted(run(1)), became(run(1), Status::done)}).totals().lost, 1u);
}

TEST(Ledger, CountsARunAsLostThatAUserWasToldAndTheDatabaseForgot) {
    EXPECT_EQ(after({accepted(run(1)), answered(run(1), run(1)),
                     database_forgot(run(1), DatabaseLost::run)})
                  .totals()
                  .lost,
              1u);
    EXPECT_EQ(after({accepted(run(1)), database_forgot(run(1), DatabaseLost::run)}).totals().lost,
              0u)
        << "nobody knows of it";
}

TEST(Ledger, CountsRepliesBeyondTheFirstAsDuplicated) {
    const Totals totals =
        after({accepted(run(1)), replied(run(1)), replied(run(1)), replied(run(1))}).totals();

    EXPECT_EQ(totals.duplicated, 2u);
    EXPECT_EQ(totals.effects, 3u);
}

TEST(Ledger, CountsWhatCameFromNowhereAsUnexpected) {
    EXPECT_EQ(after({replied(run(1))}).totals().unexpected, 1u);
    EXPECT_EQ(after({delivered(run(1), 10, worker_1)}).totals().unexpected, 1u);
    EXPECT_EQ(after({replied(run(1)), accepted(run(1))}).totals().unexpected, 0u);
}

TEST(Ledger, CountsARunThatWasClaimedAndAnsweredOnceAsRecovered) {
    const std::vector<Step> rescue = {accepted(run(1)), added(run(1), 10),
                                      delivered(run(1), 10, worker_1),
                                      claimed(run(1), 10, worker_1, worker_2)};
    std::vector<Step> answered_once = rescue;
    answered_once.push_back(replied(run(1)));

    EXPECT_EQ(after(rescue).totals().recovered, 0u);
    EXPECT_EQ(after(answered_once).totals().recovered, 1u);
    EXPECT_EQ(after(answered_once).totals().claimed, 1u);
    EXPECT_EQ(after(answered_once).totals().delivered, 2u);
}

TEST(Ledger, CountsWhatTheGatesKeptOut) {
    const Totals totals =
        after({accepted(run(1)), submission_absorbed(run(1, 2), run(1)), reply_absorbed(run(1))})
            .totals();

    EXPECT_EQ(totals.refused, 1u);
    EXPECT_EQ(totals.absorbed, 1u);
    EXPECT_EQ(totals.accepted, 1u);
}

TEST(Ledger, CountsFailuresDeadLettersAndWhatIsStillThere) {
    const Totals totals = after({accepted(run(1)), added(run(1), 10), added(run(2), 20),
                                 delivered(run(1), 10, worker_1), work_started(run(1), worker_1),
                                 work_finished(run(1), worker_1, Failed::failed),
                                 dead_lettered(run(1), 500), failed(run(1))})
                              .totals();

    EXPECT_EQ(totals.failures, 1u);
    EXPECT_EQ(totals.failed, 1u);
    EXPECT_EQ(totals.dead_lettered, 1u);
    EXPECT_EQ(totals.pending, 1u);
    EXPECT_EQ(totals.unread, 1u);
}

TEST(Ledger, FollowsALossOfTheDatabase) {
    const Ledger ledger = after({accepted(run(1)), replied(run(1)), became(run(1), Status::done),
                                 database_forgot(run(1), DatabaseLost::reply),
                                 database_forgot(run(1), DatabaseLost::status, Status::pending)});

    EXPECT_EQ(ledger.find(run(1))->replies, 0u);
    EXPECT_EQ(ledger.find(run(1))->status, Status::pending);
    EXPECT_EQ(ledger.unfinished_runs(), 1u);
    EXPECT_EQ(ledger.totals().forgotten, 1u);
}

TEST(Ledger, GivesEveryTotalANameOfItsOwn) {
    std::set<std::string_view> names;
    for (const NamedTotal& total : named_totals()) names.insert(total.name);

    EXPECT_EQ(names.size(), sizeof(Totals) / sizeof(std::uint64_t));
    EXPECT_EQ(Totals{.dead_lettered = 7}.*named_totals()[21].value, 7u);
    EXPECT_EQ(named_totals()[21].name, "dead_lettered");
}

// ------------------------------------------------------------------ what a supervisor asks

TEST(LedgerSupervision, IsSettledOnceARunHasComeToItsEnd) {
    Ledger ledger;
    std::vector<bool> settled;
    for (const Step& step : history(one_run_from_end_to_end)) {
        ledger.observe(step);
        settled.push_back(ledger.is_settled());
    }

    EXPECT_THAT(settled, testing::ElementsAre(false, false, false, false, false, false, false,
                                              false, false, true));
    EXPECT_EQ(ledger.intentions(), 1u);
}

TEST(LedgerSupervision, WaitsForASubmissionUntilItIsAnsweredOrGivenUp) {
    EXPECT_EQ(after({submitted(run(1)), submitted(run(2))}).submissions_under_way(), 2u);
    EXPECT_EQ(after({submitted(run(1)), retried(run(1))}).submissions_under_way(), 1u);
    EXPECT_EQ(after({submitted(run(1)), gave_up(run(1))}).submissions_under_way(), 0u);
    EXPECT_EQ(after({submitted(run(1)), answered(run(1), run(1), Answer::duplicate)})
                  .submissions_under_way(),
              0u);
    EXPECT_EQ(after({submitted(run(1)), answered(run(1), Subject::none, Answer::rejected)})
                  .submissions_under_way(),
              1u);
}

TEST(LedgerSupervision, DoesNotWaitForAUserThatCrashed) {
    EXPECT_EQ(after({submitted(run(1)), submitted(run(2)), crashed(user)}).submissions_under_way(),
              0u);
    EXPECT_EQ(after({submitted(run(1)), crashed(user), retried(run(1))}).submissions_under_way(),
              1u);
    EXPECT_EQ(after({submitted(run(1)), crashed(user), gave_up(run(1))}).submissions_under_way(),
              0u);
    EXPECT_EQ(after({submitted(run(1)), crashed(worker_1)}).submissions_under_way(), 1u);
}

TEST(LedgerSupervision, EndsWorkWithItsWorker) {
    const std::vector<Step> two_works = {work_started(run(1), worker_1),
                                         work_started(run(2), worker_2)};
    const auto and_then = [&](const Step& next) {
        std::vector<Step> steps = two_works;
        steps.push_back(next);
        return after(steps).works_in_progress();
    };

    EXPECT_EQ(after(two_works).works_in_progress(), 2u);
    EXPECT_EQ(and_then(work_finished(run(1), worker_1)), 1u);
    EXPECT_EQ(and_then(crashed(worker_1)), 1u);
    EXPECT_EQ(and_then(crashed(gateway)), 2u);
}

TEST(LedgerSupervision, CountsOnlyRunsThatAreNeitherDoneNorFailed) {
    EXPECT_EQ(after({accepted(run(1)), accepted(run(2)), accepted(run(3)),
                     became(run(1), Status::done), failed(run(2))})
                  .unfinished_runs(),
              1u);
    EXPECT_EQ(
        after({accepted(run(1)), failed(run(1)), became(run(1), Status::done)}).unfinished_runs(),
        0u);
    EXPECT_EQ(
        after({accepted(run(1)), database_forgot(run(1), DatabaseLost::run)}).unfinished_runs(),
        0u);
}

TEST(LedgerSupervision, SeesProgressWhenARunEndsOrThePendingListShrinks) {
    using std::chrono::seconds;
    EXPECT_EQ(after({accepted(run(1)), became(run(1), Status::running)}).last_progress(),
              sim::Instant{});
    EXPECT_EQ(after({accepted(run(1)), failed(run(1)), added(run(1), 10)}).last_progress(),
              sim::at(seconds{2}));
    EXPECT_EQ(after({added(run(1), 10), delivered(run(1), 10, worker_1),
                     claimed(run(1), 10, worker_1, worker_2), acknowledged(run(1), 10, worker_2)})
                  .last_progress(),
              sim::at(seconds{4}));
}

TEST(LedgerSupervision, IsAsNewOnceCleared) {
    Ledger ledger = after({submitted(run(1)), accepted(run(1)), added(run(1), 10),
                           delivered(run(1), 10, worker_1), work_started(run(1), worker_1),
                           submitted(run(2)), failed(run(1))});

    ledger.clear();

    EXPECT_TRUE(ledger.is_settled());
    EXPECT_EQ(ledger.intentions(), 0u);
    EXPECT_EQ(ledger.last_progress(), sim::Instant{});
    for (const NamedTotal& total : named_totals())
        EXPECT_EQ(ledger.totals().*total.value, 0u) << total.name;
}

}  // namespace
}  // namespace redeliver::properties
