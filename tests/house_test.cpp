#include "tests/house.h"

#include <gmock/gmock.h>

namespace redeliver::house {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(IncludeBreaches, NameTheLineThatReachesUpwards) {
    const SourceFile file = {"sim/world.h", "#pragma once\n\n#include \"model/redis/stream.h\"\n"};

    EXPECT_THAT(include_breaches(file), ElementsAre("sim/world.h:3: includes model/redis/stream.h, "
                                                    "which does not lie below sim"));
}

TEST(IncludeBreaches, SeeThroughSpacesAndTheInstalledSpelling) {
    const SourceFile file = {"model/a.cpp",
                             "  #  include \"scenarios/a.h\"\n#include <redeliver/cli/b.h>\n"};

    EXPECT_THAT(include_breaches(file),
                ElementsAre(HasSubstr("scenarios/a.h"), HasSubstr("redeliver/cli/b.h")));
}

TEST(IncludeBreaches, KeepReportsAndBridgeApart) {
    EXPECT_THAT(include_breaches({"reports/page.cpp", "#include \"bridge/server.h\"\n"}),
                ElementsAre(HasSubstr("does not lie below reports")));
    EXPECT_THAT(include_breaches({"bridge/server.cpp", "#include \"reports/page.h\"\n"}),
                ElementsAre(HasSubstr("does not lie below bridge")));
}

TEST(IncludeBreaches, RefuseAQuotedIncludeThatDoesNotStartAtTheRoot) {
    EXPECT_THAT(include_breaches({"sim/world.cpp", "#include \"world.h\"\n"}),
                ElementsAre(HasSubstr("does not start at a layer")));
    EXPECT_THAT(include_breaches({"sim/world.cpp", "#include \"tests/house.h\"\n"}),
                ElementsAre(HasSubstr("does not start at a layer")));
}

TEST(IncludeBreaches, AreNoneWhenOnlyLowerFoldersAndLibrariesAreIncluded) {
    const SourceFile file = {"properties/order.cpp",
                             "#include \"properties/order.h\"\n#include <map>\n"
                             "#include <fmt/format.h>\n#include \"model/steps.h\"\n"};

    EXPECT_THAT(include_breaches(file), IsEmpty());
}

TEST(IncludeBreaches, AreNoneInTestsWhichMayUseEveryLayer) {
    EXPECT_THAT(include_breaches({"tests/sim/world_test.cpp", "#include \"cli/main.h\"\n"}),
                IsEmpty());
}

TEST(HeaderBreaches, NameAHeaderThatCouldBeReadTwice) {
    EXPECT_THAT(header_breaches({"sim/a.h", "struct A {};\n"}), ElementsAre(HasSubstr("sim/a.h")));
    EXPECT_THAT(header_breaches({"sim/a.h", "// #pragma once\n"}),
                ElementsAre(HasSubstr("sim/a.h")));
    EXPECT_THAT(header_breaches({"sim/a.h", "#pragma once\nstruct A {};\n"}), IsEmpty());
    EXPECT_THAT(header_breaches({"sim/a.cpp", "int a;\n"}), IsEmpty());
}

TEST(ListingBreaches, NameASourceThatIsCommentedOut) {
    const auto listed = sources_named_in(
        {"sim/CMakeLists.txt", "add_layer(sim\n  SOURCES a.cpp deep/b.cpp\n  # c.cpp\n)"});

    EXPECT_THAT(listed, ElementsAre("sim/a.cpp", "sim/deep/b.cpp"));
    EXPECT_THAT(listing_breaches({"sim/deep/b.cpp", ""}, listed), IsEmpty());
    EXPECT_THAT(listing_breaches({"sim/c.cpp", ""}, listed), ElementsAre(HasSubstr("sim/c.cpp")));
}

}  // namespace
}  // namespace redeliver::house
