#include "tests/conformance/duel.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sim/ensure.h"
#include "tests/conformance/generate.h"

namespace redeliver::conformance {
namespace {

using model::redis::resp::Protocol;

bool says(const Words& words, std::string_view name) {
    return equals_ignoring_case(words.front(), name);
}

/// Whether the command leaves something on its connection that another script must not meet.
bool uses_up(const Words& words) {
    return says(words, "MULTI") || says(words, "WATCH") || says(words, "RESET");
}

/// Whether the command may give a key an expiry; too often true does no harm.
bool may_let_expire(const Words& words) {
    return (says(words, "SET") && words.size() > 3) ||
           upper_case(words.front()).find("EXPIRE") != std::string::npos;
}

}  // namespace

/// One call of play_on.
struct Duel::Play {
    Duel& duel;
    std::size_t step = 0;

    std::optional<Difference> operator()(const Send& send) {
        // What waits behind a read runs at the end of the turn of the server's loop in which the
        // read ends, hence behind everything that arrived with the command that ended it.
        const bool somebody_has_more =
            std::any_of(duel.clients_.begin(), duel.clients_.end(),
                        [](const Client& client) { return client.unanswered.size() > 1; });
        if (!somebody_has_more)
            return transmit(send.connection, send.burst.data(), send.burst.size());
        for (const Words& words : send.burst)
            if (auto difference = transmit(send.connection, &words, 1)) return difference;
        return std::nullopt;
    }

    std::optional<Difference> operator()(const Disconnect& disconnect) {
        Client& client = duel.clients_[disconnect.connection];
        client.connection.reset();
        client.unanswered.clear();
        duel.turn_the_loop();
        duel.turn_the_loop();  // The client is freed at the end of the turn that notices.
        duel.modelled_->disconnect(disconnect.connection, duel.now(), duel.sent_);
        duel.open(client, duel.protocols_[disconnect.connection]);
        client.is_used_up = false;
        return compare();
    }

    std::optional<Difference> operator()(const MoveClock& move) {
        duel.clock_.set(duel.now() + move.by);
        duel.turn_the_loop();
        duel.notice_expired_keys();
        duel.modelled_->advance(duel.now(), duel.sent_);
        return compare();
    }

    std::optional<Difference> transmit(std::size_t to, const Words* burst, std::size_t size) {
        Client& client = duel.clients_[to];
        std::string bytes;
        for (const Words* words = burst; words != burst + size; ++words) {
            append_request(*words, bytes);
            client.unanswered.push_back(*words);
            client.is_used_up = client.is_used_up || uses_up(*words);
            duel.keys_may_expire_ = duel.keys_may_expire_ || may_let_expire(*words);
            if (duel.on_command) duel.on_command(to, *words, meets_pending(*words));
            duel.modelled_->submit(to, *words, duel.now(), duel.sent_);
        }
        client.connection->send(bytes);
        if (duel.keys_may_expire_) {
            duel.turn_the_loop();
            duel.notice_expired_keys();
        }
        if (auto difference = compare(to)) return difference;
        // Without a reply only a turn of its loop shows that the server has seen the request.
        if (!client.unanswered.empty()) duel.turn_the_loop();
        return std::nullopt;
    }

    bool meets_pending(const Words& words) {
        const std::string& key = key_of(words);
        return !key.empty() && duel.modelled_->has_pending(key, duel.now());
    }

    /// `sender` was just sent something: its replies have not had to wait.
    std::optional<Difference> compare(std::optional<std::size_t> sender = std::nullopt) {
        for (const SentBytes& expected : duel.sent_) {
            Client& client = duel.clients_[expected.connection];
            if (client.unanswered.empty())
                return differ(expected.connection, expected.bytes, "nothing: all was answered");
            std::string got;
            try {
                got = client.connection->next_reply();
            } catch (const Silence& silence) {
                return differ(expected.connection, expected.bytes, silence.what());
            }
            if (got != expected.bytes) return differ(expected.connection, expected.bytes, got);
            if (duel.on_answered)
                duel.on_answered({expected.connection, client.unanswered.front(), got,
                                  expected.connection != sender});
            client.unanswered.pop_front();
        }
        duel.sent_.clear();
        return std::nullopt;
    }

    Difference differ(std::size_t connection, std::string modelled, std::string reference) {
        duel.sent_.clear();
        const auto& unanswered = duel.clients_[connection].unanswered;
        return {step, connection, unanswered.empty() ? Words{} : unanswered.front(),
                std::move(modelled), std::move(reference)};
    }

    /// What the reference sent although the model sends nothing.
    std::optional<Difference> leftovers() {
        duel.turn_the_loop();
        for (std::size_t i = 0; i < duel.protocols_.size(); ++i) {
            std::string unread = duel.clients_[i].connection->unread();
            if (!unread.empty()) return differ(i, "nothing", std::move(unread));
        }
        return std::nullopt;
    }
};

Duel::Duel(ReferenceServer& reference, ReferenceClock& clock,
           model::redis::Configuration::Record record)
    : reference_(&reference), clock_(clock), record_(record) {
    control_.emplace(reference.connect());
    require_reference_version(*control_);
}

void Duel::reconnect_to(ReferenceServer& reference) {
    reference_ = &reference;
    control_.emplace(reference.connect());
    for (Client& client : clients_) {
        client.connection.reset();
        client.unanswered.clear();
        client.is_used_up = false;
    }
    for (std::size_t i = 0; i < protocols_.size(); ++i) open(clients_[i], protocols_[i]);
}

/// The reply comes at the end of a turn that serves whatever was sent before this. Within the turn
/// the order is the kernel's: what must come second has to be sent after the reply.
void Duel::turn_the_loop() { control_->ask({"PING"}); }

/// The server is free to notice an expiry later, the model notices it at once: so we look.
void Duel::notice_expired_keys() {
    if (keys_may_expire_) control_->ask(expirable_keys_exist());
}

void Duel::open(Client& client, Protocol protocol) {
    const bool is_new = !client.connection;
    if (is_new) client.connection.emplace(reference_->connect());
    if (is_new ? protocol == Protocol::resp3 : protocol != client.protocol)
        client.connection->ask({"HELLO", protocol == Protocol::resp3 ? "3" : "2"});
    else if (is_new)
        // Until it is accepted, a turn of the server's loop does not show that it was listened to.
        client.connection->ask({"PING"});
    client.protocol = protocol;
}

void Duel::prepare(const Script& script) {
    clock_.set(script_start);
    for (Client& client : clients_) {
        if (client.unanswered.empty() && !client.is_used_up) continue;
        client.connection.reset();
        client.unanswered.clear();
        client.is_used_up = false;
    }
    control_->ask({"FLUSHALL"});
    control_->ask({"CONFIG", "SET", "stream-node-max-entries",
                   std::to_string(script.stream_node_max_entries), "stream-node-max-bytes",
                   std::to_string(script.stream_node_max_bytes)});
    clients_.resize(std::max(clients_.size(), script.protocols.size()));
    protocols_ = script.protocols;
    for (std::size_t i = 0; i < protocols_.size(); ++i) open(clients_[i], protocols_[i]);
    modelled_.emplace(script, record_);
    sent_.clear();
    keys_may_expire_ = false;
}

std::optional<Difference> Duel::play(const Script& script) {
    try {
        prepare(script);
    } catch (const Silence& silence) {
        return Difference{0, 0, {}, "a server", silence.what()};
    }
    return play_on(script.steps);
}

std::optional<Difference> Duel::play_on(const std::vector<Step>& steps) {
    Play play{*this};
    try {
        for (; play.step < steps.size(); ++play.step)
            if (auto difference = std::visit(play, steps[play.step])) return difference;
        return play.leftovers();
    } catch (const Silence& silence) {
        return Difference{play.step, 0, {}, "a server", silence.what()};
    } catch (const sim::HarnessError& broken) {
        return Difference{play.step, 0, {}, broken.what(), "no such thing"};
    }
}

}  // namespace redeliver::conformance
