#include "tests/conformance/postgresql/postgres_server.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string_view>
#include <thread>

#include <fcntl.h>
#include <grp.h>
#include <libpq-fe.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/ensure.h"

namespace redeliver::conformance::postgresql {
namespace {

using namespace std::chrono_literals;

constexpr const char* binaries = "/usr/lib/postgresql/15/bin/";

// Pages never reach a disk that could be lost, so that there is nothing to sync. Scans are
// sequential, since the model's are; see the docs for what the order of rows depends on.
const PostgresServer::Settings always = {
    {"listen_addresses", ""},        {"fsync", "off"},
    {"full_page_writes", "off"},     {"autovacuum", "off"},
    {"shared_buffers", "16MB"},      {"max_wal_size", "256MB"},
    {"deadlock_timeout", "1s"},      {"enable_indexscan", "off"},
    {"enable_indexonlyscan", "off"}, {"enable_bitmapscan", "off"},
    {"log_min_messages", "fatal"},   {"client_min_messages", "error"}};

struct User {
    uid_t user;
    gid_t group;
};

User user_of_the_server() {
    if (::geteuid() != 0) return {::geteuid(), ::getegid()};
    const passwd* const entry = ::getpwnam("postgres");
    if (entry == nullptr)
        throw std::runtime_error("there is no user postgres: install postgresql-15");
    return {entry->pw_uid, entry->pw_gid};
}

void bury_the_dead() {
    while (::waitpid(-1, nullptr, WNOHANG) > 0) continue;
}

[[noreturn]] void become(std::vector<std::string> words, User user, const std::string& folder) {
    if (::geteuid() == 0 &&
        (::setgroups(0, nullptr) != 0 || ::setgid(user.group) != 0 || ::setuid(user.user) != 0))
        ::_exit(126);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // Should the judge itself be killed.
    const int log = ::open((folder + "/log").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    ::dup2(log, 1);
    ::dup2(log, 2);
    if (::chdir(folder.c_str()) != 0) ::_exit(126);
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    ::execv(pointers.front(), pointers.data());
    ::_exit(127);
}

}  // namespace

PostgresServer::PostgresServer(const ReferenceClock& clock, Settings settings)
    : settings_(std::move(settings)), clock_path_(clock.path()) {
    make_folder();
    run_tool({"initdb", "--pgdata", folder_.path() + "/data", "--username", "postgres", "--auth",
              "trust", "--encoding", "UTF8", "--no-locale", "--no-sync"});
    start();
}

PostgresServer::PostgresServer(const ReferenceClock& clock, const PostgresServer& primary)
    : clock_path_(clock.path()) {
    make_folder();
    run_tool({"pg_basebackup", "--dbname", primary.address(), "--pgdata", folder_.path() + "/data",
              "--wal-method", "stream", "--checkpoint", "fast", "--write-recovery-conf",
              "--no-sync"});
    start();
}

PostgresServer::~PostgresServer() { kill(); }

// The server's user can read neither our build folder nor, unless told, our clock.
void PostgresServer::make_folder() {
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    const User user = user_of_the_server();
    const std::string library = folder_.path() + "/clock.so";
    std::filesystem::copy_file(REDELIVER_JUDGE_ALARM_LIBRARY, library);
    ::chmod(clock_path_.c_str(), 0644);
    ::chmod(std::filesystem::path(clock_path_).parent_path().c_str(), 0755);
    ::chmod(library.c_str(), 0755);
    if (::geteuid() == 0)
        sim::ensure(::chown(folder_.path().c_str(), user.user, user.group) == 0,
                    "the folder can be given to the server");
}

void PostgresServer::run_tool(std::vector<std::string> words) {
    const std::string name = words.front();
    words.front() = binaries + name;
    const pid_t process = ::fork();
    sim::ensure(process >= 0, "a process can be forked");
    if (process == 0) become(std::move(words), user_of_the_server(), folder_.path());
    int status = 0;
    ::waitpid(process, &status, 0);
    if (status != 0)
        throw std::runtime_error(name + " fails; is Debian's postgresql-15 installed? " +
                                 log_tail());
}

std::string PostgresServer::address(const std::string& user) const {
    return "host=" + folder_.path() + " user=" + user + " dbname=postgres";
}

std::string PostgresServer::last_state_in_log() const {
    constexpr std::string_view mark = "FATAL:  ";
    std::ifstream log(folder_.path() + "/log");
    std::string last;
    for (std::string line; std::getline(log, line);)
        if (const auto at = line.find(mark); at != std::string::npos)
            last = line.substr(at + mark.size(), 5);
    return last;
}

std::string PostgresServer::version() const {
    PGconn* const connection = PQconnectdb(address().c_str());
    const char* const version = PQparameterStatus(connection, "server_version");
    std::string text = version == nullptr ? "" : version;
    PQfinish(connection);
    return text;
}

// The others ask the kernel to be killed when the postmaster is: see judge_alarm.c. They are ours
// to bury then, see the constructor.
void PostgresServer::kill() {
    if (process_ < 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
    process_ = -1;
    // Whoever is slow to die is met again by start().
    std::this_thread::sleep_for(5ms);
    bury_the_dead();
}

void PostgresServer::start() {
    sim::ensure(process_ < 0, "a server is started when it does not run");
    std::vector<std::string> words = {std::string(binaries) + "postgres", "-D",
                                      folder_.path() + "/data", "-k", folder_.path()};
    for (const Settings& settings : {always, settings_})
        for (const auto& [name, value] : settings) {
            words.emplace_back("-c");
            words.push_back(name + "=" + value);
        }
    // Processes that are being killed still hold the shared memory for a moment.
    for (int tries = 0; tries < 200; ++tries) {
        process_ = ::fork();
        sim::ensure(process_ >= 0, "a process can be forked");
        if (process_ == 0) {
            ::setenv("LD_PRELOAD", (folder_.path() + "/clock.so").c_str(), 1);
            ::setenv("REDELIVER_JUDGE_CLOCK", clock_path_.c_str(), 1);
            become(std::move(words), user_of_the_server(), folder_.path());
        }
        if (comes_up()) return;
        process_ = -1;
        std::this_thread::sleep_for(20ms);
        bury_the_dead();
    }
    throw std::runtime_error("PostgreSQL does not start: " + log_tail());
}

bool PostgresServer::comes_up() {
    for (int tries = 0; tries < 10'000; ++tries) {
        if (::waitpid(process_, nullptr, WNOHANG) == process_) return false;
        if (PQping(address().c_str()) == PQPING_OK) return true;
        std::this_thread::sleep_for(2ms);
    }
    kill();
    return false;
}

std::string PostgresServer::log_tail() const {
    std::ifstream log(folder_.path() + "/log");
    std::string last;
    for (std::string line; std::getline(log, line);)
        if (!line.empty()) last = line;
    return last;
}

}  // namespace redeliver::conformance::postgresql
