#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

#include "model/redis/resp/settings.h"

namespace redeliver::bridge {

/// Why a server cannot listen where it was asked to, in one line.
class CannotListen : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Whether the text is an IP address, and whether only this machine can reach it. Names are not
/// looked up.
enum class Reach : std::uint8_t { no_address, this_machine, network };
Reach reach_of(const std::string& address);

/// The redis model behind a TCP socket, the real clock driving its own: one thread, which is the
/// one that calls `run`. Nothing is written to disk, and nothing outlives the object.
class RedisServer {
public:
    struct Options {
        /// An IP address.
        std::string address = "127.0.0.1";
        /// 0 lets the system pick a free one.
        std::uint16_t port = 6379;
        model::redis::resp::Settings settings = {};
    };

    /// Listens at once; clients that connect before `run` wait. Throws CannotListen.
    explicit RedisServer(const Options& options);
    ~RedisServer();
    RedisServer(const RedisServer&) = delete;
    RedisServer& operator=(const RedisServer&) = delete;

    /// Where it listens: the port that was picked when none was asked for.
    std::uint16_t port() const;

    /// SIGINT and SIGTERM end `run` from now on, as `stop` does.
    void stop_on_signals();

    /// Serves until it is stopped, or told SHUTDOWN. Then it takes no more requests, gives clients
    /// two seconds to read what they were sent, and closes.
    void run();

    /// Ends `run`; may be called from another thread.
    void stop();

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace redeliver::bridge
