#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "tests/conformance/words.h"

namespace redeliver::conformance {

/// The reference server broke off, or said nothing for long.
struct Silence : std::runtime_error {
    using runtime_error::runtime_error;
};

/// A client connection to the reference server, over its Unix socket. Blocking, bytes only.
class Connection {
public:
    /// Throws Silence when nobody listens.
    explicit Connection(const std::string& socket_path);
    Connection(Connection&& other) noexcept;
    Connection& operator=(Connection&& other) noexcept;
    ~Connection();

    void send(std::string_view bytes);
    /// The next whole reply, waiting seconds for it at most; throws Silence.
    std::string next_reply();
    std::string ask(const Words& words);
    /// What has arrived and nobody asked for; empty as it should be.
    std::string unread();

private:
    bool receive(int flags);

    int socket_ = -1;
    std::string received_;
    std::size_t taken_ = 0;
};

}  // namespace redeliver::conformance
