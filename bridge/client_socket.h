#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

namespace redeliver::bridge {

/// One client's socket, never blocking, and what it has not taken yet. An idle client has no buffer
/// of its own.
class ClientSocket {
public:
    enum class Sent : std::uint8_t {
        all,
        some,  ///< the client has to read first
        failed
    };

    explicit ClientSocket(boost::asio::ip::tcp::socket socket);

    boost::asio::ip::tcp::socket& socket() { return socket_; }
    std::string remote_end() const;
    std::string local_end() const;

    void queue(std::string_view bytes) { output_.append(bytes); }
    std::size_t unsent() const { return output_.size() - sent_; }
    /// Hands the system as much as it takes.
    Sent send();

    /// Somebody waits until `send` can go on.
    bool awaits_writable = false;
    /// Nothing more is read, and the connection ends when all is sent, or the patience is at an
    /// end.
    bool is_ending = false;
    boost::asio::steady_timer patience;

private:
    boost::asio::ip::tcp::socket socket_;
    std::string output_;
    std::size_t sent_ = 0;
};

}  // namespace redeliver::bridge
