#include "scenarios/services/database_service.h"

#include <utility>

#include "model/database/chat_schema.h"
#include "model/subjects.h"
#include "scenarios/orders.h"
#include "sim/overloaded.h"

namespace redeliver::scenarios {

namespace database = model::database;
namespace chat = model::database::chat;

namespace {

const database::Value& field(database::RowView row, database::ColumnId column) {
    return row[index(column)];
}

sim::Subject run_in(database::RowView row, database::ColumnId column) {
    return sim::Subject{static_cast<std::uint32_t>(field(row, column).integer())};
}

/// Of whoever locks rows for reasons of its own: the network counts from 1.
constexpr database::SessionId stranger{0};

std::uint32_t small(const database::Value& value) {
    return static_cast<std::uint32_t>(value.integer());
}

model::Status status_of(database::RowView row) {
    switch (static_cast<chat::RunStatus>(field(row, chat::run::status).integer())) {
    case chat::RunStatus::pending: return model::Status::pending;
    case chat::RunStatus::running: return model::Status::running;
    case chat::RunStatus::done: return model::Status::done;
    case chat::RunStatus::failed: return model::Status::failed;
    }
    return model::Status::none;
}

}  // namespace

DatabaseService::Session& DatabaseService::session(database::SessionId id) {
    const auto number = static_cast<std::size_t>(id);
    if (number >= sessions_.size()) sessions_.resize(number + 1);
    return sessions_[number];
}

void DatabaseService::on_request(sim::ExchangeId exchange) {
    const database::SessionId id{world_.network().session_of(exchange)};
    Session& client = session(id);
    client.exchange = exchange;
    client.client = world_.network().client_of(exchange);
    client.about = world_.network().address_of(exchange).subject;
    const sim::WallTime now = world_.wall_now(node_);
    if (witness_ != nullptr) witness_->submitted(id, exchanges_[exchange].request, now);
    server_.submit(id, exchanges_[exchange].request, now, out_);
    deliver();
}

void DatabaseService::on_disconnect(sim::SessionNumber number) {
    const sim::WallTime now = world_.wall_now(node_);
    if (witness_ != nullptr) witness_->disconnected(database::SessionId{number}, now);
    server_.disconnect(database::SessionId{number}, now, out_);
    deliver();
}

void DatabaseService::on_timer() {
    server_.advance(world_.wall_now(node_), out_);
    deliver();
}

void DatabaseService::on_crash(sim::CrashOf of) {
    const sim::WallTime now = world_.wall_now(node_);
    if (witness_ != nullptr) witness_->lost(now);
    forget_strangers();
    if (of == sim::CrashOf::process) {
        server_.restart_after_process_loss(now, out_);
    } else {
        server_.restart_after_machine_loss(now, out_);
    }
    deliver();
}

void DatabaseService::on_failover(sim::Duration lag) {
    const sim::WallTime now = world_.wall_now(node_);
    if (witness_ != nullptr) witness_->lost(now);
    forget_strangers();
    const sim::Duration behind = replica_ == Replica::keeps_up ? sim::Duration{} : lag;
    server_.fail_over(behind, now, out_);
    deliver();
}

bool DatabaseService::understands(std::string_view words) const {
    return words == orders::hold_locks || words == orders::take_connections;
}

bool DatabaseService::obey(std::string_view words, sim::Duration) {
    if (words == orders::take_connections) {
        ++takers_;
        return server_.take_connections() > 0;
    }
    if (lock_holders_++ > 0) return false;  // The rows are locked already.
    bool has_rows = false;
    server_.for_each_row(chat::runs, [&](database::RowView) { has_rows = true; });
    submit_for_stranger(database::Begin{});
    submit_for_stranger(
        database::Select{.table = chat::runs, .lock = database::Select::Lock::for_update});
    return has_rows;
}

void DatabaseService::relent(std::string_view words) {
    if (words == orders::take_connections) {
        if (takers_ > 0 && --takers_ == 0) server_.close_taken_connections();
    } else if (lock_holders_ > 0 && --lock_holders_ == 0) {
        submit_for_stranger(database::Commit{});
    }
}

void DatabaseService::submit_for_stranger(const database::Statement& statement) {
    session(stranger).client = node_;
    const sim::WallTime now = world_.wall_now(node_);
    if (witness_ != nullptr) witness_->submitted(stranger, statement, now);
    server_.submit(stranger, statement, now, out_);
    deliver();
}

void DatabaseService::deliver() {
    ++changes_;
    for (const database::Event& event : out_.events) report(event);
    for (database::Reply& reply : out_.replies) {
        const Session& client = session(reply.session);
        if (!reply.result.ok())
            world_.record(
                client.client, client.about,
                model::StatementFailed{.state = static_cast<std::uint32_t>(reply.result.state)});
        if (reply.session == stranger || !world_.network().is_owed(client.exchange)) continue;
        const std::uint64_t content = database::hash(reply.result);
        exchanges_[client.exchange].reply = std::move(reply.result);
        world_.network().reply(client.exchange, content);
    }
    out_.clear();
    arm_timer();
}

void DatabaseService::arm_timer() {
    const auto deadline = server_.next_deadline();
    if (!world_.node(node_).is_alive || !deadline) return world_.set_timer(node_, {});
    world_.set_timer(node_, world_.instant_of(node_, *deadline));
}

void DatabaseService::report(const database::Event& event) {
    std::visit(sim::overloaded{
                   [&](const database::RowInserted& inserted) { report_insert(inserted); },
                   [&](const database::RowUpdated& updated) { report_update(updated); },
                   [&](const database::InsertAbsorbed& absorbed) { report_absorbed(absorbed); },
                   [&](const database::RolledBack& rolled_back) {
                       const Session& client = session(rolled_back.session);
                       world_.record(client.client, client.about,
                                     model::RolledBack{
                                         .reason = static_cast<std::uint32_t>(rolled_back.reason)});
                   },
                   [&](const database::Forgotten& forgotten) { report_forgotten(forgotten); },
                   [](const auto&) {},  // Waits and commits show in what they let happen.
               },
               event);
}

void DatabaseService::report_insert(const database::RowInserted& event) {
    const sim::NodeId actor = session(event.session).client;
    if (event.table == chat::runs) {
        const sim::Subject run = run_in(event.row, chat::run::run_id);
        world_.record(actor, run,
                      model::Accepted{.intention = model::intention_of(run),
                                      .session = small(field(event.row, chat::run::session_id))});
    } else if (event.table == tables_.leases) {
        report_lease(event.session, event.row);
    } else if (event.table == chat::messages) {
        world_.record(
            actor, run_in(event.row, chat::message::run_id),
            model::ReplyStored{.seq = small(field(event.row, chat::message::seq)),
                               .session = small(field(event.row, chat::message::session_id))});
    }
}

void DatabaseService::report_update(const database::RowUpdated& event) {
    if (event.table == tables_.leases) return report_lease(event.session, event.after);
    if (event.table != chat::runs) return;
    const database::Value& reason = field(event.after, chat::run::reason);
    world_.record(session(event.session).client, run_in(event.after, chat::run::run_id),
                  model::StatusChanged{
                      .from = status_of(event.before),
                      .to = status_of(event.after),
                      .reason = reason.is_null() ? sim::Name::none : world_.intern(reason.text())});
}

void DatabaseService::report_lease(database::SessionId owner, database::RowView row) {
    world_.record(session(owner).client, run_in(row, chat::lease::run_id),
                  model::LeaseTaken{.owner = world_.intern(field(row, chat::lease::owner).text()),
                                    .token = small(field(row, chat::lease::token))});
}

void DatabaseService::report_absorbed(const database::InsertAbsorbed& event) {
    const sim::NodeId actor = session(event.session).client;
    if (event.table == chat::runs) {
        world_.record(
            actor, run_in(event.refused, chat::run::run_id),
            model::SubmissionAbsorbed{.existing = run_in(event.existing, chat::run::run_id)});
    } else if (event.table == chat::messages) {
        world_.record(actor, run_in(event.refused, chat::message::run_id),
                      model::ReplyAbsorbed{.seq = small(field(event.refused, chat::message::seq))});
    }
}

void DatabaseService::report_forgotten(const database::Forgotten& event) {
    using What = model::DatabaseForgot::What;
    if (event.table != chat::runs && event.table != chat::messages) return;
    const database::RowView row = event.lost.empty() ? event.kept : event.lost;
    const bool is_run = event.table == chat::runs;
    const What what = !is_run ? What::reply : event.kept.empty() ? What::run : What::status;
    const model::Status now =
        is_run && !event.kept.empty() ? status_of(event.kept) : model::Status::none;
    world_.record(node_, run_in(row, is_run ? chat::run::run_id : chat::message::run_id),
                  model::DatabaseForgot{.what = what, .now = now});
}

}  // namespace redeliver::scenarios
