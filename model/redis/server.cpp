#include "model/redis/server.h"

#include <utility>

#include "model/redis/server_state.h"
#include "sim/ensure.h"

namespace redeliver::model::redis {

Server::State::State(const Configuration& given) : configuration(given) {
    if (given.record == Configuration::Record::propagated) journal.emplace(configuration);
}

Server::Server(Configuration configuration) : state_(std::make_unique<State>(configuration)) {}
Server::Server(Server&&) noexcept = default;
Server& Server::operator=(Server&&) noexcept = default;
Server::~Server() = default;

void Server::submit(SessionId session, const Command& command, sim::WallTime now, Output& out) {
    State& state = *state_;
    if (state.is_due(now)) state.advance(now, out);
    if (!state.blocked.empty() && state.blocked.find(session)) {
        state.sessions[session].waiting.push_back(command);
        return;
    }
    state.perform(session, command, now, out);
    state.settle(now, out);
    sim::ensure(state.logged.empty(), "what a command propagates has been recorded");
}

void Server::disconnect(SessionId session, sim::WallTime now, Output& out) {
    State& state = *state_;
    // A clean close is noticed before the next command is served, so nothing is delivered to it.
    if (state.blocked.find(session)) state.blocked.remove(session);
    state.watched.unwatch(session);
    state.sessions.erase(session);
    if (state.is_due(now)) state.advance(now, out);
}

void Server::advance(sim::WallTime now, Output& out) { state_->advance(now, out); }

std::optional<sim::WallTime> Server::next_deadline() const { return state_->next_deadline(); }

void Server::become_primary() { state_->role = State::Role::primary; }

std::uint64_t Server::retained_records() const {
    return state_->journal ? state_->journal->retained() : 0;
}

std::string_view Server::text(Name name) const { return state_->names.text(name); }

const Configuration& Server::configuration() const { return state_->configuration; }

std::size_t Server::blocked_sessions() const { return state_->blocked.size(); }

}  // namespace redeliver::model::redis
