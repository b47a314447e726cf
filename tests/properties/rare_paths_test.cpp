#include "properties/rare_paths.h"

#include <gmock/gmock.h>

#include <ostream>
#include <set>

#include "model/database/results.h"
#include "tests/properties/story.h"

namespace redeliver::properties {
namespace {

using model::database::SqlState;
using namespace story;
using Lost = model::BrokerForgot::What;
using Result = model::WorkResult;
using By = model::KeptOut::By;

RarePaths after(std::vector<Step> steps) {
    RarePaths paths;
    paths.start({.broker = broker, .database = database});
    for (const Step& step : history(std::move(steps))) paths.observe(step);
    return paths;
}

/// A history that comes through a rare path, and one that comes close.
struct Journey {
    RarePath path;
    std::vector<Step> through;
    std::vector<Step> past;
};

void PrintTo(const Journey& journey, std::ostream* out) {
    *out << rare_paths()[static_cast<std::size_t>(journey.path)].name;
}

std::string name_of(const testing::TestParamInfo<Journey>& info) {
    return std::string(rare_paths()[static_cast<std::size_t>(info.param.path)].name);
}

class RarePathTest : public testing::TestWithParam<Journey> {};

TEST_P(RarePathTest, IsReachedOnce) {
    EXPECT_EQ(after(GetParam().through).count(GetParam().path), 1u);
}

TEST_P(RarePathTest, IsNotReachedByWhatComesClose) {
    EXPECT_EQ(after(GetParam().past).count(GetParam().path), 0u);
}

Step moved_clock() {
    return step(broker, sim::subject_of(broker), sim::ClockStepped{.by = -3'000'000});
}
Step failed_over() {
    return step(broker, sim::subject_of(broker), sim::FailedOver{.lag = 500'000});
}
using Disturbance = sim::Disturbed::What;
Step disturbed(Disturbance what) {
    return step(broker, sim::subject_of(broker), sim::Disturbed{.what = what});
}
Step slowed(std::uint32_t percent) {
    return step(worker_1, sim::subject_of(worker_1), sim::Slowed{.percent = percent});
}
Step partitioned() {
    return step(worker_1, sim::subject_of(worker_1), sim::Partitioned{.to = broker});
}
Step partition_healed() {
    return step(worker_1, sim::subject_of(worker_1), sim::PartitionHealed{.to = broker});
}
Step connection_reset() {
    return step(worker_1, sim::subject_of(worker_1), sim::ConnectionReset{.server = broker});
}
Step statement_failed(SqlState state) {
    return step(worker_1, run(6),
                model::StatementFailed{.state = static_cast<std::uint32_t>(state)});
}

Step rolled_back() { return step(worker_1, run(6), model::RolledBack{.reason = 2}); }

const std::vector<Step> delivered_to_1 = {accepted(run(6)), added(run(6), 10),
                                          delivered(run(6), 10, worker_1)};
const std::vector<Step> worked_on_by_1 = {accepted(run(6)), added(run(6), 10),
                                          delivered(run(6), 10, worker_1),
                                          work_started(run(6), worker_1)};
const std::vector<Step> finished_by_1 = {
    accepted(run(6)), added(run(6), 10), delivered(run(6), 10, worker_1),
    work_started(run(6), worker_1), work_finished(run(6), worker_1)};

std::vector<Step> operator+(std::vector<Step> begun, const std::vector<Step>& more) {
    begun.insert(begun.end(), more.begin(), more.end());
    return begun;
}
std::vector<Step> operator+(std::vector<Step> begun, const Step& last) {
    begun.push_back(last);
    return begun;
}
using Steps = std::vector<Step>;

INSTANTIATE_TEST_SUITE_P(
    UsersAndGateways, RarePathTest,
    testing::Values(
        Journey{RarePath::retried_submission, {retried(run(6))}, {submitted(run(6))}},
        Journey{RarePath::answer_lost_to_user,
                {submitted(run(6)), accepted(run(6)), lost(run(6), user, Operation::submit)},
                {submitted(run(6)), lost(run(6), user, Operation::submit), accepted(run(6)),
                 answered(run(6), run(6))}},
        Journey{RarePath::answered_as_duplicate,
                {answered(run(6), run(6), Answer::duplicate)},
                {answered(run(6), run(6), Answer::accepted)}},
        Journey{RarePath::submission_rejected,
                {answered(run(6), Subject::none, Answer::rejected)},
                {answered(run(6), run(6), Answer::duplicate)}},
        Journey{RarePath::user_gave_up, {submitted(run(6)), gave_up(run(6))}, {submitted(run(6))}},
        Journey{RarePath::submission_absorbed,
                {submission_absorbed(run(6, 2), run(6))},
                {reply_absorbed(run(6))}},
        Journey{RarePath::second_run_for_one_message,
                {accepted(run(6)), accepted(run(6, 2))},
                {accepted(run(6)), accepted(run(7))}},
        Journey{RarePath::published_before_insert,
                {added(run(6), 10), accepted(run(6))},
                {accepted(run(6)), added(run(6), 10)}},
        Journey{RarePath::entry_published_twice,
                {added(run(6), 10), added(run(6), 20)},
                {added(run(6), 10), added(run(6, 2), 20)}},
        Journey{RarePath::republished,
                {accepted(run(6)), added(run(6), 10, republisher)},
                {accepted(run(6)), added(run(6), 10, gateway)}}),
    name_of);

std::string numbered(const testing::TestParamInfo<std::vector<Step>>& info) {
    return "way_" + std::to_string(info.index + 1);
}

/// The ways in which a row is committed and its id not published.
class HoleTest : public testing::TestWithParam<std::vector<Step>> {};

TEST_P(HoleTest, IsAnInsertWithoutPublish) {
    EXPECT_EQ(after(GetParam()).count(RarePath::insert_without_publish), 1u);
}

INSTANTIATE_TEST_SUITE_P(
    Holes, HoleTest,
    testing::Values(
        Steps{accepted(run(6)), crashed(gateway), cut(run(6), gateway, Operation::xadd)},
        Steps{accepted(run(6)), crashed(gateway), cut(run(6), gateway, Operation::insert_run)},
        Steps{accepted(run(6)), lost(run(6), gateway, Operation::xadd)},
        Steps{accepted(run(6)), refused(run(6), gateway, Operation::xadd)},
        Steps{accepted(run(6)), lost(run(6), gateway, Operation::insert_run)},
        Steps{lost(run(6), gateway, Operation::commit), accepted(run(6))},
        Steps{crashed(gateway), cut(run(6), gateway, Operation::insert_run), accepted(run(6))},
        // The message is run-6, but what its second handling inserts is run-6b.
        Steps{accepted(run(6, 2)), lost(run(6), gateway, Operation::insert_run)}),
    numbered);

/// What looks like a hole and is none.
class NoHoleTest : public testing::TestWithParam<std::vector<Step>> {};

TEST_P(NoHoleTest, IsNoInsertWithoutPublish) {
    EXPECT_EQ(after(GetParam()).count(RarePath::insert_without_publish), 0u);
}

INSTANTIATE_TEST_SUITE_P(
    NoHoles, NoHoleTest,
    testing::Values(
        Steps{accepted(run(6)), added(run(6), 10), lost(run(6), gateway, Operation::xadd)},
        Steps{accepted(run(6)), lost(run(6), second_gateway, Operation::xadd)},
        Steps{accepted(run(6)), lost(run(6), gateway, Operation::xack)},
        Steps{added(run(6), 10), lost(run(6), gateway, Operation::insert_run), accepted(run(6))},
        Steps{submitted(run(6)), lost(run(6), gateway, Operation::insert_run), retried(run(6)),
              accepted(run(6))}),
    numbered);

INSTANTIATE_TEST_SUITE_P(
    Workers, RarePathTest,
    testing::Values(
        Journey{RarePath::crash_during_work, worked_on_by_1 + crashed(worker_1),
                finished_by_1 + crashed(worker_1)},
        Journey{RarePath::crash_between_work_and_xack, finished_by_1 + crashed(worker_1),
                finished_by_1 + Steps{acknowledged(run(6), 10, worker_1), crashed(worker_1)}},
        Journey{RarePath::crash_during_acknowledged_work,
                delivered_to_1 + Steps{acknowledged(run(6), 10, worker_1),
                                       work_started(run(6), worker_1), crashed(worker_1)},
                worked_on_by_1 + crashed(worker_1)},
        Journey{RarePath::claimed_from_a_dead_worker,
                delivered_to_1 + Steps{crashed(worker_1), restarted(worker_1),
                                       claimed(run(6), 10, worker_1, worker_2)},
                Steps{crashed(worker_1), restarted(worker_1)} + delivered_to_1 +
                    claimed(run(6), 10, worker_1, worker_2)},
        Journey{RarePath::claimed_from_a_live_worker,
                delivered_to_1 + claimed(run(6), 10, worker_1, worker_2),
                delivered_to_1 + claimed(run(6), 10, worker_1, worker_1)},
        Journey{RarePath::claimed_while_worked_on,
                worked_on_by_1 + claimed(run(6), 10, worker_1, worker_2),
                finished_by_1 + claimed(run(6), 10, worker_1, worker_2)},
        Journey{RarePath::claimed_before_its_work_began,
                Steps{delivered(run(7), 20, worker_1)} + worked_on_by_1 +
                    claimed(run(7), 20, worker_1, worker_2),
                worked_on_by_1 + claimed(run(6), 10, worker_1, worker_2)},
        Journey{RarePath::paused_past_threshold,
                delivered_to_1 + Steps{paused(worker_1), resumed(worker_1),
                                       claimed(run(6), 10, worker_1, worker_2)},
                Steps{paused(worker_1), resumed(worker_1)} + delivered_to_1 +
                    claimed(run(6), 10, worker_1, worker_2)},
        Journey{RarePath::worked_on_by_two_at_once, worked_on_by_1 + work_started(run(6), worker_2),
                worked_on_by_1 + Steps{crashed(worker_1), work_started(run(6), worker_2)}},
        Journey{RarePath::reread_own_entry, delivered_to_1 + reread(run(6), 10, worker_1, 2),
                delivered_to_1},
        Journey{RarePath::reply_absorbed, {reply_absorbed(run(6))}, {replied(run(6))}},
        Journey{RarePath::second_reply_stored,
                {replied(run(6)), replied(run(6))},
                {replied(run(6)), replied(run(7))}},
        Journey{RarePath::short_circuited,
                {short_circuited(run(6), worker_1)},
                {run_unknown(run(6), worker_1)}},
        Journey{RarePath::kept_out_by_mark,
                {kept_out(run(6), worker_1, By::mark)},
                {kept_out(run(6), worker_1, By::status)}},
        Journey{RarePath::kept_out_by_status,
                {kept_out(run(6), worker_1, By::status)},
                {kept_out(run(6), worker_1, By::lease)}},
        Journey{RarePath::kept_out_by_lease,
                {kept_out(run(6), worker_1, By::lease)},
                {kept_out(run(6), worker_1, By::fence)}},
        Journey{RarePath::kept_out_by_fence,
                {kept_out(run(6), worker_1, By::fence)},
                {kept_out(run(6), worker_1, By::mark)}},
        Journey{RarePath::running_run_taken_over,
                {became(run(6), Status::running), became(run(6), Status::running, Status::running)},
                {became(run(6), Status::running)}},
        Journey{RarePath::lease_taken_over,
                {leased(run(6), worker_1, 1), leased(run(6), worker_2, 2)},
                {leased(run(6), worker_1, 1), leased(run(7), worker_2, 1)}},
        Journey{RarePath::late_xack_cleared_anothers_row,
                delivered_to_1 + Steps{claimed(run(6), 10, worker_1, worker_2),
                                       acknowledged_late(run(6), 10, worker_1, worker_2)},
                delivered_to_1 + Steps{claimed(run(6), 10, worker_1, worker_2),
                                       acknowledged(run(6), 10, worker_2)}},
        Journey{RarePath::run_unknown,
                {run_unknown(run(6), worker_1)},
                {short_circuited(run(6), worker_1)}},
        Journey{RarePath::order_broken,
                {accepted(run(5)), accepted(run(6)), replied(run(6)), replied(run(5))},
                {accepted(run(5)), accepted(run(6)), replied(run(5)), replied(run(6))}}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Poison, RarePathTest,
    testing::Values(
        Journey{RarePath::poison_failed,
                Steps{submitted(run(6), Content::poison)} + worked_on_by_1 +
                    work_finished(run(6), worker_1, Result::failed),
                Steps{submitted(run(6), Content::flaky, 1)} + worked_on_by_1 +
                    work_finished(run(6), worker_1, Result::failed)},
        Journey{RarePath::flaky_recovered,
                Steps{submitted(run(6), Content::flaky, 1)} + worked_on_by_1 +
                    Steps{work_finished(run(6), worker_1, Result::failed),
                          work_started(run(6), worker_1), work_finished(run(6), worker_1)},
                Steps{submitted(run(6), Content::flaky, 1)} + finished_by_1},
        Journey{RarePath::killer_struck,
                Steps{submitted(run(6), Content::killer)} + worked_on_by_1 + crashed(worker_1),
                Steps{submitted(run(6))} + worked_on_by_1 + crashed(worker_1)},
        Journey{RarePath::dead_lettered, {dead_lettered(run(6), 500)}, {added(run(6), 10)}},
        Journey{RarePath::dead_lettered_twice,
                {dead_lettered(run(6), 500), dead_lettered(run(6), 600)},
                {dead_lettered(run(6), 500), broker_forgot_dead_letter(run(6), 500),
                 dead_lettered(run(6), 600)}},
        Journey{RarePath::redelivered_after_dead_letter,
                delivered_to_1 +
                    Steps{dead_lettered(run(6), 500), claimed(run(6), 10, worker_1, worker_2)},
                delivered_to_1 +
                    Steps{claimed(run(6), 10, worker_1, worker_2), dead_lettered(run(6), 500)}},
        Journey{
            RarePath::acknowledged_without_dead_letter,
            delivered_to_1 + Steps{judged(run(6), worker_1, 3, model::Judged::As::poison),
                                   acknowledged(run(6), 10, worker_1)},
            delivered_to_1 + Steps{judged(run(6), worker_1, 3, model::Judged::As::poison),
                                   dead_lettered(run(6), 500), acknowledged(run(6), 10, worker_1)}},
        Journey{RarePath::failed_and_replied,
                {replied(run(6)), failed(run(6))},
                {replied(run(6)), became(run(6), Status::done)}}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    TrimmingAndLosses, RarePathTest,
    testing::Values(
        Journey{RarePath::trimmed_unread, {removed(run(6), 10, 1, 0)}, {removed(run(6), 10, 0, 1)}},
        Journey{
            RarePath::trimmed_pending, {removed(run(6), 10, 0, 1)}, {removed(run(6), 10, 1, 0)}},
        Journey{RarePath::pending_dropped_with_consumer,
                delivered_to_1 + dropped_pending(run(6), 10, worker_1,
                                                 model::PendingDropped::Cause::consumer_deleted),
                delivered_to_1 + dropped_pending(run(6), 10, worker_1,
                                                 model::PendingDropped::Cause::entry_gone)},
        Journey{RarePath::broker_forgot_entry,
                {broker_forgot(run(6), 10, Lost::entry)},
                {broker_forgot(run(6), 10, Lost::other)}},
        Journey{RarePath::broker_forgot_acknowledgement,
                {broker_forgot(run(6), 10, Lost::acknowledgement)},
                {broker_forgot(run(6), 10, Lost::entry)}},
        Journey{RarePath::broker_forgot_delivery,
                {broker_forgot(run(6), 10, Lost::delivery)},
                {broker_forgot(run(6), 10, Lost::entry)}},
        Journey{RarePath::broker_forgot_claim,
                {broker_forgot(run(6), 10, Lost::claim)},
                {broker_forgot(run(6), 10, Lost::removal)}},
        Journey{RarePath::broker_forgot_dead_letter,
                {broker_forgot_dead_letter(run(6), 500)},
                {broker_forgot(run(6), 10, Lost::entry)}},
        Journey{RarePath::database_forgot,
                {database_forgot(run(6), model::DatabaseForgot::What::reply)},
                {broker_forgot(run(6), 10, Lost::entry)}},
        Journey{RarePath::rolled_back, {rolled_back()}, {became(run(6), Status::done)}},
        Journey{RarePath::deadlocked,
                {statement_failed(SqlState::deadlock_detected)},
                {statement_failed(SqlState::unique_violation)}},
        Journey{RarePath::too_many_connections,
                {statement_failed(SqlState::too_many_connections)},
                {statement_failed(SqlState::lock_not_available)}},
        Journey{RarePath::lock_waited_in_vain,
                {statement_failed(SqlState::lock_not_available)},
                {statement_failed(SqlState::too_many_connections)}}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    World, RarePathTest,
    testing::Values(
        Journey{RarePath::request_lost,
                {dropped(run(6), worker_1, Operation::xack, sim::Swallowed::request)},
                {dropped(run(6), broker, Operation::xack, sim::Swallowed::reply)}},
        Journey{RarePath::reply_lost_after_apply,
                {dropped(run(6), broker, Operation::xack, sim::Swallowed::reply)},
                {dropped(run(6), worker_1, Operation::xack, sim::Swallowed::request)}},
        Journey{RarePath::commit_answer_lost,
                {dropped(run(6), database, Operation::commit, sim::Swallowed::reply)},
                {dropped(run(6), broker, Operation::xack, sim::Swallowed::reply)}},
        Journey{RarePath::connection_reset, {connection_reset()}, {crashed(worker_1)}},
        Journey{RarePath::partitioned, {partitioned(), partition_healed()}, {partition_healed()}},
        Journey{RarePath::slowed, {slowed(400), slowed(100)}, {slowed(100)}},
        Journey{RarePath::clock_stepped, {moved_clock()}, {failed_over()}},
        Journey{RarePath::failed_over, {failed_over()}, {moved_clock()}},
        Journey{RarePath::machine_lost,
                {crashed(broker, sim::CrashOf::machine)},
                {crashed(broker, sim::CrashOf::process)}},
        Journey{RarePath::broker_restarted,
                {crashed(broker), restarted(broker)},
                {crashed(database), restarted(database)}},
        Journey{RarePath::database_restarted,
                {crashed(database), restarted(database)},
                {crashed(worker_1), restarted(worker_1)}},
        Journey{RarePath::half_open, {disturbed(Disturbance::half_open)}, {connection_reset()}},
        Journey{RarePath::delayed,
                {disturbed(Disturbance::delayed), disturbed(Disturbance::delay_over)},
                {disturbed(Disturbance::delay_over)}},
        Journey{RarePath::clock_drifted,
                {disturbed(Disturbance::clock_drift), disturbed(Disturbance::drift_over)},
                {moved_clock(), disturbed(Disturbance::drift_over)}},
        Journey{RarePath::told,
                {disturbed(Disturbance::ordered), disturbed(Disturbance::order_over)},
                {disturbed(Disturbance::order_over)}}),
    name_of);

TEST(RarePaths, CountEveryRunThatACrashLeavesUnacknowledged) {
    const Steps two_finished = {delivered(run(6), 10, worker_1),
                                delivered(run(7), 20, worker_1),
                                work_started(run(6), worker_1),
                                work_finished(run(6), worker_1),
                                work_started(run(7), worker_1),
                                work_finished(run(7), worker_1),
                                crashed(worker_1)};

    EXPECT_EQ(after(two_finished).count(RarePath::crash_between_work_and_xack), 2u);
}

TEST(RarePaths, LearnFromTheClaimWhoHoldsAnEntryNow) {
    // Worker 2 has it from the claim on, so that worker 1's death no longer matters.
    const Steps claimed_twice =
        delivered_to_1 + Steps{claimed(run(6), 10, worker_1, worker_2), crashed(worker_1),
                               claimed(run(6), 10, worker_2, worker_1)};

    EXPECT_EQ(after(claimed_twice).count(RarePath::claimed_from_a_dead_worker), 0u);
    EXPECT_EQ(after(claimed_twice).count(RarePath::claimed_from_a_live_worker), 2u);
}

TEST(RarePaths, HaveNamesAndMeaningsOfTheirOwn) {
    std::set<std::string_view> names;
    for (const RarePathInfo& info : rare_paths()) {
        names.insert(info.name);
        EXPECT_EQ(info.meaning.back(), '.') << info.name;
        ASSERT_TRUE(find_rare_path(info.name)) << info.name;
        EXPECT_EQ(rare_paths()[static_cast<std::size_t>(*find_rare_path(info.name))].name,
                  info.name);
    }
    EXPECT_EQ(names.size(), rare_path_count);
    EXPECT_EQ(rare_paths()[static_cast<std::size_t>(RarePath::killer_struck)].name,
              "killer_struck");
    EXPECT_EQ(rare_paths()[static_cast<std::size_t>(RarePath::database_restarted)].name,
              "database_restarted");
    EXPECT_FALSE(find_rare_path("no_such_path"));
}

TEST(RarePaths, AreAllUnreachedAfterANewStart) {
    RarePaths paths = after(worked_on_by_1 + Steps{paused(worker_1), dead_lettered(run(6), 500),
                                                   replied(run(6)), crashed(worker_2)});

    paths.start({.broker = broker, .database = database});

    for (const std::uint32_t count : paths.counts()) EXPECT_EQ(count, 0u);
    // Nothing of the trial before is left: neither its work, nor its dead, nor its dead letters.
    for (const Step& step :
         history(delivered_to_1 + Steps{claimed(run(6), 10, worker_1, worker_2),
                                        work_started(run(6), worker_2), replied(run(6))}))
        paths.observe(step);
    EXPECT_EQ(paths.count(RarePath::claimed_from_a_live_worker), 1u);
    EXPECT_EQ(paths.count(RarePath::paused_past_threshold), 0u);
    EXPECT_EQ(paths.count(RarePath::worked_on_by_two_at_once), 0u);
    EXPECT_EQ(paths.count(RarePath::redelivered_after_dead_letter), 0u);
    EXPECT_EQ(paths.count(RarePath::second_reply_stored), 0u);
}

}  // namespace
}  // namespace redeliver::properties
