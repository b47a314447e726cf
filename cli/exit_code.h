#pragma once

namespace redeliver::cli {

/// How a command ends, for whoever called it: a person, a script, CI.
enum class ExitCode : int {
    as_expected = 0,
    not_as_expected = 1,  ///< A promise broke, an expectation was not met, a replay differed.
    inconclusive = 2,     ///< Nothing was wrong, but something was not shown.
    usage = 64,           ///< What was asked for, or a file, cannot be used.
    harness = 70          ///< redeliver itself failed, or could not write its answer.
};

}  // namespace redeliver::cli
