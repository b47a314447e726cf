#include "cli/files.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "cli/errors.h"
#include "tests/cli/program.h"

namespace redeliver::cli {
namespace {

TEST(WriteFile, MakesFoldersAndLeavesNothingBesideTheFile) {
    const TemporaryFolder folder;
    write_file(folder.path() / "a" / "7" / "case.json", "first");
    write_file(folder.path() / "a" / "7" / "case.json", "second");
    EXPECT_EQ(folder.files(), std::vector<std::string>{"a/7/case.json"});
    EXPECT_EQ(read_file((folder.path() / "a" / "7" / "case.json").string()), "second");
}

TEST(WriteFile, LeavesNothingBehindWhenItCannotTakeItsPlace) {
    const TemporaryFolder folder;
    std::filesystem::create_directories(folder.path() / "case.json" / "occupied");
    EXPECT_THROW(write_file(folder.path() / "case.json", "text"), OutputError);
    EXPECT_TRUE(folder.files().empty());
}

TEST(WriteFile, RefusesAFolderThatIsAFile) {
    const TemporaryFolder folder;
    const std::string file = folder.write("out", "");
    EXPECT_THROW(write_file(std::filesystem::path(file) / "report.json", "text"), OutputError);
}

TEST(ReadFile, SaysWhyAFileCannotBeRead) {
    const TemporaryFolder folder;
    const auto why = [](const std::string& path) {
        try {
            read_file(path);
        } catch (const UsageError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_EQ(why("/nowhere/story.json"),
              "cannot read /nowhere/story.json: No such file or directory");
    EXPECT_EQ(why(folder.path().string()),
              "cannot read " + folder.path().string() + ": Is a directory");
    EXPECT_EQ(why("/dev/zero"), "/dev/zero is larger than 16 MiB");
    EXPECT_NE(why(std::string("/etc/passwd\0.json", 17)), "");
}

TEST(IsPlainName, TakesLettersDigitsAndHyphensOnly) {
    EXPECT_TRUE(is_plain_name("crash-before-xack-2"));
    for (const char* const name : {"", "..", "a/b", "A", "a.b", "a b", "\x1b", "caf\xc3\xa9"})
        EXPECT_FALSE(is_plain_name(name)) << name;
}

}  // namespace
}  // namespace redeliver::cli
