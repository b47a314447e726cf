#include <gmock/gmock.h>

#include "tests/house.h"
#include "tests/source_root.h"

namespace redeliver::house {
namespace {

using testing::Contains;
using testing::Field;
using testing::IsEmpty;

const std::vector<std::string> layers = {"sim",     "model",  "properties", "scenarios",
                                         "reports", "bridge", "cli"};

std::vector<SourceFile> sources() {
    auto folders = layers;
    folders.push_back("tests");
    return read_files(source_root(), folders, {".h", ".cpp"});
}

template <typename Check>
std::vector<Breach> breaches_of(Check check) {
    std::vector<Breach> all;
    for (const SourceFile& file : sources())
        for (Breach& breach : check(file)) all.push_back(std::move(breach));
    return all;
}

// Otherwise a moved tree would make every other test here pass on nothing.
TEST(Layering, ReadsTheProjectsOwnSources) {
    EXPECT_THAT(sources(), Contains(Field(&SourceFile::path, "sim/time.h")));
    EXPECT_THAT(sources(), Contains(Field(&SourceFile::path, "tests/layering_test.cpp")));
}

TEST(Layering, FoldersIncludeOnlyWhatLiesBelowThem) {
    EXPECT_THAT(breaches_of(include_breaches), IsEmpty());
}

TEST(Layering, HeadersCanBeReadOnlyOnce) { EXPECT_THAT(breaches_of(header_breaches), IsEmpty()); }

TEST(Layering, EverySourceIsListedInACMakeListsFile) {
    auto folders = layers;
    folders.push_back("tests");
    std::set<std::string> listed;
    for (const SourceFile& cmake_lists : read_files(source_root(), folders, {"CMakeLists.txt"}))
        listed.merge(sources_named_in(cmake_lists));

    EXPECT_THAT(breaches_of([&](const SourceFile& file) { return listing_breaches(file, listed); }),
                IsEmpty());
}

}  // namespace
}  // namespace redeliver::house
