#include "tests/conformance/postgresql/real_database.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>
#include <signal.h>

#include "model/database/sql.h"
#include "sim/ensure.h"

namespace redeliver::conformance::postgresql {

using namespace model::database;
using namespace std::chrono_literals;

namespace {

std::set<pid_t> parse_processes(std::string_view array) {
    std::set<pid_t> processes;
    const char* at = array.data() + 1;
    const char* const end = array.data() + array.size() - 1;
    while (at < end) {
        pid_t process = 0;
        const auto [next, error] = std::from_chars(at, end, process);
        sim::ensure(error == std::errc{}, "the server lists processes by number");
        processes.insert(process);
        at = next + 1;
    }
    return processes;
}

std::string timeouts_of(const Script& script) {
    const auto milliseconds = [](sim::Duration time) {
        return std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
    };
    return fmt::format("set lock_timeout = {}; set statement_timeout = {}",
                       milliseconds(script.lock_timeout), milliseconds(script.statement_timeout));
}

/// Asks until it is so, for ten seconds at most.
template <typename Question>
void await(const char* what, Question is_so) {
    for (int tries = 0; tries < 10'000; ++tries) {
        if (is_so()) return;
        std::this_thread::sleep_for(1ms);
    }
    throw std::runtime_error(fmt::format("waited in vain until {}", what));
}

}  // namespace

RealDatabase::RealDatabase(PostgresServer& server, SynchronousCommit commit)
    : server_(server), commit_(commit) {
    connect_monitor();
}

// A view of the locks is consistent: the server locks its whole table of them to make it. A process
// that is in it but does not sleep yet has still to set its alarms.
void RealDatabase::connect_monitor() {
    monitor_ = std::make_unique<PostgresSession>(server_.address());
    monitor_->query(
        "prepare look as select l.pid, l.locktype, pg_blocking_pids(l.pid) from pg_locks l, "
        "pg_stat_get_activity(l.pid) a where not l.granted and a.wait_event_type = 'Lock'");
    if (commit_ == SynchronousCommit::off)
        stop_when_idle("'walwriter', 'background writer', 'checkpointer'", 3);
}

void RealDatabase::begin(const Script& script) {
    make_tables(script);
    parties_.clear();
    places_.clear();
    orphans_.clear();
    if (const std::string wanted = timeouts_of(script); wanted != timeouts_) {
        timeouts_ = wanted;
        for (const auto& session : sessions_)
            if (session) session->query(timeouts_);
    }
}

void RealDatabase::make_tables(const Script& script) {
    std::string wanted;
    for (const Table& table : script.schema.tables) wanted += sql(table) + ";";
    std::string text;
    if (wanted != made_) {
        for (const std::string& table : tables_) text += "drop table " + table + ";";
        text += wanted;
    } else {
        for (const Table& table : script.schema.tables) text += "truncate " + table.name + ";";
    }
    for (const Insert& row : script.rows) text += sql(script.schema, row) + ";";
    made_ = wanted;
    tables_.clear();
    for (const Table& table : script.schema.tables) tables_.push_back(table.name);
    monitor_->query(text);
}

void RealDatabase::come(Client client, std::size_t place) {
    sim::ensure(client == parties_.size(), "clients are numbered as they come");
    if (sessions_.size() <= place) sessions_.resize(place + 1);
    if (!sessions_[place]) {
        sessions_[place] = std::make_unique<PostgresSession>(server_.address());
        if (commit_ == SynchronousCommit::off)
            sessions_[place]->query("set synchronous_commit = off");
        sessions_[place]->query(timeouts_);
    }
    parties_.push_back({.session = sessions_[place].get(), .answer = {}});
    places_.push_back(place);
}

void RealDatabase::say(Client client, const std::string& sql) {
    parties_[client].session->send(sql);
    let_go_on(client);
}

void RealDatabase::say_and_leave(Client client, const std::string& sql) {
    parties_[client].session->send(sql);
    orphan(client);
    let_go_on(client);
}

void RealDatabase::cancel(Client client) { let_go_on(client, SIGINT); }

void RealDatabase::leave(Client client) {
    orphan(client);
    if (!parties_[client].waits) let_go_on(client);
}

void RealDatabase::strike(Client client) {
    if (parties_[client].waits) let_go_on(client, SIGALRM);
}

void RealDatabase::orphan(Client client) {
    parties_[client].is_orphan = true;
    parties_[client].session->close();
    orphans_.push_back(std::move(sessions_[places_[client]]));
}

// Whoever commits with synchronous_commit on flushes all that was written before, for the log has
// one order.
void RealDatabase::flush() { monitor_->query("select pg_logical_emit_message(true, 'flush', '')"); }

std::map<RealDatabase::Client, std::set<RealDatabase::Client>> RealDatabase::blockers() {
    std::map<pid_t, Client> clients;
    bool anybody_waits = false;
    for (Client client = 0; client < parties_.size(); ++client) {
        if (!parties_[client].has_gone) clients[parties_[client].session->process()] = client;
        anybody_waits |= parties_[client].waits;
    }
    std::map<Client, std::set<Client>> found;
    if (!anybody_waits) return found;
    for (const auto& [process, waiting] : look()) {
        const auto client = clients.find(process);
        if (client == clients.end()) continue;
        for (const pid_t blocker : waiting.blockers)
            if (const auto blocking = clients.find(blocker); blocking != clients.end())
                found[client->second].insert(blocking->second);
    }
    return found;
}

std::map<RealDatabase::Client, std::string> RealDatabase::take_answers() {
    std::map<Client, std::string> answers;
    for (Client client = 0; client < parties_.size(); ++client)
        if (auto answer = std::exchange(parties_[client].answer, std::nullopt))
            answers[client] = std::move(*answer);
    return answers;
}

std::multiset<std::string> RealDatabase::content(const std::string& table) {
    const auto result = monitor_->query("select * from " + table);
    std::multiset<std::string> rows;
    for (int row = 0; row < PQntuples(result.get()); ++row)
        rows.insert(describe_row(result.get(), row));
    return rows;
}

void RealDatabase::crash() {
    server_.kill();
    restart();
}

void RealDatabase::freeze(PostgresServer& replica) {
    flush();
    const auto flushed = monitor_->query("select pg_current_wal_flush_lsn()");
    const std::string question =
        fmt::format("select pg_last_wal_replay_lsn() >= '{}'", PQgetvalue(flushed.get(), 0, 0));
    PostgresSession heir(replica.address());
    await("the replica has caught up", [&] { return heir.ask(question) == "SELECT 1 ('t')"; });
    stop_when_idle("'walsender'", 1);
}

void RealDatabase::fail_over(PostgresServer& replica) {
    server_.kill();
    forget_sessions();
    monitor_ = std::make_unique<PostgresSession>(replica.address());
    sim::ensure(monitor_->ask("select pg_promote()") == "SELECT 1 ('t')",
                "the replica is promoted");
}

void RealDatabase::restart() {
    forget_sessions();
    server_.start();
    connect_monitor();
}

void RealDatabase::abandon() {
    for (auto* const group : {&sessions_, &orphans_})
        for (const auto& session : *group) {
            if (!session || session->has_ended()) continue;
            session->interrupt(SIGTERM);
            session->go_on();
            session->close();
            await("a session has ended", [&] { return session->has_ended(); });
        }
    forget_sessions();
}

void RealDatabase::forget_sessions() {
    sessions_.clear();
    orphans_.clear();
    parties_.clear();
    places_.clear();
}

// One that was stopped in the middle of something might hold a lock that everybody needs.
void RealDatabase::stop_when_idle(const std::string& types, int count) {
    const std::string question =
        "select pid from pg_stat_activity where wait_event_type = 'Activity' and backend_type in "
        "(" +
        types + ")";
    PostgresSession::Table idle;
    await("the server's own processes are idle", [&] {
        idle = monitor_->query(question);
        return PQntuples(idle.get()) == count;
    });
    for (int row = 0; row < count; ++row)
        ::kill(std::stoi(PQgetvalue(idle.get(), row, 0)), SIGSTOP);
}

// Lets one process run until it has answered or waits, then, one after the other, those that this
// has set free.
void RealDatabase::let_go_on(Client client, std::optional<int> signal) {
    std::deque<Client> ready = {client};
    while (!ready.empty()) {
        Party& party = parties_[ready.front()];
        ready.pop_front();
        std::optional<std::uint64_t> sleeps;
        if (signal) {
            sleeps = party.session->sleeps();
            party.session->interrupt(*std::exchange(signal, std::nullopt));
        }
        party.session->go_on();
        settle(party, sleeps);
        append_set_free(ready);
    }
}

// A process that was only told to look at its deadlines has done so once it has gone to sleep
// again.
void RealDatabase::settle(Party& party, std::optional<std::uint64_t> sleeps_before) {
    const auto until = std::chrono::steady_clock::now() + 30s;
    const auto patience = party.waits ? 0ms : 1ms;
    party.waits = false;
    while (std::chrono::steady_clock::now() < until) {
        if (party.is_orphan && party.session->has_ended()) {
            party.has_gone = true;
            return;
        }
        if (!party.is_orphan && party.session->has_input(patience)) {
            party.answer = party.session->take_answer();
            if (party.answer) return;
            continue;
        }
        if (sleeps_before &&
            (!party.session->is_asleep() || party.session->sleeps() == *sleeps_before)) {
            std::this_thread::sleep_for(50us);
            continue;
        }
        const Waits waits = look();
        const auto own = waits.find(party.session->process());
        if (own == waits.end()) continue;
        party.waits = true;
        party.awaits_turn = own->second.for_turn;
        if (!sleeps_before) party.waits_since = ++waits_;
        party.session->stop();
        return;
    }
    throw std::runtime_error("PostgreSQL neither answers nor waits");
}

// First whose turn it is at a row, then those whose transaction has ended, the longest waiting
// first: as the model does it.
void RealDatabase::append_set_free(std::deque<Client>& ready) {
    std::vector<Client> waiting;
    for (Client client = 0; client < parties_.size(); ++client)
        if (parties_[client].waits) waiting.push_back(client);
    if (waiting.empty()) return;
    const Waits waits = look();
    std::erase_if(waiting, [&](Client client) {
        return waits.contains(parties_[client].session->process()) ||
               std::find(ready.begin(), ready.end(), client) != ready.end();
    });
    std::sort(waiting.begin(), waiting.end(), [&](Client left, Client right) {
        const Party& one = parties_[left];
        const Party& other = parties_[right];
        return std::pair(!one.awaits_turn, one.waits_since) <
               std::pair(!other.awaits_turn, other.waits_since);
    });
    ready.insert(ready.end(), waiting.begin(), waiting.end());
}

RealDatabase::Waits RealDatabase::look() {
    const auto result = monitor_->query("execute look");
    Waits waits;
    for (int row = 0; row < PQntuples(result.get()); ++row)
        waits[std::stoi(PQgetvalue(result.get(), row, 0))] = {
            .for_turn = std::string_view(PQgetvalue(result.get(), row, 1)) == "tuple",
            .blockers = parse_processes(PQgetvalue(result.get(), row, 2))};
    return waits;
}

}  // namespace redeliver::conformance::postgresql
