#include "tests/conformance/postgresql/postgres_session.h"

#include <fstream>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>

#include "model/database/value.h"
#include "sim/ensure.h"

namespace redeliver::conformance::postgresql {
namespace {

constexpr Oid bigint_type = 20;

std::string field(const PGresult* result, int row, int column) {
    using model::database::Value;
    if (PQgetisnull(result, row, column)) return describe(Value(nullptr));
    const char* const text = PQgetvalue(result, row, column);
    return PQftype(result, column) == bigint_type ? text : describe(Value(text));
}

std::string describe_error(const PGresult* result) {
    const char* const state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const char* const constraint = PQresultErrorField(result, PG_DIAG_CONSTRAINT_NAME);
    if (state == nullptr) return fmt::format("no answer: {}", PQresultErrorMessage(result));
    if (constraint == nullptr) return fmt::format("error {}", state);
    return fmt::format("error {} {}", state, constraint);
}

}  // namespace

std::string describe(const PGresult* result) {
    const ExecStatusType status = PQresultStatus(result);
    if (status == PGRES_COMMAND_OK) return PQcmdStatus(const_cast<PGresult*>(result));
    if (status != PGRES_TUPLES_OK) return describe_error(result);
    std::string text = PQcmdStatus(const_cast<PGresult*>(result));
    for (int row = 0; row < PQntuples(result); ++row) text += " " + describe_row(result, row);
    return text;
}

std::string describe_row(const PGresult* result, int row) {
    std::string text;
    for (int column = 0; column < PQnfields(result); ++column)
        text += (column == 0 ? "(" : ", ") + field(result, row, column);
    return text + ")";
}

PostgresSession::PostgresSession(const std::string& address)
    : connection_(PQconnectdb(address.c_str())) {
    if (PQstatus(connection_.get()) != CONNECTION_OK)
        throw std::runtime_error(PQerrorMessage(connection_.get()));
    process_ = PQbackendPID(connection_.get());
    PQsetNoticeProcessor(
        connection_.get(), [](void*, const char*) {}, nullptr);
}

void PostgresSession::send(const std::string& sql) {
    if (PQsendQuery(connection_.get(), sql.c_str()) != 1)
        throw std::runtime_error(PQerrorMessage(connection_.get()));
}

bool PostgresSession::has_input(std::chrono::milliseconds within) const {
    pollfd watched{.fd = PQsocket(connection_.get()), .events = POLLIN, .revents = 0};
    return ::poll(&watched, 1, static_cast<int>(within.count())) > 0;
}

std::optional<std::string> PostgresSession::take_answer() {
    if (PQconsumeInput(connection_.get()) != 1) return "no answer: the connection is lost";
    if (PQisBusy(connection_.get())) return std::nullopt;
    std::optional<std::string> answer;
    while (PGresult* const result = PQgetResult(connection_.get())) {
        answer = describe(result);
        PQclear(result);
    }
    sim::ensure(answer.has_value(), "there is an answer to what was sent");
    return answer;
}

std::string PostgresSession::ask(const std::string& sql) {
    const Table result(PQexec(connection_.get(), sql.c_str()));
    return describe(result.get());
}

PostgresSession::Table PostgresSession::query(const std::string& sql) {
    Table result(PQexec(connection_.get(), sql.c_str()));
    const ExecStatusType status = PQresultStatus(result.get());
    if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK)
        throw std::runtime_error(sql + ": " + PQresultErrorMessage(result.get()));
    return result;
}

void PostgresSession::stop() {
    if (is_stopped_) return;
    interrupt(SIGSTOP);
    while (state() != 'T' && !has_ended())
        std::this_thread::sleep_for(std::chrono::microseconds{20});
    is_stopped_ = true;
}

void PostgresSession::go_on() {
    if (!is_stopped_) return;
    interrupt(SIGCONT);
    is_stopped_ = false;
}

void PostgresSession::interrupt(int signal) const {
    sim::ensure(process_ > 0, "a session has a process");
    ::kill(process_, signal);
}

std::uint64_t PostgresSession::sleeps() const {
    std::ifstream status(fmt::format("/proc/{}/status", process_));
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("voluntary_ctxt_switches:")) return std::stoull(line.substr(24));
    return 0;
}

// One letter after the name, which is in parentheses and may hold anything.
char PostgresSession::state() const {
    std::ifstream stat(fmt::format("/proc/{}/stat", process_));
    std::string line;
    std::getline(stat, line);
    const auto name_end = line.rfind(") ");
    return name_end == std::string::npos ? '?' : line[name_end + 2];
}

// PQfinish alone would take leave of the server.
void PostgresSession::close() {
    if (!connection_) return;
    ::shutdown(PQsocket(connection_.get()), SHUT_RDWR);
    connection_.reset();
}

bool PostgresSession::has_ended() const { return ::kill(process_, 0) != 0; }

}  // namespace redeliver::conformance::postgresql
