#pragma once

#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

#include "tests/conformance/reference_clock.h"
#include "tests/conformance/temporary_folder.h"

namespace redeliver::conformance::postgresql {

/// A real PostgreSQL 15, started by us as the user `postgres` (it refuses to be root) on a Unix
/// socket and with data in a folder of its own, and stopped by its pid whatever happens.
///
/// Its time of day is the clock's, and no timer of its own ever fires: whether a lock or a
/// statement has waited for too long, or is to be looked at for a deadlock, a process finds out
/// when it is sent SIGALRM. Vacuum does not run. The judge becomes the parent of those whom a
/// killed postmaster leaves behind.
class PostgresServer {
public:
    /// Names and values of postgresql.conf.
    using Settings = std::vector<std::pair<std::string, std::string>>;

    PostgresServer(const ReferenceClock& clock, Settings settings = {});
    /// A streaming replica of another server, asynchronous, that has caught up with it; both must
    /// be under the same clock.
    PostgresServer(const ReferenceClock& clock, const PostgresServer& primary);
    PostgresServer(const PostgresServer&) = delete;
    PostgresServer& operator=(const PostgresServer&) = delete;
    ~PostgresServer();

    /// For PQconnectdb.
    std::string address(const std::string& user = "postgres") const;
    /// The SQLSTATE of the last refusal in its log, where log_error_verbosity is verbose: libpq
    /// does not tell that of a refused connection.
    std::string last_state_in_log() const;
    /// As the server prints it, such as "15.18 (Debian 15.18-0+deb12u1)".
    std::string version() const;

    /// SIGKILL to the postmaster, and by the kernel to all its processes: what they had not handed
    /// to the kernel is lost.
    void kill();
    /// Starts it again on what it left in its folder, and waits until it has recovered.
    void start();

private:
    void make_folder();
    /// Runs one of PostgreSQL's programs as the server's user; throws unless it succeeds.
    void run_tool(std::vector<std::string> words);
    bool comes_up();
    std::string log_tail() const;

    Settings settings_;
    TemporaryFolder folder_;
    std::string clock_path_;
    pid_t process_ = -1;
};

}  // namespace redeliver::conformance::postgresql
