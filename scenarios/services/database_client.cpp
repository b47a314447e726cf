#include "scenarios/services/database_client.h"

#include <utility>

#include "model/database/chat_schema.h"
#include "scenarios/services/row_ids.h"
#include "sim/world.h"

namespace redeliver::scenarios {

namespace database = model::database;
namespace chat = model::database::chat;
using database::Result;
using model::Operation;
using sim::Fate;

namespace {

chat::RunStatus column_value(model::Status status) {
    switch (status) {
    case model::Status::running: return chat::RunStatus::running;
    case model::Status::done: return chat::RunStatus::done;
    case model::Status::failed: return chat::RunStatus::failed;
    default: return chat::RunStatus::pending;
    }
}

model::Status status_of(std::int64_t column) {
    switch (static_cast<chat::RunStatus>(column)) {
    case chat::RunStatus::pending: return model::Status::pending;
    case chat::RunStatus::running: return model::Status::running;
    case chat::RunStatus::done: return model::Status::done;
    case chat::RunStatus::failed: return model::Status::failed;
    }
    return model::Status::none;
}

sim::Subject run_of(const database::Value& id) {
    return sim::Subject{static_cast<std::uint32_t>(id.integer())};
}

DatabaseClient::Run run_in(const database::Rows& rows, std::size_t row) {
    return {.run = run_of(rows.at(row, chat::run::run_id)),
            .session = static_cast<std::uint32_t>(rows.at(row, chat::run::session_id).integer()),
            .status = status_of(rows.at(row, chat::run::status).integer())};
}

Operation update_of(model::Status status) {
    switch (status) {
    case model::Status::running: return Operation::mark_running;
    case model::Status::failed: return Operation::mark_failed;
    default: return Operation::mark_done;
    }
}

database::Select::Lock lock_of(OutboxLock lock) {
    using Lock = database::Select::Lock;
    switch (lock) {
    case OutboxLock::skip_locked: return Lock::for_update_skip_locked;
    case OutboxLock::for_update: return Lock::for_update;
    case OutboxLock::none: return Lock::none;
    }
    return Lock::none;
}

/// An error of the server tells nothing about the rows: as if it had never been asked.
Fate fate_of_rows(const sim::Outcome<Result>& outcome) {
    return outcome.arrived() && !outcome->ok() ? Fate::refused : outcome.fate();
}

}  // namespace

DatabaseClient::DatabaseClient(sim::Process& self, DatabaseService& service, sim::Duration timeout)
    : DatabaseClient(self, service, timeout,
                     self.world().network().connect(self.node(), service.node())) {}

DatabaseClient::DatabaseClient(sim::Process& self, DatabaseService& service, sim::Duration timeout,
                               sim::ConnectionId connection)
    : self_(self), service_(service), connection_(connection), timeout_(timeout) {}

sim::Outcome<Result> DatabaseClient::send(Operation operation, sim::Subject about,
                                          database::Statement statement) {
    auto outcome =
        sim::request(self_, service_.exchanges(),
                     {.connection = connection_,
                      .operation = model::number(operation),
                      .subject = about,
                      .timeout = timeout_,
                      .continuity = is_in_transaction_ ? sim::Network::Continuity::same_session
                                                       : sim::Network::Continuity::any_session},
                     std::move(statement));
    if (!outcome.arrived()) is_in_transaction_ = false;
    return outcome;
}

sim::Outcome<Result> DatabaseClient::insert_run(sim::Subject run, std::string_view key,
                                                std::uint32_t session, sim::Subject about) {
    database::Insert insert{
        .table = chat::runs, .row = {}, .on_conflict = database::Insert::OnConflict::do_nothing};
    insert.row = {id_of(run),      key,     session, chat::RunStatus::pending, nullptr,
                  database::now(), nullptr, nullptr};
    return send(Operation::insert_run, about, std::move(insert));
}

sim::Outcome<std::optional<DatabaseClient::Run>> DatabaseClient::find(
    Operation operation, sim::Subject about, database::Condition condition) {
    database::Select select{.table = chat::runs, .where = {}, .limit = 1};
    select.where.push_back(std::move(condition));
    const auto outcome = send(operation, about, std::move(select));
    using Found = std::optional<Run>;
    if (const Fate fate = fate_of_rows(outcome); fate != Fate::arrived) return Outcome<Found>(fate);
    const database::Rows& rows = outcome.value().rows;
    return Outcome<Found>(rows.empty() ? Found{} : Found{run_in(rows, 0)});
}

sim::Outcome<std::optional<DatabaseClient::Run>> DatabaseClient::find_run_by_key(
    std::string_view key, sim::Subject about) {
    return find(Operation::select_run, about, database::eq(chat::run::idempotency_key, key));
}

sim::Outcome<std::optional<DatabaseClient::Run>> DatabaseClient::find_run(sim::Subject run) {
    return find(Operation::select_run, run, database::eq(chat::run::run_id, id_of(run)));
}

sim::Outcome<std::vector<DatabaseClient::Run>> DatabaseClient::stale_runs(sim::Duration age,
                                                                          std::size_t limit,
                                                                          Stale statuses) {
    database::Select select{.table = chat::runs, .where = {}, .order = {}, .limit = limit};
    select.where = {
        statuses == Stale::pending
            ? database::eq(chat::run::status, chat::RunStatus::pending)
            : database::in(chat::run::status, {chat::RunStatus::pending, chat::RunStatus::running}),
        database::lt(chat::run::created_at, database::now(-age))};
    select.order.push_back({.column = chat::run::created_at});
    const auto outcome = send(Operation::select_stale, sim::Subject::none, std::move(select));
    if (const Fate fate = fate_of_rows(outcome); fate != Fate::arrived)
        return Outcome<std::vector<Run>>(fate);
    std::vector<Run> runs;
    const database::Rows& rows = outcome.value().rows;
    for (std::size_t row = 0; row < rows.size(); ++row) runs.push_back(run_in(rows, row));
    return Outcome<std::vector<Run>>(std::move(runs));
}

sim::Outcome<Result> DatabaseClient::set_status(sim::Subject run, model::Status status,
                                                std::string_view reason, StatusChanges changes) {
    database::Update update{.table = chat::runs, .where = {}, .set = {}};
    update.where.push_back(database::eq(chat::run::run_id, id_of(run)));
    if (changes == StatusChanges::conditional) {
        update.where.push_back(database::ne(chat::run::status, chat::RunStatus::done));
        update.where.push_back(database::ne(chat::run::status, chat::RunStatus::failed));
    }
    update.set.push_back({chat::run::status, column_value(status)});
    if (!reason.empty()) update.set.push_back({chat::run::reason, reason});
    return send(update_of(status), run, std::move(update));
}

sim::Outcome<Result> DatabaseClient::begin(sim::Subject about) {
    auto outcome = send(Operation::begin, about, database::Begin{});
    is_in_transaction_ = succeeded(outcome);
    return outcome;
}

sim::Outcome<Result> DatabaseClient::commit(sim::Subject about) {
    auto outcome = send(Operation::commit, about, database::Commit{});
    is_in_transaction_ = false;
    return outcome;
}

sim::Outcome<Result> DatabaseClient::rollback(sim::Subject about) {
    auto outcome = send(Operation::rollback, about, database::Rollback{});
    is_in_transaction_ = false;
    return outcome;
}

sim::Outcome<Result> DatabaseClient::insert_reply(const Message& message, OnConflict on_conflict) {
    using Clause = database::Insert::OnConflict;
    database::Insert insert{
        .table = chat::messages,
        .row = {},
        .on_conflict = on_conflict == OnConflict::do_nothing ? Clause::do_nothing : Clause::fail};
    const std::int64_t message_id = id_of(message.run) | (std::int64_t{message.execution} << 32);
    insert.row = {message_id, id_of(message.run), 1, message.session, "echo"};
    return send(Operation::insert_reply, message.run, std::move(insert));
}

sim::Outcome<bool> DatabaseClient::has_reply(sim::Subject run) {
    database::Select select{.table = chat::messages, .where = {}, .limit = 1};
    select.where = {database::eq(chat::message::run_id, id_of(run)),
                    database::eq(chat::message::seq, 1)};
    return finds_any(Operation::select_reply, run, std::move(select));
}

sim::Outcome<bool> DatabaseClient::finds_any(Operation operation, sim::Subject about,
                                             database::Select select) {
    const auto outcome = send(operation, about, std::move(select));
    if (const Fate fate = fate_of_rows(outcome); fate != Fate::arrived) return Outcome<bool>(fate);
    return Outcome<bool>(!outcome.value().rows.empty());
}

database::TableId DatabaseClient::outbox() const {
    const auto& outbox = service_.optional_tables().outbox;
    sim::ensure(outbox.has_value(), "an outbox is used only by systems that have one");
    return *outbox;
}

sim::Outcome<Result> DatabaseClient::insert_outbox(sim::Subject run, std::uint32_t session,
                                                   sim::Subject about) {
    database::Insert insert{.table = outbox(), .row = {}};
    insert.row = {id_of(run), session, database::now()};
    return send(Operation::insert_outbox, about, std::move(insert));
}

sim::Outcome<std::vector<DatabaseClient::Run>> DatabaseClient::read_outbox(std::size_t limit,
                                                                           OutboxLock lock) {
    database::Select select{
        .table = outbox(), .where = {}, .lock = lock_of(lock), .order = {}, .limit = limit};
    select.order.push_back({.column = chat::outbox::created_at});
    const auto outcome = send(Operation::select_outbox, sim::Subject::none, std::move(select));
    if (const Fate fate = fate_of_rows(outcome); fate != Fate::arrived)
        return Outcome<std::vector<Run>>(fate);
    std::vector<Run> runs;
    const database::Rows& rows = outcome.value().rows;
    for (std::size_t row = 0; row < rows.size(); ++row)
        runs.push_back({.run = run_of(rows.at(row, chat::outbox::run_id)),
                        .session = static_cast<std::uint32_t>(
                            rows.at(row, chat::outbox::session_id).integer())});
    return Outcome<std::vector<Run>>(std::move(runs));
}

sim::Outcome<Result> DatabaseClient::delete_outbox(sim::Subject run) {
    database::Delete removal{.table = outbox(), .where = {}};
    removal.where.push_back(database::eq(chat::outbox::run_id, id_of(run)));
    return send(Operation::delete_outbox, run, std::move(removal));
}

}  // namespace redeliver::scenarios
