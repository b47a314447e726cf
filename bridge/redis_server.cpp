#include "bridge/redis_server.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/system_timer.hpp>

#include "bridge/client_socket.h"
#include "model/redis/resp/endpoint.h"

namespace redeliver::bridge {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using Error = boost::system::error_code;
using model::redis::SessionId;
using model::redis::resp::Traffic;

constexpr auto patience_with_readers = std::chrono::seconds{2};
constexpr auto longest_wait = std::chrono::minutes{1};
/// How long nobody is accepted when the process has no file descriptors left.
constexpr auto pause_when_exhausted = std::chrono::milliseconds{100};

/// The model's clock shows what the machine's does.
sim::WallTime now() {
    return sim::WallTime{std::chrono::duration_cast<sim::Duration>(
        std::chrono::system_clock::now().time_since_epoch())};
}

std::chrono::system_clock::time_point on_the_machine(sim::WallTime time) {
    return std::chrono::system_clock::time_point{
        std::chrono::duration_cast<std::chrono::system_clock::duration>(time.time_since_epoch())};
}

}  // namespace

Reach reach_of(const std::string& text) {
    Error error;
    const auto address = asio::ip::make_address(text, error);
    if (error) return Reach::no_address;
    return address.is_loopback() ? Reach::this_machine : Reach::network;
}

/// Everything happens on the one thread inside `run`. Completion handlers name their client by its
/// number, which is never used again, so that one who outlives it finds nobody.
struct RedisServer::State {
    explicit State(const Options& given)
        : options(given),
          endpoint(given.settings),
          acceptor(context),
          deadline(context),
          pause(context),
          last_moment(context),
          signals(context) {}

    Options options;
    asio::io_context context{1};
    model::redis::resp::Endpoint endpoint;
    tcp::acceptor acceptor;
    /// When the model has something to do next.
    asio::system_timer deadline;
    asio::steady_timer pause;
    asio::steady_timer last_moment;
    asio::signal_set signals;
    std::map<SessionId, ClientSocket> clients;
    std::uint64_t last_client = 0;
    bool is_stopping = false;
    /// What an idle client does not need is here once for all.
    std::array<char, 64 * 1024> received{};
    Traffic traffic;

    void listen();
    void accept();
    void welcome(tcp::socket socket);
    void await_bytes(SessionId client);
    void read(SessionId client);
    void leave(SessionId client);
    void act();
    void send(SessionId client);
    void end(SessionId client);
    void forget(SessionId client);
    void arm_deadline();
    void begin_to_stop();
    void stop_when_alone();
};

void RedisServer::State::listen() {
    Error error;
    const auto address = asio::ip::make_address(options.address, error);
    if (error) throw CannotListen(fmt::format("'{}' is not an IP address", options.address));
    const tcp::endpoint place(address, options.port);
    acceptor.open(place.protocol(), error);
    if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor.bind(place, error);
    if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
    if (error)
        throw CannotListen(fmt::format("cannot listen on {} port {}: {}", options.address,
                                       options.port, error.message()));
    options.port = acceptor.local_endpoint().port();
    endpoint.listens_on(options.port);
}

void RedisServer::State::accept() {
    acceptor.async_accept([this](Error error, tcp::socket socket) {
        if (is_stopping) return;
        if (!error) {
            welcome(std::move(socket));
            return accept();
        }
        pause.expires_after(pause_when_exhausted);
        pause.async_wait([this](Error) {
            if (!is_stopping) accept();
        });
    });
}

void RedisServer::State::welcome(tcp::socket socket) {
    const SessionId client{++last_client};
    ClientSocket& mine = clients.emplace(client, std::move(socket)).first->second;
    endpoint.connect(client, {.remote = mine.remote_end(), .local = mine.local_end()}, now(),
                     traffic);
    await_bytes(client);
    act();
}

void RedisServer::State::await_bytes(SessionId client) {
    clients.at(client).socket().async_wait(tcp::socket::wait_read, [this, client](Error error) {
        if (!error) read(client);
    });
}

/// As much as fits, once: the others come next.
void RedisServer::State::read(SessionId client) {
    const auto found = clients.find(client);
    if (found == clients.end() || found->second.is_ending) return;
    Error error;
    const std::size_t size = found->second.socket().read_some(asio::buffer(received), error);
    if (error == asio::error::would_block) return await_bytes(client);
    if (error) return leave(client);
    endpoint.receive(client, std::string_view(received.data(), size), now(), traffic);
    await_bytes(client);
    act();
}

void RedisServer::State::leave(SessionId client) {
    forget(client);
    endpoint.disconnect(client, now(), traffic);
    act();
}

/// Carries out what the endpoint asked for, and what comes of it.
void RedisServer::State::act() {
    while (!traffic.sent.empty() || !traffic.closed.empty() || traffic.shutdown) {
        const Traffic work = std::exchange(traffic, {});
        for (const auto& [to, bytes] : work.sent) {
            const auto found = clients.find(to);
            if (found != clients.end()) found->second.queue(bytes);
        }
        for (const SessionId client : work.closed) end(client);
        for (const auto& [to, bytes] : work.sent) send(to);
        if (work.shutdown) begin_to_stop();
    }
    arm_deadline();
}

void RedisServer::State::send(SessionId client) {
    const auto found = clients.find(client);
    if (found == clients.end()) return;
    ClientSocket& mine = found->second;
    const auto sent = mine.send();
    const bool is_hopeless =
        sent == ClientSocket::Sent::failed || mine.unsent() > options.settings.max_output;
    if (is_hopeless || (sent == ClientSocket::Sent::all && mine.is_ending)) {
        forget(client);
        endpoint.disconnect(client, now(), traffic);
        return stop_when_alone();
    }
    if (sent == ClientSocket::Sent::all || mine.awaits_writable) return;
    mine.awaits_writable = true;
    mine.socket().async_wait(tcp::socket::wait_write, [this, client](Error error) {
        const auto still = clients.find(client);
        if (error || still == clients.end()) return;
        still->second.awaits_writable = false;
        send(client);
        act();
    });
}

/// The endpoint has closed it: it gets what it was sent before, if it reads in time.
void RedisServer::State::end(SessionId client) {
    const auto found = clients.find(client);
    if (found == clients.end()) return;
    found->second.is_ending = true;
    found->second.patience.expires_after(patience_with_readers);
    found->second.patience.async_wait([this, client](Error error) {
        if (error) return;
        forget(client);
        stop_when_alone();
    });
    send(client);
}

void RedisServer::State::forget(SessionId client) {
    const auto found = clients.find(client);
    if (found == clients.end()) return;
    Error ignored;
    found->second.socket().shutdown(tcp::socket::shutdown_both, ignored);
    clients.erase(found);
}

void RedisServer::State::arm_deadline() {
    const auto next = endpoint.next_deadline();
    if (!next || is_stopping) {
        deadline.cancel();
        return;
    }
    // The clock may be set meanwhile, and what is far away is beyond what the timer can count.
    deadline.expires_at(on_the_machine(std::min(*next, now() + longest_wait)));
    deadline.async_wait([this](Error error) {
        if (error || is_stopping) return;
        endpoint.advance(now(), traffic);
        act();
    });
}

void RedisServer::State::begin_to_stop() {
    if (std::exchange(is_stopping, true)) return;
    Error ignored;
    acceptor.close(ignored);
    signals.cancel(ignored);
    pause.cancel();
    deadline.cancel();
    std::vector<SessionId> all;
    for (const auto& [client, socket] : clients) all.push_back(client);
    for (const SessionId client : all) end(client);
    last_moment.expires_after(patience_with_readers);
    last_moment.async_wait([this](Error) { context.stop(); });
    stop_when_alone();
}

void RedisServer::State::stop_when_alone() {
    if (is_stopping && clients.empty()) context.stop();
}

RedisServer::RedisServer(const Options& options) : state_(std::make_unique<State>(options)) {
    state_->listen();
}

RedisServer::~RedisServer() = default;

std::uint16_t RedisServer::port() const { return state_->options.port; }

void RedisServer::stop_on_signals() {
    state_->signals.add(SIGINT);
    state_->signals.add(SIGTERM);
    state_->signals.async_wait([this](Error error, int) {
        if (!error) state_->begin_to_stop();
    });
}

void RedisServer::run() {
    state_->accept();
    state_->context.run();
}

void RedisServer::stop() {
    asio::post(state_->context, [this] { state_->begin_to_stop(); });
}

}  // namespace redeliver::bridge
