#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace redeliver::cli {

/// What became of a call of the program under test.
struct Finished {
    int exit_code = -1;  ///< -1 when a signal ended it.
    std::string out;
    std::string err;
};

/// Where the standard output of a call goes.
enum class StandardOutput {
    captured,
    closed_pipe,  ///< a pipe that nobody reads
    full_disk,    ///< /dev/full
    closed,       ///< nothing
    terminal      ///< a pseudo terminal of 100 columns, standard error too
};

struct Call {
    std::vector<std::string> arguments;
    /// `NAME=value`; nothing else is in the environment.
    std::vector<std::string> environment = {"LC_ALL=C.UTF-8"};
    StandardOutput output = StandardOutput::captured;
    /// Where it runs; empty is where the tests run.
    std::filesystem::path folder = {};
};

/// Runs `redeliver` and waits for it.
Finished run_program(const Call& call);

/// A folder that is there for one test.
class TemporaryFolder {
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }
    /// Writes a file in it and says where that is.
    std::string write(const std::string& name, const std::string& text) const;
    /// Every file in it, with its path from here, sorted.
    std::vector<std::string> files() const;

private:
    std::filesystem::path path_;
};

}  // namespace redeliver::cli
