// Feeds bytes to a broker endpoint as clients could, and looks for what must never happen: a crash,
// a broken invariant, bytes on the wire that are no RESP, or an answer that depends on how the
// network cut the request.
//
// Most of the input is what clients send. 0xFF and the byte behind it steer: the two lowest bits
// say which client talks from now on, the third that it hangs up first, the others how many
// milliseconds pass (64 for each step).

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
#include <string_view>

#include "model/redis/resp/endpoint.h"
#include "tests/conformance/fuzz/framing.h"

namespace {

using namespace redeliver;
using model::redis::SessionId;
namespace resp = model::redis::resp;

constexpr unsigned char steering = 0xFF;

enum class Cut : std::uint8_t { as_given, every_byte };

/// A broker and what each client has read from it.
class Broker {
public:
    explicit Broker(Cut cut) : cut_(cut) {
        for (std::uint64_t client = 0; client < clients; ++client) connect(client);
    }

    void play(std::string_view input) {
        while (!input.empty()) {
            const std::size_t end = input.find(static_cast<char>(steering));
            say(input.substr(0, end));
            if (end == std::string_view::npos || end + 1 >= input.size()) return;
            steer(static_cast<unsigned char>(input[end + 1]));
            input.remove_prefix(end + 2);
        }
    }

    /// By client.
    const std::map<std::uint64_t, std::string>& read() const { return read_; }

    std::uint64_t digest() { return endpoint_.server().digest(); }
    /// What waits behind a blocked read runs when the requests at work have been served, and how
    /// many those are depends on how they arrive, as in the real server.
    bool has_ever_blocked() const { return has_ever_blocked_; }

private:
    static constexpr std::uint64_t clients = 4;

    void connect(std::uint64_t client) {
        read_[client];
        endpoint_.connect(SessionId{client}, {}, now_, traffic_);
        deliver();
    }

    void say(std::string_view bytes) {
        if (cut_ == Cut::as_given) return receive(bytes);
        for (std::size_t at = 0; at < bytes.size(); ++at) receive(bytes.substr(at, 1));
    }

    void receive(std::string_view bytes) {
        if (bytes.empty() || closed_[talking_] || is_shut_down_) return;
        endpoint_.receive(SessionId{talking_}, bytes, now_, traffic_);
        deliver();
    }

    void steer(unsigned char how) {
        now_ += std::chrono::milliseconds{64 * (how >> 3)};
        endpoint_.advance(now_, traffic_);
        deliver();
        talking_ = how & 3;
        if (how & 4) hang_up(talking_);
    }

    void hang_up(std::uint64_t client) {
        if (!closed_[client]) {
            endpoint_.disconnect(SessionId{client}, now_, traffic_);
            deliver();
        }
        closed_[client] = false;
        read_[client] += conformance::end_of_connection;
        connect(client);
    }

    void deliver() {
        for (const auto& [to, bytes] : traffic_.sent)
            read_[static_cast<std::uint64_t>(to)] += bytes;
        for (const SessionId gone : traffic_.closed)
            closed_[static_cast<std::uint64_t>(gone)] = true;
        has_ever_blocked_ = has_ever_blocked_ || endpoint_.server().blocked_sessions() > 0;
        is_shut_down_ = is_shut_down_ || traffic_.shutdown;
        traffic_ = {};
    }

    Cut cut_;
    resp::Endpoint endpoint_;
    resp::Traffic traffic_;
    sim::WallTime now_{std::chrono::hours{24} * 20'454};
    std::uint64_t talking_ = 0;
    bool is_shut_down_ = false;
    bool has_ever_blocked_ = false;
    std::map<std::uint64_t, bool> closed_;
    std::map<std::uint64_t, std::string> read_;
};

void require(bool claim, const char* what) {
    if (claim) return;
    std::cerr << what << '\n';
    std::abort();
}

/// Without what INFO and CLIENT LIST say of bytes that have arrived behind their own request, nor
/// how long that makes their texts.
std::string without_arrivals(std::string text) {
    for (const std::string_view field :
         {"total_net_input_bytes:", "total_net_output_bytes:", "$", "="}) {
        for (auto at = text.find(field); at != std::string::npos; at = text.find(field, at)) {
            at += field.size();
            text.erase(at, text.find_first_not_of("0123456789", at) - at);
        }
    }
    return text;
}

void require_equal(std::uint64_t client, const std::string& whole, const std::string& cut) {
    if (whole != cut)
        std::cerr << "client " << client << " read\n"
                  << whole << "\nand cut byte by byte\n"
                  << cut << '\n';
    require(whole == cut, "answers do not depend on how requests are cut");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    Broker whole(Cut::as_given);
    whole.play(input);
    if (whole.has_ever_blocked()) return 0;
    for (const auto& [client, bytes] : whole.read())
        require(conformance::is_resp(bytes), "what the server sends is RESP");

    Broker cut(Cut::every_byte);
    cut.play(input);
    for (const auto& [client, bytes] : whole.read())
        require_equal(client, without_arrivals(bytes), without_arrivals(cut.read().at(client)));
    require(whole.digest() == cut.digest(), "the data does not depend on how requests are cut");
    return 0;
}
