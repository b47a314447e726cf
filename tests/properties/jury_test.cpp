#include "properties/jury.h"

#include <gmock/gmock.h>

#include <set>

#include "tests/properties/story.h"

namespace redeliver::properties {
namespace {

using namespace story;

TEST(Promises, HaveNamesSentencesAndFoldsOfTheirOwn) {
    std::set<std::string_view> names;
    for (const PromiseInfo& info : promises()) {
        const auto property = make_property(info.name, {});
        ASSERT_NE(property, nullptr) << info.name;
        EXPECT_EQ(property->name(), info.name);
        EXPECT_EQ(property->promise(), info.promise);
        EXPECT_EQ(info.promise.back(), '.') << info.name;
        names.insert(info.name);
    }
    EXPECT_EQ(names.size(), 13u);
}

TEST(Promises, AreNothingUnderAnotherName) {
    EXPECT_EQ(make_property("exactly_one_replay", {}), nullptr);
    EXPECT_EQ(make_property("", {}), nullptr);
}

TEST(Promises, HaveHeadlinesFirst) {
    EXPECT_EQ(promises()[0].name, "exactly_one_reply");
    EXPECT_EQ(promises()[1].name, "no_run_lost");
    EXPECT_EQ(promises()[2].name, "poison_is_isolated");
    EXPECT_EQ(promises()[3].name, "replies_keep_session_order");
}

TEST(Verdicts, AreSpelledInOneWord) {
    EXPECT_EQ(text(Holds::holds), "holds");
    EXPECT_EQ(text(Holds::violated), "violated");
    EXPECT_EQ(text(Holds::vacuous), "vacuous");
    EXPECT_EQ(text(Holds::inconclusive), "inconclusive");
}

class JuryTest : public testing::Test {
protected:
    JuryTest() {
        for (const PromiseInfo& info : promises()) jury.add(make_property(info.name, {}));
    }

    std::vector<Verdict> judge_all(std::vector<Step> steps) {
        jury.reset();
        for (const Step& step : history(std::move(steps))) jury.observe(step);
        return jury.conclude(sim::Ending::quiet);
    }

    Jury jury;
};

const std::vector<Step> two_replies_and_a_lost_run = {accepted(run(5)),
                                                      accepted(run(6)),
                                                      replied(run(5)),
                                                      replied(run(5)),
                                                      became(run(5), Status::done),
                                                      sent(run(6), worker_1, Operation::xack)};

TEST_F(JuryTest, JudgesEveryPromiseAsItWouldBeJudgedAlone) {
    const auto verdicts = judge_all(two_replies_and_a_lost_run);

    for (std::size_t index = 0; index < jury.size(); ++index) {
        const auto alone = make_property(promises()[index].name, {});
        const Verdict verdict = judge(*alone, history(two_replies_and_a_lost_run));
        EXPECT_EQ(verdicts[index].holds, verdict.holds) << alone->name();
        EXPECT_EQ(verdicts[index].step, verdict.step) << alone->name();
        EXPECT_EQ(verdicts[index].at, verdict.at) << alone->name();
        EXPECT_EQ(verdicts[index].evidence, verdict.evidence) << alone->name();
    }
}

TEST_F(JuryTest, NamesTheLastStepOfAnyKindOnWhatIsOwedSomething) {
    const Verdict no_run_lost = judge_all(two_replies_and_a_lost_run)[1];

    EXPECT_EQ(no_run_lost.subject, run(6));
    EXPECT_EQ(no_run_lost.step, 6u);
    EXPECT_EQ(no_run_lost.at, sim::at(std::chrono::seconds{6}));
}

TEST_F(JuryTest, LeavesTheStepOfADeedAsItIs) {
    EXPECT_EQ(judge_all(two_replies_and_a_lost_run)[0].step, 4u);
}

TEST_F(JuryTest, JudgesTheNextTrialAsIfItWereTheFirst) {
    // One breach of every promise, and losses, so that something is left over if anything can be.
    const std::vector<Step> everything_breaks = {
        submitted(run(1)),
        submitted(run(2), Content::poison),
        retried(run(1)),
        accepted(run(1)),
        accepted(run(1, 2)),
        accepted(run(2)),
        answered(run(3), run(3)),
        gave_up(run(4)),
        added(run(1), 10),
        delivered(run(1), 10, worker_1),
        work_started(run(1), worker_1),
        work_started(run(1), worker_2),
        run_unknown(run(1), worker_1),
        acknowledged(run(1), 10, worker_1),
        dead_lettered(run(1), 500),
        replied(run(2)),
        replied(run(1)),
        replied(run(1)),
        delivered(run(2), 20, worker_1),
        broker_forgot(run(6), 60, model::BrokerForgot::What::entry),
        database_forgot(run(6), model::DatabaseForgot::What::run)};
    const std::vector<Step> little = {submitted(run(6)), accepted(run(6)), added(run(6), 10),
                                      answered(run(6), run(6))};
    const auto fresh = judge_all(little);
    const auto broken = judge_all(everything_breaks);

    const auto again = judge_all(little);

    for (std::size_t index = 0; index < jury.size(); ++index) {
        EXPECT_EQ(again[index].holds, fresh[index].holds) << jury[index].name();
        EXPECT_EQ(again[index].step, fresh[index].step) << jury[index].name();
        EXPECT_EQ(again[index].evidence, fresh[index].evidence) << jury[index].name();
        EXPECT_EQ(again[index].excused, 0u) << jury[index].name();
        if (jury[index].name() != "stream_growth_is_bounded") {
            EXPECT_EQ(broken[index].holds, Holds::violated) << jury[index].name();
        }
    }
}

/// A property of a user's own.
class CountsSteps final : public Property {
public:
    std::string_view name() const override { return "counts_steps"; }
    std::string_view promise() const override { return "There are no more than two restarts."; }
    sim::KindMask observes() const override { return sim::kinds_of<sim::Restarted>; }
    void observe(const Step&) override { ++steps_; }
    Verdict conclude(sim::Ending) override {
        return {.holds = steps_ > 2 ? Holds::violated : Holds::holds};
    }
    void reset() override { steps_ = 0; }

private:
    int steps_ = 0;
};

TEST_F(JuryTest, TakesAPropertyOfAUsersOwnAndShowsItWhatItAskedFor) {
    jury.add(std::make_unique<CountsSteps>());

    EXPECT_EQ(judge_all({restarted(worker_1), restarted(worker_2), crashed(worker_1)}).back().holds,
              Holds::holds);
    EXPECT_EQ(
        judge_all({restarted(worker_1), restarted(worker_2), restarted(worker_1)}).back().holds,
        Holds::violated);
}

TEST(Judge, FoldsFromTheBeginningEachTime) {
    CountsSteps property;
    const History steps = history({restarted(worker_1), restarted(worker_1)});

    EXPECT_EQ(judge(property, steps).holds, Holds::holds);
    EXPECT_EQ(judge(property, steps).holds, Holds::holds);
}

}  // namespace
}  // namespace redeliver::properties
