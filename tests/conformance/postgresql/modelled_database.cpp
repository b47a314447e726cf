#include "tests/conformance/postgresql/modelled_database.h"

#include <algorithm>

#include "sim/ensure.h"
#include "sim/overloaded.h"
#include "tests/conformance/postgresql/answer.h"

namespace redeliver::conformance::postgresql {

using namespace model::database;

namespace {

constexpr SessionId preparing{~std::uint64_t{0}};

SessionId id_of(ModelledDatabase::Client client) { return SessionId{client}; }
ModelledDatabase::Client client_of(SessionId id) { return static_cast<std::size_t>(id); }

}  // namespace

ModelledDatabase::ModelledDatabase(const Script& script, const Configuration& configuration,
                                   sim::WallTime now, Tally& tally)
    : script_(script),
      configuration_(configuration),
      tally_(tally),
      server_(script.schema, configuration) {
    server_.submit(preparing, Begin{}, now, out_);
    for (const Insert& row : script.rows) server_.submit(preparing, row, now, out_);
    server_.submit(preparing, Commit{}, now, out_);
    server_.disconnect(preparing, now, out_);
    versions_ = script.rows.size();
    out_.clear();
}

void ModelledDatabase::say(Client client, const Statement& statement, sim::WallTime now) {
    State& of = state(client);
    sim::ensure(!of.waits, "who waits says nothing");
    if (will_skip(client, statement, now)) ++tally_.skipped_locked;
    ++tally_.statements;
    of.statement = statement;
    of.began = now;
    of.waited = of.is_cancelled = of.awaited_changed = false;
    of.awaited.reset();
    server_.submit(id_of(client), statement, now, out_);
    take_in(now);
}

void ModelledDatabase::say_and_leave(Client client, const Statement& statement, sim::WallTime now) {
    ++(std::holds_alternative<Commit>(statement) ? tally_.commits_unheard : tally_.others_unheard);
    say(client, statement, now);
    answers_.erase(client);
    server_.disconnect(id_of(client), now, out_);
    take_in(now);
}

void ModelledDatabase::cancel(Client client, sim::WallTime now) {
    state(client).is_cancelled = true;
    server_.cancel(id_of(client), now, out_);
    take_in(now);
}

void ModelledDatabase::leave(Client client, sim::WallTime now) {
    State& of = state(client);
    ++(of.waits            ? tally_.left_waiting
       : of.in_transaction ? tally_.left_in_transaction
                           : tally_.left_idle);
    server_.disconnect(id_of(client), now, out_);
    take_in(now);
}

void ModelledDatabase::advance(sim::WallTime now) {
    server_.advance(now, out_);
    take_in(now);
}

void ModelledDatabase::restart(sim::WallTime now) {
    server_.restart_after_process_loss(now, out_);
    forget_clients();
}

void ModelledDatabase::fail_over(sim::Duration lag, sim::WallTime now) {
    server_.fail_over(lag, now, out_);
    forget_clients();
}

void ModelledDatabase::forget_clients() {
    for (const Event& event : out_.events)
        if (std::holds_alternative<Forgotten>(event)) ++forgotten_;
    out_.clear();
    states_.clear();
    answers_.clear();
}

const Table* ModelledDatabase::table_of(const Statement& statement) const {
    return std::visit(
        [&](const auto& kind) -> const Table* {
            if constexpr (requires { kind.table; })
                return &script_.schema.tables[index(kind.table)];
            else
                return nullptr;
        },
        statement);
}

// A client that waits is told of by its last Waited; one that is answered, or whose client has gone
// and whose statement has ended, waits no more.
void ModelledDatabase::take_in(sim::WallTime now) {
    std::uint64_t set_free = 0;
    for (const Event& event : out_.events) note(event, now);
    if (anybody_waits())
        for (const Event& event : out_.events) note_keys(event);
    for (const Reply& reply : out_.replies) {
        State& of = state(client_of(reply.session));
        if (of.waits) ++set_free;
        note_end(of, reply.result);
        answers_[client_of(reply.session)] = describe(reply.result, table_of(of.statement));
    }
    if (set_free > 1) ++tally_.woken_together;
    out_.clear();
    const Snapshot snapshot = server_.snapshot();
    std::set<Client> waiting;
    for (const Snapshot::Wait& wait : snapshot.waits) waiting.insert(client_of(wait.session));
    for (auto& [client, of] : states_) of.waits = waiting.contains(client);
    if (waiting.empty())
        deleted_keys_.clear();
    else
        note_awaited_rows();
}

void ModelledDatabase::note(const Event& event, sim::WallTime now) {
    std::visit(sim::overloaded{
                   [&](const Waited& waited) {
                       State& of = state(client_of(waited.session));
                       if (!of.waited) ++tally_.waited;
                       of.waits = of.waited = true;
                       of.waits_for_turn = waited.what == Waited::For::turn;
                       of.waits_since = now;
                   },
                   [&](const RowUpdated& updated) { note_change(updated.before); },
                   [&](const RowDeleted& deleted) { note_change(deleted.row); },
                   [](const auto&) {},
               },
               event);
}

void ModelledDatabase::note_change(RowView before) {
    for (auto& [client, of] : states_)
        if (of.awaited &&
            std::equal(before.begin(), before.end(), of.awaited->begin(), of.awaited->end()))
            of.awaited_changed = true;
}

// Called while somebody waits, or waited until just now.
void ModelledDatabase::note_keys(const Event& event) {
    if (const auto* const updated = std::get_if<RowUpdated>(&event)) {
        if (first_key(updated->table, updated->before) != first_key(updated->table, updated->after))
            ++tally_.keys_changed_meanwhile;
    } else if (const auto* const deleted = std::get_if<RowDeleted>(&event)) {
        deleted_keys_.insert(first_key(deleted->table, deleted->row));
    } else if (const auto* const inserted = std::get_if<RowInserted>(&event)) {
        if (deleted_keys_.contains(first_key(inserted->table, inserted->row)))
            ++tally_.inserted_again_meanwhile;
    }
}

std::string ModelledDatabase::first_key(TableId table, RowView row) const {
    std::string text = std::to_string(index(table));
    for (const ColumnId column : script_.schema.tables[index(table)].unique_keys.at(0).columns)
        text += " " + describe(row[index(column)]);
    return text;
}

bool ModelledDatabase::anybody_waits() const {
    return std::any_of(states_.begin(), states_.end(),
                       [](const auto& entry) { return entry.second.waits; });
}

void ModelledDatabase::note_end(State& of, const Result& result) {
    count_end(of, result);
    if (result.tag == Tag::begin && result.ok()) of.in_transaction = true;
    if (result.tag == Tag::commit || result.tag == Tag::rollback) of.in_transaction = false;
    if (std::holds_alternative<Insert>(of.statement)) ++versions_;
    if (std::holds_alternative<Update>(of.statement))
        versions_ += std::max<std::uint64_t>(result.affected, 3);
    of.waits = false;
    of.awaited.reset();
}

void ModelledDatabase::note_awaited_rows() {
    for (const Snapshot::Lock& lock : server_.snapshot().locks) {
        if (lock.state != Snapshot::Lock::State::awaited) continue;
        const auto found = states_.find(client_of(lock.session));
        if (found != states_.end() && !found->second.awaited) found->second.awaited = lock.row;
    }
}

void ModelledDatabase::count_end(const State& of, const Result& result) {
    if (!result.ok()) return count_refusal(of, result);
    const auto* const insert = std::get_if<Insert>(&of.statement);
    if (of.waited && insert && insert->on_conflict == Insert::OnConflict::do_nothing)
        ++(result.affected == 1 ? tally_.inserted_after_wait : tally_.absorbed_after_wait);
    if (of.awaited_changed) ++tally_.rechecked;
}

void ModelledDatabase::count_refusal(const State& of, const Result& result) {
    const auto* const select = std::get_if<Select>(&of.statement);
    const bool nowait = select && select->lock == Select::Lock::for_update_nowait;
    switch (result.state) {
    case SqlState::deadlock_detected: ++tally_.deadlocked; break;
    case SqlState::lock_not_available:
        ++(nowait ? tally_.refused_by_nowait : tally_.lock_timeouts);
        break;
    case SqlState::query_canceled:
        ++(of.is_cancelled ? tally_.cancelled : tally_.statement_timeouts);
        break;
    case SqlState::unique_violation:
        if (of.waited) ++tally_.violated_after_wait;
        break;
    case SqlState::numeric_value_out_of_range: ++tally_.out_of_range; break;
    case SqlState::not_null_violation: ++tally_.nulls_refused; break;
    case SqlState::in_failed_sql_transaction: ++tally_.failed_in_aborted_transaction; break;
    default: break;
    }
}

// Whether a row that others hold matches as it is committed.
bool ModelledDatabase::will_skip(Client client, const Statement& statement,
                                 sim::WallTime now) const {
    const auto* const select = std::get_if<Select>(&statement);
    if (select == nullptr || select->lock != Select::Lock::for_update_skip_locked) return false;
    const Filter filter(select->where, now);
    const Snapshot snapshot = server_.snapshot();
    return std::any_of(
        snapshot.locks.begin(), snapshot.locks.end(), [&](const Snapshot::Lock& lock) {
            if (lock.state != Snapshot::Lock::State::held || lock.session == id_of(client) ||
                lock.table != select->table || lock.row.empty() || !filter.matches(lock.row.data()))
                return false;
            const auto& rows = snapshot.tables[index(lock.table)].rows;
            return std::find(rows.begin(), rows.end(), lock.row) != rows.end();
        });
}

// Who awaits a turn also waits for those who came to the row before.
std::set<ModelledDatabase::Client> ModelledDatabase::blockers(Client client) const {
    std::set<Client> found;
    std::map<SessionId, std::set<Client>> queues;
    for (const Snapshot::Wait& wait : server_.snapshot().waits) {
        const Client waiting = client_of(wait.session);
        const bool for_turn = state(waiting).waits_for_turn;
        if (waiting == client) {
            found.insert(client_of(wait.blocker));
            if (for_turn) found.merge(std::set<Client>(queues[wait.blocker]));
        }
        if (for_turn) queues[wait.blocker].insert(waiting);
    }
    return found;
}

std::vector<ModelledDatabase::Client> ModelledDatabase::due(sim::WallTime at) const {
    std::vector<std::pair<int, Client>> found;
    for (const Snapshot::Wait& wait : server_.snapshot().waits) {
        const Client client = client_of(wait.session);
        const State& of = state(client);
        const auto ends = [&](sim::WallTime since, sim::Duration after) {
            return after > sim::Duration::zero() && since + after == at;
        };
        if (ends(of.waits_since, configuration_.lock_timeout))
            found.emplace_back(0, client);
        else if (ends(of.began, configuration_.statement_timeout))
            found.emplace_back(1, client);
        else if (ends(of.waits_since, configuration_.deadlock_timeout))
            found.emplace_back(2, client);
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& left, const auto& right) { return left.first < right.first; });
    std::vector<Client> clients;
    for (const auto& [kind, client] : found) clients.push_back(client);
    return clients;
}

std::map<ModelledDatabase::Client, std::string> ModelledDatabase::take_answers() {
    return std::exchange(answers_, {});
}

std::multiset<std::string> ModelledDatabase::content(TableId table) const {
    std::multiset<std::string> rows;
    server_.for_each_row(table, [&rows](RowView row) {
        std::string text;
        for (const Value& value : row) text += (text.empty() ? "(" : ", ") + describe(value);
        rows.insert(text + ")");
    });
    return rows;
}

}  // namespace redeliver::conformance::postgresql
