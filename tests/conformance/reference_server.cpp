#include "tests/conformance/reference_server.h"

#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/ensure.h"

namespace redeliver::conformance {
namespace {

/// The event loop is turned by what we send, so that its own timer hardly matters; keys expire
/// only when looked at, so that the moment is ours to choose.
const ReferenceServer::Options always = {"--port",
                                         "0",
                                         "--save",
                                         "",
                                         "--daemonize",
                                         "no",
                                         "--hz",
                                         "100",
                                         "--dynamic-hz",
                                         "no",
                                         "--enable-debug-command",
                                         "yes",
                                         "--auto-aof-rewrite-percentage",
                                         "0",
                                         "--loglevel",
                                         "warning"};

[[noreturn]] void become(std::vector<std::string> words, const std::string& clock_path,
                         const std::string& folder) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // Should the judge itself be killed.
    ::setenv("LD_PRELOAD", REDELIVER_JUDGE_CLOCK_LIBRARY, 1);
    ::setenv("REDELIVER_JUDGE_CLOCK", clock_path.c_str(), 1);
    const int log = ::open((folder + "/log").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    ::dup2(log, 1);
    ::dup2(log, 2);
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    ::execvp(pointers.front(), pointers.data());
    ::_exit(127);
}

bool is_ready(Connection& connection) {
    return connection.ask({"PING"}).find("PONG") != std::string::npos;
}

}  // namespace

ReferenceServer::ReferenceServer(const ReferenceClock& clock, Options options)
    : clock_(clock), options_(std::move(options)) {
    start();
}

ReferenceServer::~ReferenceServer() { kill(); }

void ReferenceServer::kill() {
    if (process_ < 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
    process_ = -1;
}

void ReferenceServer::start() {
    using namespace std::chrono_literals;
    sim::ensure(process_ < 0, "a server is started when it does not run");
    ::unlink(socket_path().c_str());
    std::vector<std::string> words = {"redis-server", "--unixsocket", socket_path(), "--dir",
                                      folder_.path()};
    words.insert(words.end(), always.begin(), always.end());
    words.insert(words.end(), options_.begin(), options_.end());
    process_ = ::fork();
    sim::ensure(process_ >= 0, "a process can be forked");
    if (process_ == 0) become(std::move(words), clock_.path(), folder_.path());
    for (int tries = 0; tries < 5'000; ++tries) {
        if (::waitpid(process_, nullptr, WNOHANG) == process_) break;
        try {
            Connection connection = connect();
            if (is_ready(connection)) {
                connection.ask({"DEBUG", "SET-ACTIVE-EXPIRE", "0"});
                return;
            }
        } catch (const Silence&) {}
        std::this_thread::sleep_for(2ms);
    }
    process_ = -1;
    throw std::runtime_error("redis-server does not start; is Debian's redis-server installed?");
}

std::string require_reference_version(Connection& control) {
    const std::string info = control.ask({"INFO", "server"});
    const auto at = info.find("redis_version:");
    const std::string version =
        at == std::string::npos ? info : info.substr(at + 14, info.find("\r\n", at) - at - 14);
    if (version != "7.0.15")
        throw std::runtime_error("the reference must be redis-server 7.0.15, not " + version);
    return version;
}

}  // namespace redeliver::conformance
