#include "tests/conformance/postgresql/duel.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

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

Configuration configuration_with(SynchronousCommit commit) {
    Configuration configuration{.deadlock_timeout = 1s, .synchronous_commit = commit, .retain = 1h};
    if (commit == SynchronousCommit::off) configuration.wal_flush_interval = 10ms;
    return configuration;
}

std::string said_by(const std::map<std::size_t, std::string>& answers, std::size_t client) {
    const auto answer = answers.find(client);
    return answer == answers.end() ? "no answer" : answer->second;
}

}  // namespace

// Flushes are at whole milliseconds, and everything else half a millisecond later.
Duel::Duel(PostgresServer& server, ReferenceClock& clock, SynchronousCommit commit)
    : server_(server),
      clock_(clock),
      configuration_(configuration_with(commit)),
      real_(server, commit) {
    clock_.set(clock_.now() + 500us);
}

std::optional<Difference> Duel::play(const Script& script) {
    begin(script);
    for (const Step& step : script.steps)
        if (is_full() || !play_step(step)) break;
    if (!difference_) finish();
    if (difference_)
        real_.abandon();
    else
        ++tally_.interleavings;
    return std::exchange(difference_, std::nullopt);
}

Duel::Loss Duel::play_until_crash(const Script& script, std::size_t step) {
    begin(script);
    if (play_steps(0, step)) {
        tell(0, "-- the server is killed");
        real_.crash();
        modelled_->restart(now_);
        compare_content();
    }
    return conclude_loss();
}

Duel::Loss Duel::play_until_failover(const Script& script, std::size_t frozen, std::size_t step) {
    begin(script);
    PostgresServer replica(clock_, server_);
    if (play_steps(0, frozen)) {
        tell(0, "-- nothing reaches the replica any more");
        real_.freeze(replica);
        const sim::WallTime frozen_at = now_;
        if (play_steps(frozen, step)) {
            tell(0, "-- the replica takes over");
            real_.fail_over(replica);
            modelled_->fail_over(now_ - frozen_at, now_);
            compare_content();
            real_.restart();
        }
    }
    return conclude_loss();
}

// What is left of sessions that differed before any loss has to be ended.
Duel::Loss Duel::conclude_loss() {
    real_.abandon();
    Loss loss{.difference = std::exchange(difference_, std::nullopt),
              .undone = modelled_->forgotten()};
    for (std::size_t table = 0; table < script_->schema.tables.size(); ++table)
        loss.rows += modelled_->content(static_cast<TableId>(table)).size();
    return loss;
}

void Duel::begin(const Script& script) {
    script_ = &script;
    now_ = clock_.now() + script.step_time;
    clock_.set(now_);
    configuration_.lock_timeout = script.lock_timeout;
    configuration_.statement_timeout = script.statement_timeout;
    session_of_.clear();
    client_of_.clear();
    told_.clear();
    lines_.clear();
    real_.begin(script);
    modelled_.emplace(script, configuration_, now_, tally_);
    for (std::size_t session = 0; session < script.sessions; ++session) come(session);
    // What the tables held from the beginning is flushed.
    if (next_flush()) pass_until(now_ + configuration_.wal_flush_interval);
}

void Duel::come(std::size_t session) {
    const Client client = session_of_.size();
    if (client_of_.size() <= session) client_of_.resize(session + 1);
    client_of_[session] = client;
    session_of_.push_back(session);
    told_.emplace_back();
    modelled_->come(client);
    real_.come(client, session);
}

bool Duel::play_steps(std::size_t from, std::size_t to) {
    for (std::size_t at = from; at < to && at < script_->steps.size(); ++at)
        if (!play_step(script_->steps[at])) return false;
    return true;
}

bool Duel::play_step(const Step& step) {
    pass_until(now_ + script_->step_time);
    if (!compare()) return false;
    if (is_left_out(step)) {
        ++tally_.left_out;
        return true;
    }
    lines_.push_back(line_of(*script_, step));
    std::visit(sim::overloaded{
                   [&](const Say& said) {
                       modelled_->say(client_of_[said.session], said.statement, now_);
                       real_.say(client_of_[said.session], sql(script_->schema, said.statement));
                   },
                   [&](const Cancel& off) {
                       modelled_->cancel(client_of_[off.session], now_);
                       real_.cancel(client_of_[off.session]);
                   },
                   [&](const Leave& left) { leave(left.session); },
                   [&](const Part& parting) { part(parting); },
                   [&](const Pass& pass) { pass_until(now_ + pass.time); },
               },
               step);
    return compare();
}

bool Duel::is_left_out(const Step& step) const {
    const auto waits = [&](std::size_t session) {
        return modelled_->is_waiting(client_of_[session]);
    };
    if (const auto* const said = std::get_if<Say>(&step)) return waits(said->session);
    if (const auto* const parting = std::get_if<Part>(&step)) return waits(parting->session);
    if (const auto* const off = std::get_if<Cancel>(&step)) return !waits(off->session);
    return false;
}

void Duel::leave(std::size_t session) {
    const Client client = client_of_[session];
    modelled_->leave(client, now_);
    real_.leave(client);
    come(session);
}

void Duel::part(const Part& part) {
    const Client client = client_of_[part.session];
    modelled_->say_and_leave(client, part.statement, now_);
    real_.say_and_leave(client, sql(script_->schema, part.statement));
    come(part.session);
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
            real_.flush();
        else
            strike_deadlines();
    }
    now_ = target;
    clock_.set(now_);
}

void Duel::strike_deadlines() {
    const std::vector<Client> due = modelled_->due(now_);
    modelled_->advance(now_);
    for (const Client client : due) real_.strike(client);
    compare();
}

// With synchronous_commit off the model flushes at whole multiples of an interval; the real server,
// whose own writer is stopped, when it is told.
std::optional<sim::WallTime> Duel::next_flush() const {
    if (configuration_.synchronous_commit == SynchronousCommit::on) return std::nullopt;
    const sim::Duration interval = configuration_.wal_flush_interval;
    return now_ + (interval - now_.time_since_epoch() % interval);
}

bool Duel::is_full() const {
    return script_->size == Script::Size::one_page && modelled_->versions() > most_versions;
}

bool Duel::finish() {
    if (!end_transactions()) return false;
    if (script_->size == Script::Size::any) return compare_content();
    for (std::size_t table = 0; table < script_->schema.tables.size(); ++table)
        if (!play_step(Say{0, Select{.table = static_cast<TableId>(table)}})) return false;
    return compare_content();
}

// Everybody commits who can; if nobody can, time ends some wait.
bool Duel::end_transactions() {
    constexpr int most_rounds = 100;
    for (int round = 0; round < most_rounds; ++round) {
        bool somebody_committed = false;
        for (std::size_t session = 0; session < script_->sessions; ++session) {
            const Client client = client_of_[session];
            if (modelled_->is_waiting(client) || !modelled_->is_in_transaction(client)) continue;
            somebody_committed = true;
            if (!play_step(Say{session, Commit{}})) return false;
        }
        if (somebody_committed) continue;
        if (!modelled_->anybody_waits()) return true;
        if (!play_step(Pass{1h})) return false;
    }
    throw std::runtime_error("a script does not come to its end:\n" + in_columns(*script_, lines_));
}

// Both sides of the step: who was answered what, who waits, and for whom.
bool Duel::compare() {
    if (difference_) return false;
    const auto modelled = modelled_->take_answers();
    const auto real = real_.take_answers();
    const auto blockers = real_.blockers();
    for (Client client = 0; client < session_of_.size(); ++client) {
        const std::size_t session = session_of_[client];
        const std::string said = said_by(modelled, client);
        if (said != said_by(real, client)) return differ(said, said_by(real, client), session);
        if (modelled.contains(client)) {
            tell(session, "  => " + said);
            told_[client].clear();
        }
        const auto blocking = blockers.find(client);
        const std::set<Client> really =
            blocking == blockers.end() ? std::set<Client>{} : blocking->second;
        const std::set<Client> expected = modelled_->blockers(client);
        if (expected != really || modelled_->is_waiting(client) != real_.is_waiting(client))
            return differ("waits for " + list(expected), "waits for " + list(really), session);
        if (expected.empty()) continue;
        std::string waits = "  .. waits for " + list(expected);
        if (waits != told_[client]) tell(session, waits);
        told_[client] = std::move(waits);
    }
    return true;
}

bool Duel::compare_content() {
    for (std::size_t table = 0; table < script_->schema.tables.size(); ++table) {
        const std::string& name = script_->schema.tables[table].name;
        const auto real = real_.content(name);
        const auto modelled = modelled_->content(static_cast<TableId>(table));
        if (modelled == real) continue;
        difference_ =
            Difference{.text = fmt::format("model       {0} holds {1}\nPostgreSQL  {0} holds {2}",
                                           name, fmt::join(modelled, " "), fmt::join(real, " ")),
                       .lines = lines_};
        return false;
    }
    return true;
}

bool Duel::differ(const std::string& modelled, const std::string& real, std::size_t session) {
    difference_ =
        Difference{.text = fmt::format("model       session {0}: {1}\nPostgreSQL  session {0}: {2}",
                                       session + 1, modelled, real),
                   .lines = lines_};
    return false;
}

std::string Duel::list(const std::set<Client>& clients) const {
    if (clients.empty()) return "nobody";
    std::vector<std::size_t> sessions;
    for (const Client client : clients) sessions.push_back(session_of_[client] + 1);
    return fmt::format("session {}", fmt::join(sessions, ", "));
}

}  // namespace redeliver::conformance::postgresql
