#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/redis/resp/request_reader.h"
#include "model/redis/resp/settings.h"
#include "model/redis/resp/statistics.h"
#include "model/redis/resp/write_reply.h"
#include "model/redis/server.h"

namespace redeliver::model::redis::resp {

/// The two ends of a connection, as CLIENT LIST shows them.
struct Ends {
    std::string remote = {};
    std::string local = {};
};

/// A client that is connected.
struct Connection {
    enum class State : std::uint8_t {
        open,
        waiting,  ///< in a blocking read: what comes behind it is not looked at
        closing   ///< nothing more is read
    };
    /// CLIENT REPLY
    enum class Replies : std::uint8_t { on, off, skip_next, skip_this };

    /// Whether the command below got as far as its execution (or its queue).
    enum class Fate : std::uint8_t { executed, refused_at_once };

    SessionId session{};
    Ends ends = {};
    RequestReader reader;
    sim::WallTime since{};
    sim::WallTime last_request{};
    State state = State::open;
    Replies replies = Replies::on;
    Protocol protocol = Protocol::resp2;
    std::string name = {};
    /// The command executed last, or at work, as the command table has it.
    std::string command = {};
    Fate fate = Fate::executed;
    /// The commands queued since MULTI; nothing outside a transaction.
    std::optional<std::vector<std::string>> queued = {};
};

/// What the commands about connections and the process act on.
struct Process {
    Server server;
    Settings settings;
    Statistics statistics = {};
    std::map<SessionId, Connection> connections = {};
    /// Connections that CLIENT KILL has ended.
    std::set<SessionId> killed = {};
    std::optional<sim::WallTime> started = {};
};

}  // namespace redeliver::model::redis::resp
