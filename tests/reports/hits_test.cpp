// The table of effective hits, and whether there are enough of them.

#include "reports/hits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace redeliver::reports {
namespace {

using scenarios::FaultKind;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

scenarios::Exploration with_hits() {
    scenarios::Exploration result;
    result.hits[{FaultKind::crash_worker, sim::Point::before_send}] = {
        .drawn = 30, .struck = 20, .effective = 12};
    result.hits[{FaultKind::reset, {}}] = {.drawn = 9, .struck = 9, .effective = 7};
    return result;
}

TEST(Hits, AreATableOfKindsAndPhases) {
    const std::string text = hits_text(with_hits(), {});
    EXPECT_THAT(text, HasSubstr("before_send"));
    EXPECT_THAT(text, HasSubstr("crash_worker"));
    EXPECT_THAT(text, HasSubstr("12"));
    EXPECT_THAT(text, HasSubstr("reset"));
    EXPECT_THAT(text, Not(HasSubstr("clock_step")));  // Not drawn.
    EXPECT_EQ(hits_text({}, {}), "");
}

TEST(Hits, AreTooFewWhereAnyKindAtAnyPhaseHasFewer) {
    EXPECT_THAT(too_few_hits(with_hits(), 7), IsEmpty());
    EXPECT_THAT(too_few_hits(with_hits(), 8),
                ElementsAre("reset at an instant had 7 effective hits, fewer than 8"));
    EXPECT_EQ(too_few_hits(with_hits(), 13).size(), 2u);
}

TEST(Hits, AreTooFewWhereNothingIsDrawn) {
    EXPECT_THAT(too_few_hits({}, 1),
                ElementsAre("the story draws no faults whose hits could be counted"));
}

TEST(Hits, SayHowManyWereDrawnAndStruck) {
    const Json hits = hits_json(with_hits());
    EXPECT_EQ(hits[0], Json({{"fault", "crash_worker"},
                             {"phase", "before_send"},
                             {"drawn", 30},
                             {"struck", 20},
                             {"effective", 12}}));
}

}  // namespace
}  // namespace redeliver::reports
