#include "tests/conformance/connection.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "sim/ensure.h"
#include "tests/conformance/reply_frame.h"

namespace redeliver::conformance {
namespace {

constexpr timeval patience{.tv_sec = 5, .tv_usec = 0};

}  // namespace

Connection::Connection(const std::string& socket_path)
    : socket_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    sim::ensure(socket_path.size() < sizeof address.sun_path, "the path of a socket is short");
    std::memcpy(address.sun_path, socket_path.data(), socket_path.size());
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        ::close(socket_);
        throw Silence("cannot connect to " + socket_path + ": " + std::strerror(errno));
    }
}

Connection::Connection(Connection&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)),
      received_(std::move(other.received_)),
      taken_(std::exchange(other.taken_, 0)) {}

Connection& Connection::operator=(Connection&& other) noexcept {
    std::swap(socket_, other.socket_);
    std::swap(received_, other.received_);
    std::swap(taken_, other.taken_);
    return *this;
}

Connection::~Connection() {
    if (socket_ >= 0) ::close(socket_);
}

void Connection::send(std::string_view bytes) {
    while (!bytes.empty()) {
        const auto sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent < 0) throw Silence(std::string("cannot send: ") + std::strerror(errno));
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
}

bool Connection::receive(int flags) {
    char buffer[1 << 16];
    const auto count = ::recv(socket_, buffer, sizeof buffer, flags);
    if (count <= 0) return false;
    received_.append(buffer, static_cast<std::size_t>(count));
    return true;
}

std::string Connection::next_reply() {
    while (true) {
        const auto waiting = std::string_view(received_).substr(taken_);
        if (const auto length = reply_length(waiting)) {
            std::string reply(waiting.substr(0, *length));
            taken_ += *length;
            if (taken_ == received_.size()) {
                received_.clear();
                taken_ = 0;
            }
            return reply;
        }
        if (!receive(0)) throw Silence("the reference server sent no (whole) reply");
    }
}

std::string Connection::ask(const Words& words) {
    std::string request;
    append_request(words, request);
    send(request);
    return next_reply();
}

std::string Connection::unread() {
    while (receive(MSG_DONTWAIT)) {}
    return received_.substr(taken_);
}

}  // namespace redeliver::conformance
