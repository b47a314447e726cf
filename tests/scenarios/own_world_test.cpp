#include "scenarios/own_world.h"

#include <gmock/gmock.h>

#include "model/subjects.h"
#include "properties/promise.h"

namespace redeliver::scenarios {
namespace {

using namespace std::chrono_literals;
using properties::Holds;

using Seen = OwnStep<0>;

/// Counts: holds when it was shown `wanted` steps of our own kind.
class SeenSoOften final : public properties::Promise {
public:
    explicit SeenSoOften(std::uint32_t wanted)
        : Promise({"seen_so_often", "Our step is recorded so many times.", sim::kinds_of<Seen>,
                   properties::PromiseCard::About::the_end},
                  {}),
          wanted_(wanted) {}
    void observe(const sim::Step&) override { ++seen_; }
    void settle() override {
        matters();
        if (seen_ != wanted_) owed(sim::Subject::none, "was seen another number of times");
    }
    void clear() override { seen_ = 0; }

private:
    std::uint32_t wanted_;
    std::uint32_t seen_ = 0;
};

TEST(OwnWorld, RunsAnActorAnewAfterEveryCrash) {
    OwnWorld own(1);
    own.add_actor("clock", [](sim::Process& self) { self.record(sim::Subject::none, Seen{}); });
    own.add_fault({sim::AtInstant{sim::at(1s)}, sim::Crash{.restart_after = 1s}, "clock"});
    own.add_fault({sim::AtInstant{sim::at(3s)}, sim::Crash{.restart_after = 1s}, "clock"});

    EXPECT_EQ(own.judge(std::make_unique<SeenSoOften>(3u), 60s).holds, Holds::holds);
}

TEST(OwnWorld, GivesAnActorWhatThePublisherAdded) {
    OwnWorld own(1);
    own.add_publisher(4, 10ms);
    own.add_actor("reader", [&](sim::Process& self) {
        BrokerClient group(self, own.redis(), 1s);
        group.create_group();
        while (true) {
            const auto batch = group.read_new("reader", 10, 1s);
            for (const auto& entry : batch.value().entries) self.record(run_in(entry), Seen{});
        }
    });

    EXPECT_EQ(own.judge(std::make_unique<SeenSoOften>(4u), 10s).holds, Holds::holds);
}

TEST(OwnWorld, DrawsInstantsFromTheSeed) {
    const OwnWorld first(7);
    const OwnWorld same(7);
    const OwnWorld other(8);

    EXPECT_EQ(first.draw_instant(1h), same.draw_instant(1h));
    EXPECT_NE(first.draw_instant(1h), other.draw_instant(1h));
    EXPECT_NE(first.draw_instant(1h, 0), first.draw_instant(1h, 1));
    EXPECT_LT(first.draw_instant(1us), sim::at(1us));
}

TEST(OwnWorld, RefusesAFaultAtANodeThatIsNotThere) {
    OwnWorld own(1);
    own.add_fault({sim::AtInstant{sim::at(1s)}, sim::Crash{}, "nobody"});

    EXPECT_THROW(own.judge(std::make_unique<SeenSoOften>(0u), 60s), sim::PlanError);
}

TEST(FirstViolation, StopsAtTheFirstSeedThatIsViolated) {
    const auto trial = [](std::uint64_t seed, std::uint64_t threshold) {
        properties::Verdict verdict{.holds = Holds::holds};
        if (seed >= threshold)
            verdict = {.holds = Holds::violated,
                       .step = 53,
                       .subject = model::run_of(3),
                       .evidence = "was never mailed"};
        return verdict;
    };

    const auto found = first_violation(10, trial, std::uint64_t{4});

    ASSERT_TRUE(found);
    EXPECT_EQ(text(*found), "seed 4, step 53: run-3 was never mailed");
    EXPECT_FALSE(first_violation(10, trial, std::uint64_t{11}));
}

TEST(RunIn, NamesNoRunForAnEntryThatWasTrimmed) { EXPECT_EQ(run_in({}), sim::Subject::none); }

}  // namespace
}  // namespace redeliver::scenarios
