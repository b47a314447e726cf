// `redeliver serve` as a process: what it says, and how it ends.

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <string>
#include <vector>

#include "tests/cli/program.h"
#include "tests/source_root.h"

namespace redeliver::cli {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// The server as a child, until it ends or the test does.
class ServeProcess {
public:
    explicit ServeProcess(std::vector<std::string> options) {
        std::array<int, 2> ends{};
        if (::pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
        posix_spawn_file_actions_addclose(&actions, ends[0]);
        std::string program = (house::build_folder() / "redeliver").string();
        std::string command = "serve";
        std::vector<char*> words = {program.data(), command.data()};
        for (std::string& option : options) words.push_back(option.data());
        words.push_back(nullptr);
        const int failed =
            ::posix_spawn(&pid_, program.c_str(), &actions, nullptr, words.data(), environ);
        posix_spawn_file_actions_destroy(&actions);
        ::close(ends[1]);
        if (failed != 0) throw std::runtime_error("the program does not start");
        out_ = ::fdopen(ends[0], "r");
    }
    ServeProcess(const ServeProcess&) = delete;
    ServeProcess& operator=(const ServeProcess&) = delete;
    ~ServeProcess() {
        if (pid_ > 0) end_by(SIGKILL);
        std::fclose(out_);
    }

    std::string first_line() {
        std::array<char, 256> line{};
        return std::fgets(line.data(), line.size(), out_) ? line.data() : "";
    }

    /// The exit code; -1 when a signal ended it.
    int end_by(int signal) {
        ::kill(pid_, signal);
        return wait_for_end();
    }
    int wait_for_end() {
        int status = 0;
        ::waitpid(std::exchange(pid_, 0), &status, 0);
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

private:
    pid_t pid_ = 0;
    std::FILE* out_ = nullptr;
};

int port_in(const std::string& line) { return std::stoi(line.substr(line.rfind(':') + 1)); }

/// What the server answers to one request, which it gets in one piece.
std::string ask(int port, const std::string& request) {
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_port = htons(static_cast<std::uint16_t>(port));
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    std::array<char, 256> answer{};
    ssize_t size = 0;
    if (::connect(socket, reinterpret_cast<sockaddr*>(&place), sizeof place) == 0 &&
        ::send(socket, request.data(), request.size(), MSG_NOSIGNAL) > 0)
        size = ::recv(socket, answer.data(), answer.size(), 0);
    ::close(socket);
    return std::string(answer.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
}

TEST(Serve, SaysWhereItListensAndEndsWellAtASignal) {
    for (const int signal : {SIGTERM, SIGINT}) {
        ServeProcess process({"--port", "0"});
        const std::string line = process.first_line();
        ASSERT_THAT(line, StartsWith("redeliver serve: redis 7.0.15 on 127.0.0.1:"));
        EXPECT_EQ(ask(port_in(line), "PING\r\n"), "+PONG\r\n");
        EXPECT_EQ(process.end_by(signal), 0);
    }
}

TEST(Serve, EndsWellAtShutdown) {
    ServeProcess process({"--port", "0", "--redis-version", "7.2"});
    const std::string line = process.first_line();
    ASSERT_THAT(line, StartsWith("redeliver serve: redis 7.2.5 on 127.0.0.1:"));
    EXPECT_EQ(ask(port_in(line), "SHUTDOWN NOSAVE\r\n"), "");
    EXPECT_EQ(process.wait_for_end(), 0);
}

TEST(Serve, SaysThatThePortIsTaken) {
    ServeProcess process({"--port", "0"});
    const int port = port_in(process.first_line());
    const Finished second = run_program({.arguments = {"serve", "--port", std::to_string(port)}});
    EXPECT_EQ(second.exit_code, 64);
    EXPECT_EQ(second.err, "redeliver: cannot listen on 127.0.0.1 port " + std::to_string(port) +
                              ": Address already in use\n");
}

TEST(Serve, WarnsWhenOtherMachinesCanReachIt) {
    // An address that is kept for documentation, so that no machine has it.
    const Finished finished = run_program(
        {.arguments = {"serve", "--port", "0", "--address", "192.0.2.1", "--allow-remote"}});
    EXPECT_EQ(finished.exit_code, 64);
    EXPECT_THAT(finished.err,
                testing::AllOf(HasSubstr("warning: whoever can reach 192.0.2.1"),
                               HasSubstr("redeliver: cannot listen on 192.0.2.1 port 0: ")));
}

TEST(Serve, ObeysDebugOnlyWhenAllowed) {
    ServeProcess careful({"--port", "0"});
    EXPECT_THAT(ask(port_in(careful.first_line()), "DEBUG LOADAOF\r\n"),
                StartsWith("-ERR DEBUG command not allowed."));
    ServeProcess open({"--port", "0", "--enable-debug-command"});
    EXPECT_EQ(ask(port_in(open.first_line()), "DEBUG LOADAOF\r\n"), "+OK\r\n");
}

}  // namespace
}  // namespace redeliver::cli
