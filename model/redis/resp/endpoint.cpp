#include "model/redis/resp/endpoint.h"

#include <utility>

#include "model/redis/resp/hosted.h"
#include "model/redis/resp/read_command.h"
#include "model/redis/resp/write_reply.h"
#include "sim/ensure.h"

namespace redeliver::model::redis::resp {
namespace {

constexpr std::string_view debug_refused =
    "ERR DEBUG command not allowed. If the enable-debug-command option is set to \"local\", you "
    "can run it from a local connection, otherwise you need to set this option in the "
    "configuration file, and then restart the server.";

Settings recording(Settings settings) {
    settings.server.record = Configuration::Record::propagated;
    return settings;
}

Flawed flaw(std::string_view error) {
    return {.error = std::string(error), .noticed = Flawed::Noticed::at_once};
}

bool is_refused_at_once(const Command& command) {
    const auto* const flawed = std::get_if<Flawed>(&command);
    return flawed && flawed->noticed != Flawed::Noticed::when_executed;
}

}  // namespace

Endpoint::Endpoint(Settings settings)
    : process_(new Process{.server = Server(recording(settings).server),
                           .settings = recording(settings)}) {
    process_->server.answer_hosted_with([&process = *process_](SessionId session,
                                                               const Hosted& command,
                                                               sim::WallTime now, Output& out) {
        HostedCall call{.process = process,
                        .connection = process.connections.at(session),
                        .words = command.words,
                        .now = now,
                        .out = out};
        return answer(call);
    });
}

Endpoint::~Endpoint() = default;

void Endpoint::connect(SessionId session, Ends ends, sim::WallTime now, Traffic& out) {
    if (!process_->started) process_->started = now;
    process_->statistics.connected();
    if (process_->connections.size() >= process_->settings.max_clients) {
        process_->statistics.turned_away();
        out.sent.push_back({session, "-ERR max number of clients reached\r\n"});
        out.closed.push_back(session);
        return;
    }
    const bool is_new =
        process_->connections
            .emplace(session, Connection{.session = session,
                                         .ends = std::move(ends),
                                         .reader = RequestReader(process_->settings.limits),
                                         .since = now,
                                         .last_request = now})
            .second;
    sim::ensure(is_new, "a connection begins once");
}

void Endpoint::receive(SessionId session, std::string_view bytes, sim::WallTime now, Traffic& out) {
    const auto found = process_->connections.find(session);
    if (found == process_->connections.end()) return;
    process_->statistics.received(bytes.size());
    Connection& connection = found->second;
    connection.reader.feed(bytes);
    // Behind a blocking read nothing is looked at, but it must not grow for ever either.
    if (connection.reader.buffered() > process_->settings.limits.buffered_bytes)
        close(session, now, out);
    else
        read_requests(connection, now, out);
    read_resumed(now, out);
}

void Endpoint::disconnect(SessionId session, sim::WallTime now, Traffic& out) {
    if (process_->connections.erase(session) == 0) return;
    process_->server.disconnect(session, now, output_);
    deliver(output_, now, out);
    read_resumed(now, out);
}

void Endpoint::advance(sim::WallTime now, Traffic& out) {
    process_->server.advance(now, output_);
    deliver(output_, now, out);
    read_resumed(now, out);
}

std::optional<sim::WallTime> Endpoint::next_deadline() const {
    return process_->server.next_deadline();
}

void Endpoint::read_requests(Connection& connection, sim::WallTime now, Traffic& out) {
    const SessionId session = connection.session;
    while (connection.state == Connection::State::open) {
        const auto request = connection.reader.next();
        if (!request) return;
        take(connection, *request, now, out);
        close_the_killed(now, out);
        if (!process_->connections.contains(session)) return;
    }
}

/// Whose blocking read has ended goes on once the connection at work has been served: as the real
/// server does, before it looks for new bytes.
void Endpoint::read_resumed(sim::WallTime now, Traffic& out) {
    while (!resumed_.empty()) {
        const SessionId session = resumed_.front();
        resumed_.pop_front();
        const auto found = process_->connections.find(session);
        if (found != process_->connections.end()) read_requests(found->second, now, out);
    }
    close_the_killed(now, out);
}

void Endpoint::take(Connection& connection, const Request& request, sim::WallTime now,
                    Traffic& out) {
    if (const auto* const error = std::get_if<ProtocolError>(&request)) {
        if (!error->text.empty()) {
            process_->statistics.error(error->text);
            send(connection, refused(error->text), out);
        }
        close(connection.session, now, out);
        return;
    }
    const Words& words = std::get<Words>(request);
    if (is_http(words)) return close(connection.session, now, out);
    execute(connection, words, now, out);
}

void Endpoint::execute(Connection& connection, const Words& words, sim::WallTime now,
                       Traffic& out) {
    using Replies = Connection::Replies;
    if (connection.replies == Replies::skip_this) connection.replies = Replies::on;
    if (connection.replies == Replies::skip_next) connection.replies = Replies::skip_this;
    connection.last_request = now;

    const CommandEntry* const entry = find_command(words);
    Command command = read_command(words, process_->settings.server.version);
    if (entry && entry->name == "debug" && !is_refused_at_once(command) &&
        process_->settings.debug_command == Settings::DebugCommand::refused)
        command = flaw(debug_refused);
    if (entry && entry->name == "shutdown" && connection.queued)
        command = flaw("ERR Command not allowed inside a transaction");
    connection.command = entry ? entry->name : "";
    connection.fate = is_refused_at_once(command) ? Connection::Fate::refused_at_once
                                                  : Connection::Fate::executed;
    if (connection.fate == Connection::Fate::executed && entry &&
        execute_at_once(connection, words, entry->name, now, out))
        return;
    process_->server.submit(connection.session, command, now, output_);
    if (process_->server.is_blocked(connection.session))
        connection.state = Connection::State::waiting;
    const SessionId session = connection.session;
    deliver(output_, now, out);
    follow_transaction(session);
}

/// EXEC needs to know what was queued until its answer has been counted.
void Endpoint::follow_transaction(SessionId session) {
    const auto found = process_->connections.find(session);
    if (found == process_->connections.end()) return;
    auto& queued = found->second.queued;
    if (!process_->server.is_in_transaction(session))
        queued.reset();
    else if (!queued)
        queued.emplace();
}

/// What is never queued, not even in a transaction.
bool Endpoint::execute_at_once(Connection& connection, const Words& words, std::string_view name,
                               sim::WallTime now, Traffic& out) {
    if (name == "quit") {
        process_->statistics.executed(name, Ok{});
        send(connection, Ok{}, out);
        close(connection.session, now, out);
    } else if (name == "reset") {
        reset(connection, now, out);
    } else if (name == "shutdown") {
        shut_down(connection, words, out);
    } else {
        return false;
    }
    return true;
}

/// Nothing is ever saved, whatever is asked for.
void Endpoint::shut_down(Connection& connection, const Words& words, Traffic& out) {
    for (auto word = words.begin() + 1; word != words.end(); ++word) {
        const bool is_known = is_same_word(*word, "nosave") || is_same_word(*word, "now") ||
                              is_same_word(*word, "force");
        if (is_known) continue;
        const Reply refusal = refused(syntax_error);
        process_->statistics.executed("shutdown", refusal);
        return send(connection, refusal, out);
    }
    out.shutdown = true;
}

void Endpoint::reset(Connection& connection, sim::WallTime now, Traffic& out) {
    process_->statistics.executed("reset", Ok{});
    process_->server.disconnect(connection.session, now, output_);
    connection.queued.reset();
    connection.name.clear();
    connection.replies = Connection::Replies::on;
    connection.protocol = Protocol::resp2;
    send(connection, simple("RESET"), out);
    deliver(output_, now, out);
}

void Endpoint::deliver(Output& output, sim::WallTime now, Traffic& out) {
    for (const Sent& sent : output.replies) {
        const auto found = process_->connections.find(sent.to);
        if (found == process_->connections.end()) continue;
        Connection& connection = found->second;
        count(connection, sent.reply);
        send(connection, sent.reply, out);
        if (connection.state != Connection::State::waiting) continue;
        connection.state = Connection::State::open;
        resumed_.push_back(sent.to);
    }
    const auto closed = std::exchange(output.closed, {});
    output.clear();
    for (const SessionId session : closed) close(session, now, out);
}

void Endpoint::send(Connection& connection, const Reply& reply, Traffic& out) {
    if (connection.replies != Connection::Replies::on) return;
    if (out.sent.empty() || out.sent.back().to != connection.session)
        out.sent.push_back({connection.session, {}});
    std::string& bytes = out.sent.back().bytes;
    const std::size_t before = bytes.size();
    write_reply(reply, connection.protocol, bytes);
    process_->statistics.sent(bytes.size() - before);
    // Who asks for more than it may be owed is not answered to the end.
    if (bytes.size() > process_->settings.max_output) process_->killed.insert(connection.session);
}

void Endpoint::close(SessionId session, sim::WallTime now, Traffic& out) {
    if (process_->connections.erase(session) == 0) return;
    process_->server.disconnect(session, now, output_);
    out.closed.push_back(session);
    deliver(output_, now, out);
}

void Endpoint::close_the_killed(sim::WallTime now, Traffic& out) {
    for (const SessionId session : std::exchange(process_->killed, {})) close(session, now, out);
}

}  // namespace redeliver::model::redis::resp
