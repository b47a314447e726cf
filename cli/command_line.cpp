#include "cli/command_line.h"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <exception>
#include <new>
#include <string>

#include "cli/arguments.h"
#include "cli/errors.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "scenarios/json/bad_input.h"
#include "scenarios/json/printable.h"
#include "sim/ensure.h"

namespace redeliver::cli {

namespace {

/// Carries out one command.
struct CarryOut {
    Streams& streams;

    ExitCode operator()(const ListOptions& options) const {
        return list(options, streams.look, streams.out);
    }
    ExitCode operator()(const RunOptions& options) const { return run(options, streams); }
    ExitCode operator()(const ReplayOptions& options) const { return replay(options, streams); }
    ExitCode operator()(const ExplainOptions& options) const { return explain(options, streams); }
    ExitCode operator()(const ExploreOptions& options) const { return explore(options, streams); }
    ExitCode operator()(const ReportOptions& options) const { return report(options, streams); }
    ExitCode operator()(const BenchOptions& options) const { return bench(options, streams); }
    ExitCode operator()(const ServeOptions& options) const {
        return serve(options, streams.out, streams.err);
    }
    ExitCode operator()(const VersionOptions& options) const {
        return version(options.format, streams.out);
    }
    ExitCode operator()(const HelpWanted& wanted) const {
        streams.out.print(wanted.text);
        return ExitCode::as_expected;
    }
    ExitCode operator()(const NothingWanted& nothing) const {
        streams.err.print(nothing.help);
        streams.err.flush();
        return ExitCode::usage;
    }
};

/// The command's own end, or how it failed, in which case `complaint` says why.
ExitCode attempt(int argc, const char* const* argv, Streams& streams, std::string& complaint) {
    try {
        const ExitCode code = std::visit(CarryOut{streams}, parse_arguments(argc, argv));
        streams.out.flush();
        return code;
    } catch (const UsageError& error) {
        complaint = error.what();
        return ExitCode::usage;
    } catch (const scenarios::BadInput& error) {
        complaint = error.what();
        return ExitCode::usage;
    } catch (const OutputError& error) {
        complaint = error.what();
    } catch (const sim::HarnessError& error) {
        complaint = std::string("the harness itself is wrong: ") + error.what();
    } catch (const std::bad_alloc&) {
        complaint = "out of memory";
    } catch (const std::exception& error) {
        complaint = std::string("the harness itself failed: ") + error.what();
    }
    return ExitCode::harness;
}

/// The last words. Where even they cannot be written, the exit code has to do.
void complain(const std::string& complaint, Output& err) {
    try {
        err.print("redeliver: " + scenarios::printable(complaint) + "\n");
        err.flush();
    } catch (const OutputError&) {}
}

/// Takes the numbers of standard streams that the caller has closed, so that no file that is opened
/// later gets one and is written over. Writing to such a stream fails, as it should.
void occupy_closed_streams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(stream, F_GETFD) < 0) ::open("/dev/null", O_RDONLY);
}

}  // namespace

int run_command_line(int argc, const char* const* argv) {
    occupy_closed_streams();
    // A reader that is gone is a failed write, to be told of like a full disk.
    std::signal(SIGPIPE, SIG_IGN);
    const Surroundings out_surroundings = surroundings_of(STDOUT_FILENO);
    const Surroundings err_surroundings = surroundings_of(STDERR_FILENO);
    Output out(STDOUT_FILENO, "standard output");
    Output err(STDERR_FILENO, "standard error");
    Streams streams{.out = out,
                    .err = err,
                    .look = look_in(out_surroundings),
                    .err_look = look_in(err_surroundings),
                    .err_is_terminal = err_surroundings.is_terminal};
    std::string complaint;
    const ExitCode code = attempt(argc, argv, streams, complaint);
    if (!complaint.empty()) complain(complaint, err);
    return static_cast<int>(code);
}

}  // namespace redeliver::cli
