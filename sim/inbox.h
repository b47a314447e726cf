#pragma once

#include <deque>
#include <optional>
#include <utility>

#include "sim/exchange.h"
#include "sim/node.h"
#include "sim/world.h"

namespace redeliver::sim {

/// The listening socket of a server whose handlers are processes: requests queue until one of the
/// node's processes receives them. A crash empties the queue.
///
/// `hash` gives the content hash of a reply, which becomes part of the fingerprint.
template <class Request, class Reply>
class Inbox : public Service {
public:
    using Hash = std::uint64_t (*)(const Reply&);

    Inbox(World& world, Hash hash) : world_(world), hash_(hash) {}

    struct Received {
        ExchangeId exchange;
        Address address;
        Request request;
    };

    Exchanges<Request, Reply>& exchanges() { return exchanges_; }

    /// Blocks until a request is there and takes it; nothing when the trial is over, and the
    /// handler should return.
    std::optional<Received> receive(Process& self) {
        while (queue_.empty()) {
            idle_.push_back(&self);
            if (!self.wait_for_signal()) return {};
        }
        const ExchangeId id = queue_.front();
        queue_.pop_front();
        world_.set_cause(world_.network().sent_step(id));
        return Received{id, world_.network().address_of(id), std::move(exchanges_[id].request)};
    }

    /// Answers; nothing if the client is gone, which the handler cannot know.
    void reply(Process& self, const Received& received, Reply reply) {
        if (self.is_dying() || !world_.network().is_owed(received.exchange)) return;
        const std::uint64_t content = hash_(reply);
        exchanges_[received.exchange].reply = std::move(reply);
        world_.network().reply(received.exchange, content);
    }

    void on_request(ExchangeId exchange) override {
        queue_.push_back(exchange);
        if (idle_.empty()) return;
        Process& receiver = *idle_.front();
        idle_.pop_front();
        world_.signal(receiver);
    }

    void on_disconnect(SessionNumber) override {
        std::erase_if(queue_, [this](ExchangeId id) { return !world_.network().is_owed(id); });
    }

    void on_crash(CrashOf) override {
        queue_.clear();
        idle_.clear();
    }

private:
    World& world_;
    Hash hash_;
    Exchanges<Request, Reply> exchanges_;
    std::deque<ExchangeId> queue_;
    std::deque<Process*> idle_;
};

}  // namespace redeliver::sim
