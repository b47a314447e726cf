#include "model/database/server.h"

#include <utility>

#include "model/database/engine.h"

namespace redeliver::model::database {

Server::Server(Schema schema, Configuration configuration)
    : engine_(std::make_unique<Engine>(std::move(schema), configuration)) {}

Server::Server(Server&&) noexcept = default;
Server& Server::operator=(Server&&) noexcept = default;
Server::~Server() = default;

const Schema& Server::schema() const { return engine_->schema(); }

const Configuration& Server::configuration() const { return engine_->configuration(); }

SqlState Server::connect(SessionId session) { return engine_->connect(session); }

void Server::submit(SessionId session, const Statement& statement, sim::WallTime now, Output& out) {
    engine_->submit(session, statement, now, out);
}

void Server::disconnect(SessionId session, sim::WallTime now, Output& out) {
    engine_->disconnect(session, now, out);
}

void Server::cancel(SessionId session, sim::WallTime now, Output& out) {
    engine_->cancel(session, now, out);
}

void Server::advance(sim::WallTime now, Output& out) { engine_->advance(now, out); }

std::optional<sim::WallTime> Server::next_deadline() const { return engine_->next_deadline(); }

void Server::restart_after_process_loss(sim::WallTime now, Output& out) {
    engine_->restart(now, out);
}

void Server::restart_after_machine_loss(sim::WallTime now, Output& out) {
    engine_->restart(now, out);
}

void Server::fail_over(sim::Duration lag, sim::WallTime now, Output& out) {
    engine_->fail_over(lag, now, out);
}

std::size_t Server::connections() const { return engine_->connections(); }

void Server::for_each_row(TableId table, const std::function<void(RowView)>& visit) const {
    engine_->for_each_row(table, visit);
}

std::uint64_t Server::digest() const { return engine_->digest(); }

std::size_t Server::take_connections() { return engine_->take_connections(); }

void Server::close_taken_connections() { engine_->close_taken_connections(); }

Snapshot Server::snapshot() const { return engine_->snapshot(); }

}  // namespace redeliver::model::database
