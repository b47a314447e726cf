#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <libpq-fe.h>
#include <sys/types.h>

namespace redeliver::conformance::postgresql {

/// What PostgreSQL answered, as `answer.h` writes it.
std::string describe(const PGresult* result);
/// One of its rows: `(1, 'a', null)`.
std::string describe_row(const PGresult* result, int row);

/// A client's connection, and the server process that serves it.
class PostgresSession {
public:
    /// Throws std::runtime_error if the server refuses or is not there.
    explicit PostgresSession(const std::string& address);

    pid_t process() const { return process_; }

    void send(const std::string& sql);
    /// Whether something came within that time; zero only looks.
    bool has_input(std::chrono::milliseconds within) const;
    /// The answer to what was sent last, if all of it has come.
    std::optional<std::string> take_answer();
    /// Sends, and waits for the answer.
    std::string ask(const std::string& sql);
    /// As `ask`, for rows; throws std::runtime_error for an error.
    struct Clear {
        void operator()(PGresult* result) const { PQclear(result); }
    };
    using Table = std::unique_ptr<PGresult, Clear>;
    Table query(const std::string& sql);

    /// Breaks the connection off without a word; what was sent before is still heard.
    void close();

    // The process behind it.
    /// Returns once it has stopped.
    void stop();
    void go_on();
    void interrupt(int signal) const;
    /// How often it has gone to sleep so far; whether it sleeps now.
    std::uint64_t sleeps() const;
    bool is_asleep() const { return state() == 'S'; }
    bool has_ended() const;

private:
    char state() const;

    struct Finish {
        void operator()(PGconn* connection) const { PQfinish(connection); }
    };
    std::unique_ptr<PGconn, Finish> connection_;
    pid_t process_ = -1;
    bool is_stopped_ = false;
};

}  // namespace redeliver::conformance::postgresql
