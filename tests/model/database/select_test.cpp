#include <gtest/gtest.h>

#include "tests/model/database/conversation.h"

namespace redeliver::model::database {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Rows 1 to 6; n is 30, null, 10, 20, 10, 40; the odd ones have a name. Everything is tried without
// and with a plain index that serves.
class SelectTest : public testing::TestWithParam<std::vector<Index>> {
protected:
    SelectTest() {
        const std::vector<Value> numbers = {30, nullptr, 10, 20, 10, 40};
        for (std::size_t place = 0; place < numbers.size(); ++place) {
            const Value name = place % 2 == 0 ? Value("n" + std::to_string(place + 1)) : Value{};
            db.ask(alice, item::insert(place + 1, name, numbers[place]));
        }
    }
    std::vector<std::int64_t> ids(Select select) {
        const Result answer = db.ask(alice, select);
        std::vector<std::int64_t> found;
        for (std::size_t row = 0; row < answer.rows.size(); ++row)
            found.push_back(answer.rows.at(row, item::id).integer());
        EXPECT_EQ(answer.affected, found.size());
        return found;
    }
    std::vector<std::int64_t> where(Condition condition) {
        return ids(item::select({std::move(condition)}));
    }
    Conversation db{item::schema(GetParam())};
};

INSTANTIATE_TEST_SUITE_P(WithIndexes, SelectTest,
                         testing::Values(std::vector<Index>{},
                                         std::vector<Index>{{"n_idx", {item::n}}},
                                         std::vector<Index>{{"note_n_idx", {item::note, item::n}},
                                                            {"n_id_idx", {item::n, item::id}}},
                                         std::vector<Index>{{"name_idx", {item::note}}}));

TEST_P(SelectTest, FindsRowsByEachComparison) {
    EXPECT_THAT(where(eq(item::n, 10)), ElementsAre(3, 5));
    EXPECT_THAT(where(ne(item::n, 10)), ElementsAre(1, 4, 6));
    EXPECT_THAT(where(lt(item::n, 20)), ElementsAre(3, 5));
    EXPECT_THAT(where(le(item::n, 20)), ElementsAre(3, 4, 5));
    EXPECT_THAT(where(gt(item::n, 20)), ElementsAre(1, 6));
    EXPECT_THAT(where(ge(item::n, 20)), ElementsAre(1, 4, 6));
    EXPECT_THAT(where(is_null(item::n)), ElementsAre(2));
    EXPECT_THAT(where(is_not_null(item::name)), ElementsAre(1, 3, 5));
    EXPECT_THAT(where(in(item::n, {40, 30})), ElementsAre(1, 6));
}

TEST_P(SelectTest, NeverMatchesWhatComparesWithNull) {
    EXPECT_THAT(where(eq(item::n, nullptr)), IsEmpty());
    EXPECT_THAT(where(ne(item::n, nullptr)), IsEmpty());
    EXPECT_THAT(where(ge(item::n, nullptr)), IsEmpty());
    EXPECT_THAT(where(eq(item::name, nullptr)), IsEmpty());
    EXPECT_THAT(where(in(item::n, {nullptr, 20})), ElementsAre(4));
    EXPECT_THAT(where(in(item::n, {})), IsEmpty());
}

TEST_P(SelectTest, WantsEveryConditionToHold) {
    EXPECT_THAT(ids(item::select({eq(item::n, 10), gt(item::id, 3)})), ElementsAre(5));
    EXPECT_THAT(ids(item::select({ge(item::n, 10), lt(item::n, 40), gt(item::n, 10)})),
                ElementsAre(1, 4));
    EXPECT_THAT(ids(item::select({eq(item::name, "n3"), eq(item::n, 20)})), IsEmpty());
    EXPECT_THAT(ids(item::select({eq(item::n, 10), eq(item::n, 20)})), IsEmpty());
    EXPECT_THAT(ids(item::select({eq(item::id, 1), eq(item::id, 2)})), IsEmpty());
}

TEST_P(SelectTest, PutsNullsLastAscendingAndFirstDescendingAndTiesByAge) {
    Select all = item::select();
    all.order = {{item::n}};
    EXPECT_THAT(ids(all), ElementsAre(3, 5, 4, 1, 6, 2));

    all.order = {{item::n, Order::Direction::descending}};
    EXPECT_THAT(ids(all), ElementsAre(2, 6, 1, 4, 3, 5));

    all.order = {{item::n}, {item::id, Order::Direction::descending}};
    EXPECT_THAT(ids(all), ElementsAre(5, 3, 4, 1, 6, 2));
}

TEST_P(SelectTest, LimitsAfterOrdering) {
    Select some = item::select({gt(item::n, 5)});
    some.order = {{item::n}};
    some.limit = 3;
    EXPECT_THAT(ids(some), ElementsAre(3, 5, 4));

    some.order = {{item::n, Order::Direction::descending}};
    EXPECT_THAT(ids(some), ElementsAre(6, 1, 4));

    some.order = {};
    EXPECT_THAT(ids(some), ElementsAre(1, 3, 4));

    some.limit = 0;
    EXPECT_THAT(ids(some), IsEmpty());
}

TEST_P(SelectTest, FollowsRowsThroughUpdatesOfWhatItSearchesBy) {
    db.ask(alice, Begin{});
    db.ask(alice, item::set_n({eq(item::n, 10)}, 15));
    EXPECT_THAT(where(eq(item::n, 15)), ElementsAre(3, 5));
    EXPECT_THAT(where(lt(item::n, 20)), ElementsAre(3, 5)) << "once each";
    EXPECT_THAT(where(eq(item::n, 10)), IsEmpty());
    EXPECT_EQ(db.ask(bob, item::select({eq(item::n, 10)})).affected, 2u);

    db.ask(alice, Rollback{});

    EXPECT_THAT(where(eq(item::n, 15)), IsEmpty());
    EXPECT_THAT(where(eq(item::n, 10)), ElementsAre(3, 5));
}

}  // namespace
}  // namespace redeliver::model::database
