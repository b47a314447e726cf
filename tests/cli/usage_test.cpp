// Everything that somebody can type wrong ends with 64 and one line that says what and where.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "tests/cli/program.h"

namespace redeliver::cli {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

struct Mistake {
    std::vector<std::string> arguments;
    std::vector<std::string> words;
};

std::ostream& operator<<(std::ostream& out, const Mistake& mistake) {
    for (const std::string& argument : mistake.arguments) out << argument << ' ';
    return out;
}

class Usage : public testing::TestWithParam<Mistake> {};

TEST_P(Usage, EndsWith64AndOneLineThatHelps) {
    const Finished finished = run_program({.arguments = GetParam().arguments});
    EXPECT_EQ(finished.exit_code, 64);
    EXPECT_EQ(finished.out, "");
    EXPECT_THAT(finished.err, StartsWith("redeliver: "));
    EXPECT_EQ(std::ranges::count(finished.err, '\n'), 1) << finished.err;
    for (const std::string& word : GetParam().words) EXPECT_THAT(finished.err, HasSubstr(word));
    for (const char c : finished.err) EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 32);
}

const std::vector<Mistake> mistakes = {
    {{"serve", "--port", "65536"}, {"--port", "'65536'", "from 0 to 65535"}},
    {{"serve", "--address", "localhost."}, {"--address", "'localhost.'", "IP address"}},
    {{"serve", "--port", "0", "--address", "0.0.0.0"}, {"--address", "0.0.0.0", "--allow-remote"}},
    {{"serve", "--redis-version", "7.1"}, {"--redis-version", "'7.1'", "6.2, 7.0, 7.2, 7.4"}},
    {{"serve", "--max-clients", "0"}, {"--max-clients", "'0'", "from 1"}},
    {{"bench"}, {"--bugs"}},
    {{"bench", "--bugs", "--only", "ack-befor-work"}, {"--only", "'ack-before-work'"}},
    {{"bench", "--bugs", "--strategy", "rundom"}, {"--strategy", "'random'"}},
    {{"bench", "--bugs", "--repeats", "0"}, {"--repeats", "'0'", "from 1"}},
    {{"bench", "--bugs", "--json", "--markdown"}, {"--markdown", "--json"}},
    {{"bench", "--bugs", "--out", ""}, {"--out", "''"}},
    {{"rnu"}, {"no command 'rnu'", "run"}},
    {{"frobnicate"}, {"no command 'frobnicate'", "list"}},
    {{"\x1b[2J"}, {"\\x1b[2J"}},
    {{"run", "--sedes", "3"}, {"--sedes", "--seeds", "redeliver run --help"}},
    {{"run", "crash-befor-xack"}, {"no story 'crash-befor-xack'", "'crash-before-xack'"}},
    {{"run", "zzzzzzzzzz"}, {"no story 'zzzzzzzzzz'", "redeliver list"}},
    {{"run", "\x1b]0;x\x07"}, {"\\x1b]0;x\\x07"}},
    {{"run", "--seeds", "0"}, {"--seeds", "'0'", "from 1 to 1000000000"}},
    {{"run", "--seeds", "-3"}, {"--seeds", "'-3'", "from 1"}},
    {{"run", "--seeds", "many"}, {"--seeds", "'many'", "whole number"}},
    {{"run", "--seeds", "1.5"}, {"--seeds", "'1.5'"}},
    {{"run", "--seeds", ""}, {"--seeds", "''"}},
    {{"run", "--seeds"}, {"--seeds"}},
    {{"run", "--seeds", "2", "--seeds", "3"}, {"--seeds"}},
    {{"run", "--from", "18446744073709551616"},
     {"--from", "18446744073709551616", "18446744073709551615"}},
    {{"run", "crash-before-xack", "--seeds", "2", "--from", "18446744073709551615"},
     {"--from", "18446744073709551615", "2 seeds"}},
    {{"run", "--jobs", "0"}, {"--jobs", "'0'", "from 1 to 256"}},
    {{"run", "--jobs", "-1"}, {"--jobs", "'-1'"}},
    {{"run", "--out", ""}, {"--out"}},
    {{"run", "crash-before-xack", "--set", "worker.idle_treshold=5s"},
     {"--set worker.idle_treshold=5s", "idle_threshold"}},
    {{"run", "crash-before-xack", "--set", "worker.claim=nevr"}, {"claim", "nevr", "never"}},
    {{"run", "crash-before-xack", "--set", "worker.idle_threshold=soon"},
     {"idle_threshold", "soon"}},
    {{"run", "crash-before-xack", "--set", "worker.count=-1"}, {"worker.count=-1"}},
    {{"run", "crash-before-xack", "--set", "nonsense"}, {"nonsense"}},
    {{"run", "crash-before-xack", "--set", ""}, {"--set"}},
    {{"run", "/nowhere/story.json"}, {"/nowhere/story.json", "No such file"}},
    {{"run", "missing.json"}, {"missing.json", "No such file"}},
    {{"run", "/"}, {"cannot read /"}},
    {{"replay"}, {"story is required", "redeliver replay --help"}},
    {{"replay", "crash-before-xack", "twice"}, {"twice"}},
    {{"replay", "crash-before-xack", "--seed", "7x"}, {"--seed", "'7x'"}},
    {{"replay", "crash-before-xack", "--seed", "99999999999999999999"},
     {"--seed", "99999999999999999999"}},
    {{"replay", "crash-before-xack", "--at", "0"}, {"--at", "'0'", "from 1"}},
    {{"replay", "crash-before-xack", "--at", "1000000"}, {"--at", "'1000000'", "from 1 to "}},
    {{"replay", "order-breaks-in-a-grup"}, {"'order-breaks-in-a-group'"}},
    {{"list", "--promises", "--paths"}, {"--promises", "--paths"}},
    {{"list", "extra"}, {"extra"}},
    {{"version", "--verbose"}, {"--verbose"}},
};

INSTANTIATE_TEST_SUITE_P(Mistakes, Usage, testing::ValuesIn(mistakes));

TEST(NoArguments, PrintTheHelpAsAnError) {
    const Finished finished = run_program({.arguments = {}});
    EXPECT_EQ(finished.exit_code, 64);
    EXPECT_EQ(finished.out, "");
    EXPECT_THAT(finished.err, HasSubstr("Begin with:"));
}

class BadFile : public testing::Test {
protected:
    Finished run(const std::string& text) const {
        return run_program({.arguments = {"run", folder.write("story.json", text)}});
    }
    const TemporaryFolder folder;
};

TEST_F(BadFile, NamesTheFileAndTheLineOfBrokenJson) {
    const Finished finished = run("{\n  \"name\": \"mine\",\n  oops\n}");
    EXPECT_EQ(finished.exit_code, 64);
    EXPECT_THAT(finished.err, HasSubstr("story.json:3"));
    EXPECT_EQ(std::ranges::count(finished.err, '\n'), 1);
}

TEST_F(BadFile, NamesTheNearestKey) {
    const Finished finished =
        run(R"({"name": "mine", "story": "s", "system": {"worker": {"idle_treshold": "5s"}}})");
    EXPECT_EQ(finished.exit_code, 64);
    EXPECT_THAT(finished.err, HasSubstr("/system/worker"));
    EXPECT_THAT(finished.err, HasSubstr("idle_threshold"));
}

TEST_F(BadFile, RefusesANameThatCouldLeaveTheOutputFolder) {
    const Finished finished = run(R"({"name": "../../etc", "story": "s"})");
    EXPECT_EQ(finished.exit_code, 64);
    EXPECT_THAT(finished.err, HasSubstr("../../etc"));
}

TEST_F(BadFile, RefusesAFaultAboutANodeThatIsNotThere) {
    const Finished finished = run(R"({"name": "mine", "story": "s", "faults": {"pinned": [
        {"at": "1s", "target": "worker-99", "crash": {"restart_after": "1s"}}]}})");
    EXPECT_EQ(finished.exit_code, 64);
    EXPECT_EQ(std::ranges::count(finished.err, '\n'), 1) << finished.err;
}

TEST_F(BadFile, IsPrintedHarmlessly) {
    const Finished finished = run("{\"na\x1b[2Jme\": 1}");
    EXPECT_EQ(finished.exit_code, 64);
    EXPECT_EQ(finished.err.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace redeliver::cli
