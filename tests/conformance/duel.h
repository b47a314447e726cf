#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tests/conformance/modelled_server.h"
#include "tests/conformance/reference_clock.h"
#include "tests/conformance/reference_server.h"
#include "tests/conformance/script.h"

namespace redeliver::conformance {

/// Where model and reference first said different things.
struct Difference {
    /// Into Script::steps.
    std::size_t step = 0;
    std::size_t connection = 0;
    /// The request that was answered, or last sent there.
    Words request;
    std::string modelled;
    std::string reference;
};

/// One command as it was executed and answered, both sides agreeing.
struct Answered {
    std::size_t connection;
    const Words& request;
    /// Bytes of the reply.
    const std::string& reply;
    /// Whether it had to wait for its reply.
    bool waited;
};

/// Plays scripts to the model and to one reference server, step by step, and compares every byte
/// of every reply. Nothing is masked: the clock of the reference is ours.
class Duel {
public:
    Duel(ReferenceServer& reference, ReferenceClock& clock,
         model::redis::Configuration::Record record = model::redis::Configuration::Record::nothing);

    /// Called for every command that was answered alike; and, before each command is executed,
    /// with whether it meets a non-empty pending list.
    std::function<void(const Answered&)> on_answered;
    std::function<void(std::size_t connection, const Words&, bool meets_pending)> on_command;

    /// Plays from an empty database on. The connections that wait at the end are closed.
    std::optional<Difference> play(const Script& script);

    /// Plays further steps where `play` ended.
    std::optional<Difference> play_on(const std::vector<Step>& steps);

    ModelledServer& modelled() { return *modelled_; }
    sim::WallTime now() const { return clock_.now(); }
    /// Forgets its connections to a reference that was killed, or replaced by another.
    void reconnect_to(ReferenceServer& reference);

private:
    struct Client {
        std::optional<Connection> connection;
        model::redis::resp::Protocol protocol = model::redis::resp::Protocol::resp2;
        /// Sent and not yet answered; the first of several waits in a read.
        std::deque<Words> unanswered;
        /// In a transaction or watching, perhaps: not fit for another script.
        bool is_used_up = false;
    };
    struct Play;

    void prepare(const Script& script);
    void open(Client& client, model::redis::resp::Protocol protocol);
    void turn_the_loop();
    void notice_expired_keys();

    ReferenceServer* reference_;
    ReferenceClock& clock_;
    model::redis::Configuration::Record record_;
    std::optional<Connection> control_;
    std::optional<ModelledServer> modelled_;
    std::vector<Client> clients_;
    std::vector<model::redis::resp::Protocol> protocols_;
    std::vector<SentBytes> sent_;
    bool keys_may_expire_ = false;
};

}  // namespace redeliver::conformance
