#include "sim/names.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sim/ensure.h"

namespace redeliver::sim {
namespace {

const std::vector<Series> series = {{"run-", ""}, {"run-", "b"}, {"session-", ""}};
constexpr std::uint32_t runs = first_free_series;
constexpr std::uint32_t second_runs = first_free_series + 1;

TEST(Subjects, AreWrittenAsPrefixNumberSuffix) {
    EXPECT_EQ(subject_text(series, subject_of(runs, 6)), "run-6");
    EXPECT_EQ(subject_text(series, subject_of(second_runs, 6)), "run-6b");
}

TEST(Subjects, SeriesThatDifferBySuffixOnlyAreToldApart) {
    EXPECT_EQ(parse_subject(series, "run-6"), subject_of(runs, 6));
    EXPECT_EQ(parse_subject(series, "run-6b"), subject_of(second_runs, 6));
}

TEST(Subjects, OfNoSeriesHaveNoText) {
    EXPECT_EQ(subject_text(series, Subject::none), std::nullopt);
    EXPECT_EQ(subject_text(series, subject_of(NodeId{3})), std::nullopt);
    EXPECT_EQ(subject_text(series, subject_of(first_free_series + 3, 1)), std::nullopt);
}

class NoSubject : public testing::TestWithParam<const char*> {};

TEST_P(NoSubject, IsParsed) { EXPECT_EQ(parse_subject(series, GetParam()), std::nullopt); }

INSTANTIATE_TEST_SUITE_P(Texts, NoSubject,
                         testing::Values("", "run-", "run-0", "run-06", "run--6", "run-+6",
                                         "run- 6", "run-6 ", " run-6", "xrun-6", "run-6c", "run-b",
                                         "worker-1", "run-16777216", "run-4294967297",
                                         "run-99999999999999"));

TEST(Subjects, TheLargestNumberFits) {
    EXPECT_EQ(parse_subject(series, "run-16777215"), subject_of(runs, max_subject_number));
}

RC_GTEST_PROP(Subjects, SurviveBeingWrittenAndRead, ()) {
    const auto which = *rc::gen::inRange(runs, runs + 3);
    const auto number = *rc::gen::inRange<std::uint32_t>(1, max_subject_number + 1);
    const Subject subject = subject_of(which, number);
    RC_ASSERT(parse_subject(series, *subject_text(series, subject)) == subject);
    RC_ASSERT(series_of(subject) == which);
    RC_ASSERT(number_of(subject) == number);
}

TEST(Names, FollowTheOrderOfFirstUse) {
    Names names;
    EXPECT_EQ(names.intern("alice"), Name{1});
    EXPECT_EQ(names.intern("bob"), Name{2});
    EXPECT_EQ(names.intern("alice"), Name{1});
    EXPECT_EQ(names.size(), 2u);
}

TEST(Names, GiveTheirTextBack) {
    Names names;
    const Name alice = names.intern("alice");
    for (int other = 0; other < 1000; ++other) names.intern(std::to_string(other));
    EXPECT_EQ(names.text(alice), "alice");
    EXPECT_EQ(names.text(Name::none), "");
}

TEST(Names, OfAnotherWorldAreNoticed) {
    Names names;
    EXPECT_THROW(names.text(Name{1}), HarnessError);
}

}  // namespace
}  // namespace redeliver::sim
