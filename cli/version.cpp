#include "cli/version.h"

#include <fmt/format.h>

#include "reports/documents.h"
#include "scenarios/build_info.h"

namespace redeliver::cli {

ExitCode version(Format format, Output& out) {
    const scenarios::BuildInfo& build = scenarios::build_info();
    out.print(format == Format::json
                  ? reports::version_document()
                  : fmt::format("redeliver {} (commit {}, {}, {})\n", build.version, build.commit,
                                build.compiler, build.build_type));
    return ExitCode::as_expected;
}

}  // namespace redeliver::cli
