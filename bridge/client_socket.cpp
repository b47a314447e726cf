#include "bridge/client_socket.h"

#include <utility>

#include <fmt/format.h>
#include <boost/asio/buffer.hpp>

namespace redeliver::bridge {
namespace {

using boost::asio::ip::tcp;
using Error = boost::system::error_code;

/// As CLIENT LIST shows it. A peer that is gone already has no end any more.
std::string text_of(const tcp::endpoint& end) {
    const std::string address = end.address().to_string();
    return end.address().is_v6() ? fmt::format("[{}]:{}", address, end.port())
                                 : fmt::format("{}:{}", address, end.port());
}

}  // namespace

ClientSocket::ClientSocket(tcp::socket socket)
    : patience(socket.get_executor()), socket_(std::move(socket)) {
    Error ignored;
    socket_.non_blocking(true, ignored);
    socket_.set_option(tcp::no_delay(true), ignored);
}

std::string ClientSocket::remote_end() const {
    Error error;
    const auto end = socket_.remote_endpoint(error);
    return error ? "?:0" : text_of(end);
}

std::string ClientSocket::local_end() const {
    Error error;
    const auto end = socket_.local_endpoint(error);
    return error ? "?:0" : text_of(end);
}

ClientSocket::Sent ClientSocket::send() {
    while (unsent() > 0) {
        Error error;
        sent_ += socket_.write_some(
            boost::asio::buffer(output_.data() + sent_, output_.size() - sent_), error);
        if (error == boost::asio::error::would_block) {
            // Otherwise a slow client's memory would hold what it took long ago.
            output_.erase(0, std::exchange(sent_, 0));
            return Sent::some;
        }
        if (error) return Sent::failed;
    }
    sent_ = 0;
    output_ = {};
    return Sent::all;
}

}  // namespace redeliver::bridge
