#pragma once

namespace redeliver::cli {

/// The whole program: reads the arguments, runs the command, and says how it ended. Every failure
/// is one line on standard error.
int run_command_line(int argc, const char* const* argv);

}  // namespace redeliver::cli
