// The judge's own logic. Whether it can judge at all, mutations.sh shows.

#include <gmock/gmock.h>

#include "tests/conformance/coverage.h"
#include "tests/conformance/replication_link.h"
#include "tests/conformance/reply_frame.h"
#include "tests/conformance/shrink.h"
#include "tests/conformance/words.h"

namespace redeliver::conformance {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(ReplyLength, EndsAReplyWhereItEnds) {
    EXPECT_EQ(reply_length("+OK\r\n:7\r\n"), 5u);
    EXPECT_EQ(reply_length("$3\r\n\r\nx\r\n+OK\r\n"), 9u);
    EXPECT_EQ(reply_length("*2\r\n*1\r\n:1\r\n$-1\r\n_\r\n"), 17u);
    EXPECT_EQ(reply_length("%1\r\n+a\r\n*-1\r\n_\r\n"), 13u);
    EXPECT_EQ(reply_length("*0\r\n+OK\r\n"), 4u);
}

TEST(ReplyLength, IsUnknownWhileBytesAreMissing) {
    const std::string whole = "*2\r\n$3\r\nabc\r\n%1\r\n+a\r\n:1\r\n";
    for (std::size_t size = 0; size < whole.size(); ++size)
        EXPECT_EQ(reply_length(whole.substr(0, size)), std::nullopt) << size;
    EXPECT_EQ(reply_length(whole), whole.size());
}

TEST(ReplyLength, RefusesWhatBeginsNoReply) {
    EXPECT_THROW(reply_length("hello\r\n"), std::runtime_error);
    EXPECT_THROW(reply_length("*x\r\n"), std::runtime_error);
}

TEST(CoverageCells, NameOptionsByTheWordsThatDecide) {
    EXPECT_THAT(options_of({"xadd", "s", "MAXLEN", "~", "3", "LIMIT", "1", "5-*", "f", "v"}),
                ElementsAre("LIMIT", "MAXLEN~", "ms-*"));
    EXPECT_THAT(options_of({"XREADGROUP", "GROUP", "g", "a", "BLOCK", "1", "STREAMS", "s", ">"}),
                ElementsAre(">", "BLOCK"));
    EXPECT_THAT(options_of({"XLEN", "s"}), ElementsAre("-"));
    EXPECT_EQ(name_of({"xgroup", "create", "s"}), "XGROUP CREATE");
}

TEST(CoverageCells, NameOutcomesByTheKindOfTheReply) {
    EXPECT_EQ(outcome_of("-NOGROUP No such key\r\n", false), "NOGROUP");
    EXPECT_EQ(outcome_of("*-1\r\n", true), "waited:nil");
    EXPECT_EQ(outcome_of("_\r\n", false), "nil");
    EXPECT_EQ(outcome_of(":0\r\n", false), "0");
    EXPECT_EQ(outcome_of("*1\r\n:0\r\n", false), "value");
}

TEST(CoverageCells, KnowErrorTextsWithoutTheNamesInThem) {
    EXPECT_EQ(error_text("-NOGROUP No such key 's' or consumer group 'g'\r\n"),
              "NOGROUP No such key '...' or consumer group '...'");
    EXPECT_EQ(error_text("+OK\r\n"), "");
}

TEST(DeclaredCells, MissWhatWasNeverMet) {
    const DeclaredCells declared("XLEN | - | 0 n\ntext ERR no such key\n");
    Coverage coverage;
    coverage.command({"XLEN", "s"}, true);
    coverage.answered({"XLEN", "s"}, ":3\r\n", false);

    EXPECT_THAT(declared.missing_from(coverage),
                ElementsAre("XLEN | - | 0", "text ERR no such key"));

    coverage.answered({"XLEN", "s"}, ":0\r\n", false);
    coverage.answered({"XSETID", "s", "1"}, "-ERR no such key\r\n", false);
    EXPECT_THAT(declared.missing_from(coverage), IsEmpty());
}

TEST(DeclaredCells, CanBeWrittenFromWhatWasMet) {
    Coverage coverage;
    coverage.answered({"XLEN", "s"}, ":3\r\n", false);
    coverage.answered({"XLEN", "s"}, ":0\r\n", false);

    EXPECT_EQ(DeclaredCells::text_of(coverage, 1), "XLEN | - | 0 n\n");
    EXPECT_THAT(DeclaredCells(DeclaredCells::text_of(coverage, 1)).missing_from(coverage),
                IsEmpty());
}

TEST(RecordCounter, CountsTransactionsOnceAndHousekeepingNever) {
    std::string stream;
    for (const Words& words :
         {Words{"SELECT", "0"}, Words{"XADD", "s", "1-0", "f", "v"}, Words{"MULTI"},
          Words{"XACK", "s", "g", "1-0"}, Words{"XDEL", "s", "1-0"}, Words{"EXEC"}, Words{"PING"}})
        append_request(words, stream);
    RecordCounter counter;
    counter.feed(stream.substr(0, stream.size() - 30));
    EXPECT_EQ(counter.records(), 1u);
    counter.feed(stream.substr(stream.size() - 30));
    EXPECT_EQ(counter.records(), 2u);
}

TEST(Shrinking, LeavesOnlyWhatTheFailureNeeds) {
    Script script;
    script.protocols.resize(3);
    script.steps = {Send{0, {{"SET", "a", "1"}, {"XADD", "s", "MAXLEN", "5", "*", "f", "v"}}},
                    MoveClock{std::chrono::seconds{1}}, Send{1, {{"PING"}}}, Disconnect{2},
                    Send{1, {{"DEL", "s", "t", "u"}}}};
    const auto deletes_u = [](const Script& candidate) {
        for (const Step& step : candidate.steps)
            if (const auto* const send = std::get_if<Send>(&step))
                for (const Words& words : send->burst)
                    if (words.front() == "DEL" && words.back() == "u") return true;
        return false;
    };
    const Script small = shrink(script, deletes_u);

    ASSERT_EQ(small.steps.size(), 1u);
    EXPECT_THAT(std::get<Send>(small.steps[0]).burst, ElementsAre(Words{"DEL", "u"}));
}

TEST(Shrinking, StopsWithTheBestWhenItsBudgetIsSpent) {
    Script script;
    script.protocols.resize(1);
    for (int i = 0; i < 100; ++i) script.steps.push_back(Send{0, {{"PING"}}});
    std::size_t plays = 0;
    const auto never_again = [&plays](const Script&) {
        ++plays;
        return false;
    };
    EXPECT_EQ(shrink(script, never_again, {.plays = 3}).steps.size(), 100u);
    EXPECT_EQ(plays, 3u);
}

TEST(ScriptForShell, QuotesWhatBashOrRedisCliWouldRead) {
    Script script;
    script.protocols.resize(1);
    script.steps = {Send{0, {{"XADD", "s", "*", "it's", std::string("\0\r", 2)}}},
                    MoveClock{std::chrono::milliseconds{-5}}};
    const std::string shell = as_shell(script);

    EXPECT_THAT(shell, HasSubstr(R"(say 0 'XADD s * "it'\''s" "\x00\x0d"')"));
    EXPECT_THAT(shell, HasSubstr("# the server's clock is stepped by -5000 us\n"));
}

}  // namespace
}  // namespace redeliver::conformance
