#include "tests/bridge/wire.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <stdexcept>
#include <utility>

namespace redeliver::bridge {
namespace {

RedisServer::Options on_a_free_port(const model::redis::resp::Settings& settings) {
    return {.address = "127.0.0.1", .port = 0, .settings = settings};
}

}  // namespace

Served::Served(model::redis::resp::Settings settings)
    : server_(on_a_free_port(settings)), thread_([this] { server_.run(); }) {}

Served::~Served() {
    if (!thread_.joinable()) return;
    server_.stop();
    thread_.join();
}

Wire::Wire(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_port = htons(port);
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval patience{.tv_sec = 5, .tv_usec = 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (::connect(socket_, reinterpret_cast<const sockaddr*>(&place), sizeof place) != 0)
        throw std::runtime_error("nobody listens on the port");
}

Wire::Wire(Wire&& other) noexcept : socket_(std::exchange(other.socket_, -1)) {}

Wire::~Wire() { close(); }

void Wire::close() {
    if (socket_ >= 0) ::close(std::exchange(socket_, -1));
}

bool Wire::send(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

std::string Wire::read(std::size_t bytes) {
    std::string text;
    std::array<char, 65536> part;
    while (text.size() < bytes) {
        const std::size_t wanted = std::min(part.size(), bytes - text.size());
        const ssize_t size = ::recv(socket_, part.data(), wanted, 0);
        if (size <= 0) break;
        text.append(part.data(), static_cast<std::size_t>(size));
    }
    return text;
}

std::string Wire::ask(std::string_view asked, std::string_view expected) {
    send(asked);
    return read(expected.size());
}

std::string Wire::read_to_the_end() { return read(std::string::npos); }

bool Wire::hears_something() {
    pollfd waiting{.fd = socket_, .events = POLLIN, .revents = 0};
    return ::poll(&waiting, 1, 200) > 0;
}

std::string request(std::initializer_list<std::string_view> words) {
    std::string bytes = "*" + std::to_string(words.size()) + "\r\n";
    for (const std::string_view word : words)
        bytes += "$" + std::to_string(word.size()) + "\r\n" + std::string(word) + "\r\n";
    return bytes;
}

}  // namespace redeliver::bridge
