// The statements of DatabaseClient by which workers keep out second replies.

#include "model/database/chat_schema.h"
#include "scenarios/services/database_client.h"
#include "scenarios/services/row_ids.h"
#include "sim/ensure.h"

namespace redeliver::scenarios {

namespace database = model::database;
namespace chat = model::database::chat;
using database::Result;
using model::Operation;

namespace {

database::TableId existing(const std::optional<database::TableId>& table) {
    sim::ensure(table.has_value(), "a table that a policy uses is in the schema");
    return *table;
}

}  // namespace

sim::Outcome<Result> DatabaseClient::start_running(sim::Subject run, std::string_view worker,
                                                   RunningFrom from) {
    const auto pending = database::Value(chat::RunStatus::pending);
    database::Update update{.table = chat::runs, .where = {}, .set = {}};
    update.where.push_back(database::eq(chat::run::run_id, id_of(run)));
    update.where.push_back(
        from == RunningFrom::pending
            ? database::eq(chat::run::status, pending)
            : database::in(chat::run::status, {pending, chat::RunStatus::running}));
    update.set.push_back({chat::run::status, chat::RunStatus::running});
    update.set.push_back({chat::run::worker, worker});
    update.set.push_back({chat::run::claimed_at, database::now()});
    return send(Operation::mark_running, run, std::move(update));
}

sim::Outcome<Result> DatabaseClient::finish_running(sim::Subject run) {
    database::Update update{.table = chat::runs, .where = {}, .set = {}};
    update.where = {database::eq(chat::run::run_id, id_of(run)),
                    database::eq(chat::run::status, chat::RunStatus::running)};
    update.set.push_back({chat::run::status, chat::RunStatus::done});
    return send(Operation::mark_done, run, std::move(update));
}

sim::Outcome<Result> DatabaseClient::insert_mark(sim::Subject run) {
    database::Insert insert{.table = existing(service_.optional_tables().processed_messages),
                            .row = {},
                            .on_conflict = database::Insert::OnConflict::do_nothing};
    insert.row = {id_of(run), database::now()};
    return send(Operation::insert_mark, run, std::move(insert));
}

sim::Outcome<bool> DatabaseClient::has_mark(sim::Subject run) {
    database::Select select{
        .table = existing(service_.optional_tables().processed_messages), .where = {}, .limit = 1};
    select.where.push_back(database::eq(chat::processed::run_id, id_of(run)));
    return finds_any(Operation::select_mark, run, std::move(select));
}

sim::Outcome<Result> DatabaseClient::insert_lease(sim::Subject run, std::string_view owner,
                                                  sim::Duration lasts) {
    database::Insert insert{.table = existing(service_.optional_tables().leases),
                            .row = {},
                            .on_conflict = database::Insert::OnConflict::do_nothing};
    insert.row = {id_of(run), owner, 1, database::now(lasts)};
    return send(Operation::insert_lease, run, std::move(insert));
}

sim::Outcome<Result> DatabaseClient::take_over_lease(sim::Subject run, std::string_view owner,
                                                     sim::Duration lasts) {
    database::Update update{
        .table = existing(service_.optional_tables().leases), .where = {}, .set = {}};
    update.where = {database::eq(chat::lease::run_id, id_of(run)),
                    database::lt(chat::lease::expires_at, database::now())};
    update.set.push_back({chat::lease::owner, owner});
    update.set.push_back({chat::lease::token, database::plus(1)});
    update.set.push_back({chat::lease::expires_at, database::now(lasts)});
    return send(Operation::take_over_lease, run, std::move(update));
}

sim::Outcome<Result> DatabaseClient::renew_lease(sim::Subject run, std::string_view owner,
                                                 sim::Duration lasts) {
    database::Update update{
        .table = existing(service_.optional_tables().leases), .where = {}, .set = {}};
    update.where.push_back(database::eq(chat::lease::run_id, id_of(run)));
    update.set.push_back({chat::lease::owner, owner});
    update.set.push_back({chat::lease::expires_at, database::now(lasts)});
    return send(Operation::take_over_lease, run, std::move(update));
}

sim::Outcome<std::optional<std::int64_t>> DatabaseClient::lease_token(sim::Subject run,
                                                                      std::string_view owner) {
    using Token = std::optional<std::int64_t>;
    database::Select select{
        .table = existing(service_.optional_tables().leases), .where = {}, .limit = 1};
    select.where = {database::eq(chat::lease::run_id, id_of(run)),
                    database::eq(chat::lease::owner, owner)};
    const auto outcome = send(Operation::select_lease, run, std::move(select));
    if (!succeeded(outcome))
        return Outcome<Token>(outcome.arrived() ? sim::Fate::refused : outcome.fate());
    const database::Rows& rows = outcome.value().rows;
    return Outcome<Token>(rows.empty() ? Token{} : rows.at(0, chat::lease::token).integer());
}

sim::Outcome<Result> DatabaseClient::keep_lease(sim::Subject run, std::string_view owner,
                                                std::int64_t token) {
    database::Select select{.table = existing(service_.optional_tables().leases),
                            .where = {},
                            .lock = database::Select::Lock::for_update};
    select.where = {database::eq(chat::lease::run_id, id_of(run)),
                    database::eq(chat::lease::owner, owner),
                    database::eq(chat::lease::token, token)};
    return send(Operation::select_lease, run, std::move(select));
}

}  // namespace redeliver::scenarios
