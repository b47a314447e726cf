#include "tests/cli/program.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "tests/source_root.h"

namespace redeliver::cli {

namespace {

struct Ends {
    int read = -1;
    int write = -1;
};

Ends make_pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    return {ends[0], ends[1]};
}

Ends make_terminal() {
    Ends ends;
    ::winsize size{};
    size.ws_col = 100;
    size.ws_row = 40;
    if (::openpty(&ends.read, &ends.write, nullptr, nullptr, &size) != 0)
        throw std::runtime_error("no pseudo terminal");
    ::fcntl(ends.read, F_SETFD, FD_CLOEXEC);
    ::fcntl(ends.write, F_SETFD, FD_CLOEXEC);
    return ends;
}

Ends output_ends(StandardOutput kind) {
    switch (kind) {
    case StandardOutput::captured: return make_pipe();
    case StandardOutput::terminal: return make_terminal();
    case StandardOutput::closed: return {};
    case StandardOutput::full_disk: return {-1, ::open("/dev/full", O_WRONLY | O_CLOEXEC)};
    case StandardOutput::closed_pipe: {
        Ends ends = make_pipe();
        ::close(ends.read);
        ends.read = -1;
        return ends;
    }
    }
    return {};
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> result;
    for (std::string& text : texts) result.push_back(text.data());
    result.push_back(nullptr);
    return result;
}

[[noreturn]] void become(const Call& call, int out, int err) {
    std::vector<std::string> arguments = call.arguments;
    arguments.insert(arguments.begin(), "redeliver");
    std::vector<std::string> environment = call.environment;
    const int nothing = ::open("/dev/null", O_RDONLY);
    ::dup2(nothing, STDIN_FILENO);
    if (out < 0) ::close(STDOUT_FILENO);
    if (out >= 0) ::dup2(out, STDOUT_FILENO);
    ::dup2(err, STDERR_FILENO);
    if (!call.folder.empty() && ::chdir(call.folder.c_str()) != 0) ::_exit(126);
    ::execve((house::build_folder() / "redeliver").c_str(), pointers(arguments).data(),
             pointers(environment).data());
    ::_exit(127);
}

/// Appends what has come; false at the end.
bool take(int descriptor, std::string& text) {
    std::array<char, 4096> block{};
    const ::ssize_t got = ::read(descriptor, block.data(), block.size());
    if (got <= 0) return false;
    text.append(block.data(), static_cast<std::size_t>(got));
    return true;
}

/// Reads both until both have ended: a full pipe would stop the program.
void read_both(int out, int err, Finished& finished) {
    std::array<::pollfd, 2> waiting = {{{out, POLLIN, 0}, {err, POLLIN, 0}}};
    while (waiting[0].fd >= 0 || waiting[1].fd >= 0) {
        ::poll(waiting.data(), waiting.size(), -1);
        if (waiting[0].revents != 0 && !take(waiting[0].fd, finished.out)) waiting[0].fd = -1;
        if (waiting[1].revents != 0 && !take(waiting[1].fd, finished.err)) waiting[1].fd = -1;
    }
}

}  // namespace

Finished run_program(const Call& call) {
    const Ends out = output_ends(call.output);
    const Ends err =
        call.output == StandardOutput::terminal ? Ends{-1, ::dup(out.write)} : make_pipe();
    const ::pid_t child = ::fork();
    if (child < 0) throw std::runtime_error("no process");
    if (child == 0) become(call, out.write, err.write);
    if (out.write >= 0) ::close(out.write);
    ::close(err.write);
    Finished finished;
    read_both(out.read, err.read, finished);
    int status = 0;
    ::waitpid(child, &status, 0);
    for (const int end : {out.read, err.read})
        if (end >= 0) ::close(end);
    if (WIFEXITED(status)) finished.exit_code = WEXITSTATUS(status);
    return finished;
}

TemporaryFolder::TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "redeliver-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder");
    path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

std::string TemporaryFolder::write(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = path_ / name;
    std::ofstream(path, std::ios::binary) << text;
    return path.string();
}

std::vector<std::string> TemporaryFolder::files() const {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path_))
        if (entry.is_regular_file())
            found.push_back(entry.path().lexically_relative(path_).string());
    std::ranges::sort(found);
    return found;
}

}  // namespace redeliver::cli
