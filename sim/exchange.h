#pragma once

#include <concepts>
#include <optional>
#include <utility>
#include <vector>

#include "sim/ensure.h"
#include "sim/network.h"
#include "sim/process.h"
#include "sim/world.h"

namespace redeliver::sim {

/// What became of a request, as far as its client can know.
///
/// *Arrived*: an answer came, be it the server's error. *Refused*: nothing reached the network.
/// *Lost*: no answer will come, whether the server applied the request or never saw it.
template <class T>
class Outcome {
public:
    explicit Outcome(T value) : fate_(Fate::arrived), value_(std::move(value)) {}
    explicit Outcome(Fate fate) : fate_(fate) {
        ensure(fate != Fate::arrived, "what has arrived has a value");
    }

    Fate fate() const { return fate_; }
    bool arrived() const { return fate_ == Fate::arrived; }
    bool refused() const { return fate_ == Fate::refused; }
    bool lost() const { return fate_ == Fate::lost; }

    T& value() {
        ensure(arrived(), "only an outcome that arrived has a value");
        return *value_;
    }
    const T& value() const {
        ensure(arrived(), "only an outcome that arrived has a value");
        return *value_;
    }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

private:
    Fate fate_;
    std::optional<T> value_;
};

/// The requests under way to one server, with their answers. Slots are used again, and so is what
/// they have allocated.
template <class Request, class Reply>
class Exchanges {
public:
    struct Content {
        Request request{};
        Reply reply{};
    };

    Content& operator[](ExchangeId id) {
        if (id.index >= contents_.size()) contents_.resize(id.index + 1);
        return contents_[id.index];
    }

private:
    std::vector<Content> contents_;
};

/// How a request is addressed.
struct RequestTo {
    ConnectionId connection{};
    OperationKind operation = 0;
    Subject subject = Subject::none;  ///< None for a poll, which is about the client itself.
    Duration timeout{};               ///< After which the client gives up, locally.
    Network::Continuity continuity = Network::Continuity::any_session;
};

/// Sends a request and blocks until its fate is known. `write(request)` writes it into its slot,
/// which may hold what is left of an earlier one.
template <class Request, class Reply, std::invocable<Request&> Write>
Outcome<Reply> request(Process& self, Exchanges<Request, Reply>& exchanges, const RequestTo& to,
                       Write write) {
    Network& network = self.world().network();
    const ExchangeId id =
        network.begin(self, to.connection, to.operation, to.subject, to.continuity);
    if (!Network::is_valid(id)) return Outcome<Reply>(Fate::refused);
    write(exchanges[id].request);
    const Fate fate = network.await(self, id, to.timeout);
    if (fate != Fate::arrived) {
        network.finish(id);
        return Outcome<Reply>(fate);
    }
    Outcome<Reply> outcome(std::move(exchanges[id].reply));
    network.finish(id);
    return outcome;
}

/// The same for a request at hand.
template <class Request, class Reply>
Outcome<Reply> request(Process& self, Exchanges<Request, Reply>& exchanges, const RequestTo& to,
                       Request what) {
    return request(self, exchanges, to, [&](Request& slot) { slot = std::move(what); });
}

}  // namespace redeliver::sim
