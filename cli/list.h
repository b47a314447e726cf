#pragma once

#include <cstdint>

#include "cli/exit_code.h"
#include "cli/format.h"
#include "cli/output.h"
#include "reports/look.h"

namespace redeliver::cli {

struct ListOptions {
    enum class What : std::uint8_t { stories, promises, paths, faults } what = What::stories;
    Format format = Format::text;
};

/// `redeliver list`: every story with its sentence, or the words that stories are written with.
ExitCode list(const ListOptions& options, const reports::Look& look, Output& out);

}  // namespace redeliver::cli
