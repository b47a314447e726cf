#include "model/redis/server.h"

#include <utility>

#include "model/redis/arguments.h"
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

std::vector<std::vector<std::string>> Server::log_words() const {
    std::vector<std::vector<std::string>> words;
    if (!state_->journal) return words;
    const Journal& journal = *state_->journal;
    const auto& rewritten = journal.rewritten();
    if (rewritten)
        for (const Command& command : rewritten->commands) words.push_back(arguments(command));
    for (std::size_t i = rewritten ? rewritten->covered : 0; i < journal.tail().size(); ++i) {
        const Journal::Record& record = journal.tail()[i];
        const bool together = record.commands.size() > 1;
        if (together) words.push_back({"MULTI"});
        for (const Command& command : record.commands) words.push_back(arguments(command));
        if (together) words.push_back({"EXEC"});
    }
    return words;
}

std::string_view Server::text(Name name) const { return state_->names.text(name); }

const Configuration& Server::configuration() const { return state_->configuration; }

void Server::answer_hosted_with(Host host) { state_->host = std::move(host); }

bool Server::is_blocked(SessionId session) const { return state_->blocked.find(session); }

bool Server::is_in_transaction(SessionId session) const {
    const auto known = state_->sessions.find(session);
    return known != state_->sessions.end() && known->second.transaction;
}

bool Server::unblock(SessionId session, Ending ending, Output& out) {
    if (!is_blocked(session)) return false;
    Reply reply = NilArray{};
    if (ending == Ending::error) reply = Refused{Refusal::unblocked_by_client};
    state_->unblock(session, std::move(reply), out);
    return true;
}

void Server::reconfigure(const Configuration& wanted) {
    Configuration& configuration = state_->configuration;
    sim::ensure(wanted.version == configuration.version && wanted.record == configuration.record,
                "a running server stays of its version, and goes on recording as it did");
    configuration = wanted;
    if (state_->journal) state_->journal->reconfigure(wanted);
}

void Server::reload_log(sim::WallTime now) {
    State& state = *state_;
    sim::ensure(state.journal.has_value(), "a server that reloads records what it propagates");
    state.reload_log(now);
}

Server::KeyCounts Server::key_counts() const {
    const Keyspace& keys = state_->keys;
    return {.keys = keys.keys().size(), .expiring = keys.expiring()};
}

std::size_t Server::blocked_sessions() const { return state_->blocked.size(); }

}  // namespace redeliver::model::redis
