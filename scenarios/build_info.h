#pragma once

#include <string_view>

namespace redeliver::scenarios {

/// Which build of redeliver this is. A case file records it, so that a replay that differs can say
/// whether the program changed in between.
struct BuildInfo {
    std::string_view version;     ///< "0.1.0"
    std::string_view commit;      ///< Short hash; ends in "-dirty" if tracked files were changed;
                                  ///< "unknown" when built without git or outside a clone.
    std::string_view compiler;    ///< "GNU 12.2.0"
    std::string_view build_type;  ///< "Release", "RelWithDebInfo sanitized for address,undefined"
};

/// Fixed when the library was built.
const BuildInfo& build_info();

}  // namespace redeliver::scenarios
