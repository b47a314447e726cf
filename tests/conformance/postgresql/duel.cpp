#include "tests/conformance/postgresql/duel.h"

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>

#include "model/database/sql.h"
#include "sim/ensure.h"
#include "sim/overloaded.h"

namespace redeliver::conformance::postgresql {

using namespace model::database;
using namespace std::chrono_literals;

namespace {

// A page holds about ninety versions of our rows. On a fuller one PostgreSQL would reuse the place
// of dead versions, and the order of a sequential scan would no longer be that of writing.
constexpr std::uint64_t most_versions = 60;

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

long long milliseconds(sim::Duration time) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
}

}  // namespace

Duel::Duel(PostgresServer& server, ReferenceClock& clock, SynchronousCommit commit)
    : server_(server), clock_(clock) {
    configuration_.synchronous_commit = commit;
    configuration_.deadlock_timeout = 1s;
    configuration_.retain = 1h;
    if (commit == SynchronousCommit::off) {
        configuration_.wal_flush_interval = 10ms;
        clock_.set(clock_.now() + 500us);  // Whole milliseconds are those of flushes.
    }
    connect_monitor();
}

void Duel::connect_monitor() {
    monitor_ = std::make_unique<PostgresSession>(server_.address());
    monitor_->query(
        "prepare look as select l.pid, l.locktype, pg_blocking_pids(l.pid) from pg_locks l, "
        "pg_stat_get_activity(l.pid) a where not l.granted and a.wait_event_type = 'Lock'");
    if (configuration_.synchronous_commit == SynchronousCommit::on) return;
    stop_processes("backend_type in ('walwriter', 'background writer', 'checkpointer')");
}

std::optional<Difference> Duel::play(const Script& script) {
    prepare(script);
    for (const Step& step : script.steps)
        if (is_full() || !play_step(script, step)) break;
    if (!difference_) finish();
    if (difference_)
        abandon();
    else
        ++tally_.interleavings;
    return std::exchange(difference_, std::nullopt);
}

bool Duel::play_steps(const Script& script, std::size_t from, std::size_t to) {
    for (std::size_t at = from; at < to && at < script.steps.size(); ++at)
        if (!play_step(script, script.steps[at])) return false;
    return true;
}

Duel::Crash Duel::play_until_crash(const Script& script, std::size_t step) {
    prepare(script);
    if (play_steps(script, 0, step)) {
        tell(0, "-- the server is killed");
        server_.kill();
        server_.start();
        connect_monitor();
        modelled_->restart(now_);
        compare_content();
    }
    return conclude_loss();
}

Duel::Crash Duel::play_until_failover(const Script& script, std::size_t frozen, std::size_t step) {
    prepare(script);
    PostgresServer replica(clock_, server_);
    PostgresSession heir(replica.address());
    if (play_steps(script, 0, frozen)) {
        tell(0, "-- nothing reaches the replica any more");
        catch_up(heir);
        stop_processes("backend_type = 'walsender'");
        const sim::WallTime frozen_at = now_;
        if (play_steps(script, frozen, step)) {
            tell(0, "-- the replica takes over");
            server_.kill();
            heir.query("select pg_promote()");
            monitor_ = std::make_unique<PostgresSession>(replica.address());
            modelled_->fail_over(now_ - frozen_at, now_);
            compare_content();
            server_.start();
        }
    }
    connect_monitor();
    return conclude_loss();
}

// Whatever was connected is not.
Duel::Crash Duel::conclude_loss() {
    Crash crash{.difference = std::exchange(difference_, std::nullopt),
                .undone = modelled_->forgotten()};
    if (crash.difference)
        abandon();
    else
        for (std::size_t table = 0; table < script_->schema.tables.size(); ++table)
            crash.rows += modelled_->content(static_cast<TableId>(table)).size();
    sessions_.clear();
    orphans_.clear();
    timeouts_.clear();
    return crash;
}

void Duel::catch_up(PostgresSession& replica) {
    flush();
    const auto flushed = monitor_->query("select pg_current_wal_flush_lsn()");
    const std::string end = PQgetvalue(flushed.get(), 0, 0);
    const std::string question = "select pg_last_wal_replay_lsn() >= '" + end + "'";
    for (int tries = 0; tries < 10'000; ++tries) {
        if (replica.ask(question) == "SELECT 1 ('t')") return;
        std::this_thread::sleep_for(1ms);
    }
    throw std::runtime_error("the replica does not catch up");
}

void Duel::stop_processes(const std::string& condition) {
    const auto processes = monitor_->query("select pid from pg_stat_activity where " + condition);
    sim::ensure(PQntuples(processes.get()) > 0, "there is a process to be stopped");
    for (int row = 0; row < PQntuples(processes.get()); ++row)
        ::kill(std::stoi(PQgetvalue(processes.get(), row, 0)), SIGSTOP);
}

bool Duel::is_full() const {
    return script_->size == Script::Size::one_page && modelled_->versions() > most_versions;
}

void Duel::prepare(const Script& script) {
    script_ = &script;
    now_ = clock_.now() + script.step_time;
    clock_.set(now_);
    configuration_.lock_timeout = script.lock_timeout;
    configuration_.statement_timeout = script.statement_timeout;
    create_tables(script);
    modelled_ = std::make_unique<ModelledDatabase>(script, configuration_, now_, tally_);
    parties_.clear();
    clients_.clear();
    orphans_.clear();
    lines_.clear();
    for (std::size_t session = 0; session < script.sessions; ++session) begin_party(session);
    set_timeouts(script);
    // What the tables held from the beginning is flushed.
    if (configuration_.synchronous_commit == SynchronousCommit::off)
        pass_until(now_ + configuration_.wal_flush_interval);
}

void Duel::create_tables(const Script& script) {
    std::string wanted;
    for (const Table& table : script.schema.tables) wanted += sql(table) + ";";
    std::string text;
    if (wanted != created_) {
        for (const std::string& table : tables_) text += "drop table " + table + ";";
        text += wanted;
    } else {
        for (const Table& table : script.schema.tables) text += "truncate " + table.name + ";";
    }
    for (const Insert& row : script.rows) text += sql(script.schema, row) + ";";
    created_ = wanted;
    tables_.clear();
    for (const Table& table : script.schema.tables) tables_.push_back(table.name);
    monitor_->query(text);
}

void Duel::begin_party(std::size_t session) {
    if (sessions_.size() <= session) sessions_.resize(session + 1);
    if (!sessions_[session]) {
        sessions_[session] = std::make_unique<PostgresSession>(server_.address());
        if (configuration_.synchronous_commit == SynchronousCommit::off)
            sessions_[session]->query("set synchronous_commit = off");
        if (!timeouts_.empty()) sessions_[session]->query(timeouts_);
    }
    if (clients_.size() <= session) clients_.resize(session + 1);
    clients_[session] = parties_.size();
    modelled_->come(parties_.size());
    parties_.push_back(
        {.session = session, .real = sessions_[session].get(), .answer = {}, .told = {}});
}

void Duel::set_timeouts(const Script& script) {
    const std::string wanted =
        fmt::format("set lock_timeout = {}; set statement_timeout = {}",
                    milliseconds(script.lock_timeout), milliseconds(script.statement_timeout));
    if (wanted == timeouts_) return;
    timeouts_ = wanted;
    for (const auto& session : sessions_) session->query(wanted);
}

bool Duel::play_step(const Script& script, const Step& step) {
    const auto waits = [&](std::size_t session) {
        return modelled_->is_waiting(clients_[session]);
    };
    if (const auto* const said = std::get_if<Say>(&step); said && waits(said->session)) return true;
    if (const auto* const off = std::get_if<Cancel>(&step); off && !waits(off->session))
        return true;
    pass_until(now_ + script.step_time);
    if (!compare()) return false;
    lines_.push_back(line_of(script, step));
    std::visit(sim::overloaded{
                   [&](const Say& said) { say(said.session, said.statement); },
                   [&](const Cancel& off) { cancel(off.session); },
                   [&](const Leave& left) { leave(left.session); },
                   [&](const Pass& pass) { pass_until(now_ + pass.time); },
               },
               step);
    return compare();
}

void Duel::say(std::size_t session, const Statement& statement) {
    const Client client = clients_[session];
    if (modelled_->is_waiting(client)) return;  // It began to wait again while the clock moved.
    modelled_->say(client, statement, now_);
    parties_[client].real->send(sql(script_->schema, statement));
    let_go_on(client);
}

void Duel::cancel(std::size_t session) {
    const Client client = clients_[session];
    if (!modelled_->is_waiting(client)) return;
    modelled_->cancel(client, now_);
    let_go_on(client, SIGINT);
}

void Duel::leave(std::size_t session) {
    const Client client = clients_[session];
    modelled_->leave(client, now_);
    Party& party = parties_[client];
    party.is_orphan = true;
    party.real->close();
    orphans_.push_back(std::move(sessions_[session]));
    if (!party.waits) let_go_on(client);
    begin_party(session);
}

void Duel::pass_until(sim::WallTime target) {
    while (!difference_) {
        const auto deadline = modelled_->next_deadline();
        const auto flush_at = next_flush();
        const sim::WallTime next = std::min(deadline.value_or(target), flush_at.value_or(target));
        if (next > target || (next == target && deadline != next)) break;
        now_ = std::max(now_, next);
        clock_.set(now_);
        if (flush_at == next)
            flush();
        else
            strike_deadlines();
    }
    now_ = target;
    clock_.set(now_);
}

// Whoever commits with synchronous_commit on flushes all that was written before, for the log has
// one order.
void Duel::flush() { monitor_->query("select pg_logical_emit_message(true, 'flush', '')"); }

void Duel::strike_deadlines() {
    const std::vector<Client> due = modelled_->due(now_);
    modelled_->advance(now_);
    for (const Client client : due)
        if (parties_[client].waits) let_go_on(client, SIGALRM);
    compare();
}

// With synchronous_commit off the model flushes at whole multiples of an interval; the real server,
// whose own writer is stopped, when we say so. Nothing commits at such an instant: see the
// constructor.
std::optional<sim::WallTime> Duel::next_flush() const {
    if (configuration_.synchronous_commit == SynchronousCommit::on) return std::nullopt;
    const sim::Duration interval = configuration_.wal_flush_interval;
    return now_ + (interval - now_.time_since_epoch() % interval);
}

bool Duel::finish() {
    if (!end_transactions()) return false;
    if (script_->size == Script::Size::any) return compare_content();
    for (std::size_t table = 0; table < script_->schema.tables.size(); ++table)
        if (!play_step(*script_, Say{0, Select{.table = static_cast<TableId>(table)}}))
            return false;
    return compare_content();
}

// Everybody commits who can; if nobody can, time ends some wait.
bool Duel::end_transactions() {
    constexpr int most_rounds = 100;
    for (int round = 0; round < most_rounds; ++round) {
        bool all_idle = true;
        bool somebody_committed = false;
        for (std::size_t session = 0; session < script_->sessions; ++session) {
            const Client client = clients_[session];
            if (modelled_->is_waiting(client)) {
                all_idle = false;
            } else if (modelled_->is_in_transaction(client)) {
                somebody_committed = true;
                if (!play_step(*script_, Say{session, Commit{}})) return false;
            }
        }
        if (somebody_committed) continue;
        if (all_idle) return true;
        if (!play_step(*script_, Pass{1h})) return false;
    }
    throw std::runtime_error("a script does not come to its end:\n" + in_columns(*script_, lines_));
}

// Both sides of the step: who was answered what, who waits, and for whom.
bool Duel::compare() {
    if (difference_) return false;
    auto modelled = modelled_->take_answers();
    const Waits waits = std::any_of(parties_.begin(), parties_.end(),
                                    [](const Party& party) { return party.waits; })
                            ? look()
                            : Waits{};
    for (Client client = 0; client < parties_.size(); ++client) {
        Party& party = parties_[client];
        const auto answer = modelled.find(client);
        const std::string said = answer == modelled.end() ? "no answer" : answer->second;
        const std::string really = std::exchange(party.answer, {}).value_or("no answer");
        if (said != really)
            return differ(fmt::format("session {}: {}", party.session + 1, said),
                          fmt::format("session {}: {}", party.session + 1, really));
        if (answer != modelled.end()) {
            tell(party.session, "  => " + said);
            party.told.clear();
        }
        std::set<Client> blockers;
        if (party.waits)
            for (const pid_t process : waits.at(party.real->process()).blockers)
                if (const auto blocker = client_of(process)) blockers.insert(*blocker);
        const std::set<Client> expected = modelled_->blockers(client);
        if (expected != blockers || party.waits != modelled_->is_waiting(client)) {
            const auto names = [&](const std::set<Client>& clients) {
                std::vector<std::size_t> sessions;
                for (const Client one : clients) sessions.push_back(parties_[one].session + 1);
                return fmt::format("session {} waits for {}", party.session + 1, sessions);
            };
            return differ(names(expected), names(blockers));
        }
    }
    tell_waits();
    return true;
}

bool Duel::compare_content() {
    for (std::size_t table = 0; table < script_->schema.tables.size(); ++table) {
        const std::string& name = script_->schema.tables[table].name;
        const auto result = monitor_->query("select * from " + name);
        std::multiset<std::string> real;
        for (int row = 0; row < PQntuples(result.get()); ++row)
            real.insert(describe_row(result.get(), row));
        const auto modelled = modelled_->content(static_cast<TableId>(table));
        if (modelled != real)
            return differ(fmt::format("{} holds {}", name, fmt::join(modelled, " ")),
                          fmt::format("{} holds {}", name, fmt::join(real, " ")));
    }
    return true;
}

bool Duel::differ(std::string modelled, std::string real) {
    difference_ = Difference{.text = fmt::format("model       {}\nPostgreSQL  {}", modelled, real),
                             .lines = lines_};
    return false;
}

// Lets one process run until it has answered or waits, then, one after the other, those that this
// has set free.
void Duel::let_go_on(Client client, std::optional<int> signal) {
    std::deque<Client> ready = {client};
    while (!ready.empty()) {
        Party& party = parties_[ready.front()];
        ready.pop_front();
        std::optional<std::uint64_t> sleeps;
        if (signal) {
            sleeps = party.real->sleeps();
            party.real->interrupt(*std::exchange(signal, std::nullopt));
        }
        party.real->go_on();
        settle(party, sleeps);
        append_set_free(ready);
    }
}

// A process that was only told to look at its deadlines has done so once it sleeps again.
void Duel::settle(Party& party, std::optional<std::uint64_t> sleeps_before) {
    const auto until = std::chrono::steady_clock::now() + 20s;
    const auto patience = party.waits ? 0ms : 1ms;
    party.waits = false;
    while (std::chrono::steady_clock::now() < until) {
        if (party.is_orphan && party.real->has_ended()) {
            party.has_gone = true;
            return;
        }
        if (!party.is_orphan && party.real->has_input(patience)) {
            party.answer = party.real->take_answer();
            if (party.answer) return;
            continue;
        }
        if (sleeps_before && party.real->sleeps() == *sleeps_before) continue;
        const Waits waits = look();
        const auto own = waits.find(party.real->process());
        if (own == waits.end()) continue;
        party.waits = true;
        party.awaits_turn = own->second.for_turn;
        if (!sleeps_before) party.waits_since = ++waits_;
        party.real->stop();
        return;
    }
    throw std::runtime_error("PostgreSQL neither answers nor waits:\n" +
                             in_columns(*script_, lines_));
}

// First whose turn it is at a row, then those whose transaction has ended, the longest waiting
// first: as the model does it.
void Duel::append_set_free(std::deque<Client>& ready) {
    std::vector<Client> waiting;
    for (Client client = 0; client < parties_.size(); ++client)
        if (parties_[client].waits) waiting.push_back(client);
    if (waiting.empty()) return;
    const Waits waits = look();
    std::erase_if(waiting, [&](Client client) {
        return waits.contains(parties_[client].real->process()) ||
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

// One consistent view: the server locks all of its lock table to make it. A process that is in it
// but does not sleep yet has still to set its alarms.
Duel::Waits Duel::look() {
    const auto result = monitor_->query("execute look");
    Waits waits;
    for (int row = 0; row < PQntuples(result.get()); ++row)
        waits[std::stoi(PQgetvalue(result.get(), row, 0))] = {
            .for_turn = std::string_view(PQgetvalue(result.get(), row, 1)) == "tuple",
            .blockers = parse_processes(PQgetvalue(result.get(), row, 2))};
    return waits;
}

std::optional<Duel::Client> Duel::client_of(pid_t process) const {
    for (Client client = 0; client < parties_.size(); ++client)
        if (!parties_[client].has_gone && parties_[client].real->process() == process)
            return client;
    return std::nullopt;
}

void Duel::tell(std::size_t session, std::string text) {
    lines_.push_back({session, std::move(text)});
}

void Duel::tell_waits() {
    for (Client client = 0; client < parties_.size(); ++client) {
        if (!parties_[client].waits) continue;
        std::vector<std::size_t> sessions;
        for (const Client one : modelled_->blockers(client))
            sessions.push_back(parties_[one].session + 1);
        std::string text = fmt::format("  .. waits for session {}", fmt::join(sessions, ", "));
        if (text != parties_[client].told) tell(parties_[client].session, text);
        parties_[client].told = std::move(text);
    }
}

// After a difference nobody knows what state the sessions are in.
void Duel::abandon() {
    for (auto* const group : {&sessions_, &orphans_})
        for (const auto& session : *group) {
            if (!session || session->has_ended()) continue;
            session->interrupt(SIGTERM);
            session->go_on();
            session->close();
            while (!session->has_ended()) std::this_thread::sleep_for(1ms);
        }
    sessions_.clear();
    orphans_.clear();
    timeouts_.clear();
}

}  // namespace redeliver::conformance::postgresql
