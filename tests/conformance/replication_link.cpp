#include "tests/conformance/replication_link.h"

#include <tuple>
#include <utility>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sim/ensure.h"
#include "tests/conformance/reply_frame.h"
#include "tests/conformance/words.h"

namespace redeliver::conformance {
namespace {

sockaddr_in loopback(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

/// Bound to a port of the kernel's choice.
std::pair<int, std::uint16_t> bound_socket() {
    const int bound = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    sim::ensure(::bind(bound, any, size) == 0 && ::getsockname(bound, any, &size) == 0,
                "the loopback interface has a free port");
    return {bound, ntohs(address.sin_port)};
}

void close_if_open(int& socket) {
    if (socket >= 0) ::close(socket);
    socket = -1;
}

void send_all(int socket, std::string_view bytes) {
    while (!bytes.empty()) {
        const auto sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent < 0) throw Silence("a server broke off its replication");
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
}

/// Whatever is there now.
std::string receive_waiting(int socket) {
    std::string bytes;
    char buffer[1 << 14];
    while (true) {
        const auto count = ::recv(socket, buffer, sizeof buffer, MSG_DONTWAIT);
        if (count <= 0) return bytes;
        bytes.append(buffer, static_cast<std::size_t>(count));
    }
}

void send_at_once(int socket) {
    const int yes = 1;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

/// The first word of a request on the wire.
std::string first_word_of(std::string_view request) {
    const auto length_at = request.find("\r\n") + 2;
    const auto at = request.find("\r\n", length_at) + 2;
    return upper_case(request.substr(at, request.find("\r\n", at) - at));
}

}  // namespace

std::uint16_t free_port() {
    auto [bound, port] = bound_socket();
    close_if_open(bound);
    return port;
}

ReplicationLink::ReplicationLink(std::uint16_t primary_port) : primary_port_(primary_port) {
    std::tie(listener_, port_) = bound_socket();
    sim::ensure(::listen(listener_, 4) == 0, "a bound socket can listen");
}

ReplicationLink::~ReplicationLink() {
    hang_up();
    close_if_open(listener_);
}

void ReplicationLink::hang_up() {
    close_if_open(replica_);
    close_if_open(primary_);
    arrived_.clear();
}

void ReplicationLink::accept_replica() {
    hang_up();
    replica_ = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    primary_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_in address = loopback(primary_port_);
    if (::connect(primary_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        throw Silence("the primary does not accept a replica");
    send_at_once(replica_);
    send_at_once(primary_);
}

void ReplicationLink::forward() {
    constexpr int moment_ms = 1;
    pollfd waits[] = {{listener_, POLLIN, 0}, {replica_, POLLIN, 0}, {primary_, POLLIN, 0}};
    ::poll(waits, 3, moment_ms);
    if (waits[0].revents != 0) return accept_replica();
    if (replica_ < 0) return;
    send_all(primary_, receive_waiting(replica_));
    arrived_from_primary();
    release(arrived_.size());
}

std::string_view ReplicationLink::arrived_from_primary() {
    arrived_ += receive_waiting(primary_);
    return arrived_;
}

void ReplicationLink::release(std::size_t bytes) {
    sim::ensure(bytes <= arrived_.size(), "only what has arrived can be forwarded");
    send_all(replica_, std::string_view(arrived_).substr(0, bytes));
    arrived_.erase(0, bytes);
}

void RecordCounter::feed(std::string_view bytes) {
    pending_ += bytes;
    while (pending_.size() > 1) {
        // The primary may keep the connection alive with an empty line.
        if (pending_.starts_with("\n")) {
            pending_.erase(0, 1);
            continue;
        }
        const auto length = reply_length(pending_);
        if (!length) return;
        const std::string word = first_word_of(std::string_view(pending_).substr(0, *length));
        pending_.erase(0, *length);
        if (word == "SELECT" || word == "PING" || word == "REPLCONF") continue;
        if (word == "MULTI") in_transaction_ = true;
        if (word == "EXEC") in_transaction_ = false;
        if (!in_transaction_) ++records_;
    }
}

}  // namespace redeliver::conformance
