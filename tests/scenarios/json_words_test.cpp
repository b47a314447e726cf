#include "scenarios/json/words.h"

#include <gtest/gtest.h>

#include <string_view>
#include <utility>

#include "scenarios/policies.h"

namespace redeliver::scenarios {
namespace {

/// The compiler's own name for a value: empty when the enumeration has none for it.
template <auto value>
constexpr std::string_view enumerator() {
    const std::string_view whole = __PRETTY_FUNCTION__;  // "… [with auto value = Point::start; …]"
    const auto from = whole.find("value = ") + 8;
    const std::string_view named = whole.substr(from, whole.find_first_of(";]", from) - from);
    if (named.starts_with('(')) return {};
    return named.substr(named.rfind(':') + 1);
}

template <class Enum, std::size_t... number>
void expect_words_are_enumerators(json::Words words, std::index_sequence<number...>) {
    EXPECT_EQ(words.size(), (std::size_t{!enumerator<Enum(number)>().empty()} + ...));
    const std::string_view names[] = {enumerator<Enum(number)>()...};
    for (std::size_t each = 0; each < words.size(); ++each) EXPECT_EQ(words[each], names[each]);
}

template <class Enum>
class WordsTest : public testing::Test {};

using Enumerations =
    testing::Types<RetryKey, PublishOrder, AcknowledgePolicy, ThresholdUnit, ClaimPolicy,
                   Deduplicate, MarkDone, CommitUnit, LockOrder, ShortCircuit, OnFailure,
                   JudgePoison, PoisonActions, StatusChanges, ConsumerNames, OnStart, GiveBack,
                   OutboxRemoval, OutboxLock, Republish, Prune, TrimPolicy, Appendfsync, UniqueKey,
                   SynchronousCommit, Replication, FaultKind, model::Content, sim::CrashOf,
                   sim::Point, sim::Ways, properties::Terms::Excuse>;
TYPED_TEST_SUITE(WordsTest, Enumerations);

TYPED_TEST(WordsTest, AreTheNamesOfAllEnumeratorsInTheirOrder) {
    expect_words_are_enumerators<TypeParam>(json::words_of(TypeParam{}),
                                            std::make_index_sequence<40>{});
}

TEST(PolicyTable, HasEveryPolicyAtItsNumber) {
    const auto table = policy_table();

    ASSERT_EQ(table.size(), 26u);
    for (std::size_t number = 0; number < table.size(); ++number) {
        EXPECT_EQ(static_cast<std::size_t>(table[number].policy), number);
        EXPECT_TRUE(table[number].path.starts_with("/system/")) << table[number].path;
        EXPECT_FALSE(table[number].values.empty()) << table[number].path;
    }
    EXPECT_EQ((enumerator<static_cast<Policy>(26)>()), "") << "a policy came without its line";
}

}  // namespace
}  // namespace redeliver::scenarios
