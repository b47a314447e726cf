// A full disk and a reader that is gone end with 70 and one line.

#include "cli/output.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

#include "cli/errors.h"
#include "tests/cli/program.h"

namespace redeliver::cli {
namespace {

using testing::HasSubstr;

TEST(Output, ThrowsWhenTheDiskIsFull) {
    const int full = ::open("/dev/full", O_WRONLY);
    Output output(full, "standard output");
    output.print("text");
    EXPECT_THROW(output.flush(), OutputError);
    // What could not be written is not tried again.
    EXPECT_NO_THROW(output.flush());
    ::close(full);
}

class EveryCommand : public testing::TestWithParam<std::vector<std::string>> {};

TEST_P(EveryCommand, EndsWith70OnAFullDisk) {
    const Finished finished =
        run_program({.arguments = GetParam(), .output = StandardOutput::full_disk});
    EXPECT_EQ(finished.exit_code, 70);
    EXPECT_EQ(finished.err,
              "redeliver: cannot write to standard output: No space left on device\n");
}

TEST_P(EveryCommand, EndsWith70WhenNobodyReads) {
    const Finished finished =
        run_program({.arguments = GetParam(), .output = StandardOutput::closed_pipe});
    EXPECT_EQ(finished.exit_code, 70);
    EXPECT_EQ(finished.err, "redeliver: cannot write to standard output: Broken pipe\n");
}

TEST_P(EveryCommand, EndsWith70WithoutAStandardOutput) {
    const TemporaryFolder folder;
    const Finished finished = run_program(
        {.arguments = GetParam(), .output = StandardOutput::closed, .folder = folder.path()});
    EXPECT_EQ(finished.exit_code, 70);
    EXPECT_EQ(finished.err, "redeliver: cannot write to standard output: Bad file descriptor\n");
}

using Arguments = std::vector<std::string>;
INSTANTIATE_TEST_SUITE_P(
    Commands, EveryCommand,
    testing::Values(Arguments{"--help"}, Arguments{"list"}, Arguments{"list", "--json"},
                    Arguments{"version"}, Arguments{"run", "crash-before-xack", "--seeds", "1"},
                    Arguments{"run", "crash-before-xack", "--seeds", "1", "--json"},
                    Arguments{"replay", "crash-before-xack"},
                    Arguments{"replay", "crash-before-xack", "--at", "5"}));

TEST(OutputFolder, ThatCannotBeMadeEndsWith70) {
    const TemporaryFolder folder;
    const std::string file = folder.write("taken", "");
    const Finished finished =
        run_program({.arguments = {"run", "crash-before-xack", "--seeds", "1", "--out", file}});
    EXPECT_EQ(finished.exit_code, 70);
    EXPECT_THAT(finished.err, HasSubstr("taken"));
    EXPECT_EQ(std::ranges::count(finished.err, '\n'), 1);
}

}  // namespace
}  // namespace redeliver::cli
