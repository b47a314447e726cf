#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <thread>

#include "bridge/redis_server.h"

namespace redeliver::bridge {

/// A server on a free port of this machine, for one test.
class Served {
public:
    explicit Served(model::redis::resp::Settings settings = {});
    ~Served();
    Served(const Served&) = delete;
    Served& operator=(const Served&) = delete;

    std::uint16_t port() const { return server_.port(); }
    void stop() { server_.stop(); }
    /// Until the server has ended by itself.
    void join() { thread_.join(); }

private:
    RedisServer server_;
    std::thread thread_;
};

/// A client's end of a connection. Reading gives up after five seconds, and then returns what there
/// is: the test says what is missing.
class Wire {
public:
    explicit Wire(const Served& served) : Wire(served.port()) {}
    explicit Wire(std::uint16_t port);
    Wire(Wire&& other) noexcept;
    ~Wire();

    /// False when the server has closed the connection.
    bool send(std::string_view bytes);
    std::string read(std::size_t bytes);
    /// Sends, and reads as many bytes as `expected` has.
    std::string ask(std::string_view request, std::string_view expected);
    /// All that comes until the server closes.
    std::string read_to_the_end();
    /// Whether something came within 200 ms.
    bool hears_something();
    void close();

private:
    int socket_;
};

/// A request as clients write it: an array of bulk strings.
std::string request(std::initializer_list<std::string_view> words);

}  // namespace redeliver::bridge
