#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <string_view>
#include <vector>

#include "model/redis/output.h"
#include "model/redis/server.h"
#include "model/steps.h"
#include "sim/exchange.h"
#include "sim/node.h"
#include "sim/world.h"

namespace redeliver::scenarios {

/// What a client sends at once: one command, or several down the same connection (MULTI … EXEC),
/// of which the last reply is the answer.
struct RedisRequest {
    boost::container::small_vector<model::redis::Command, 1> commands;
};

/// Labels tie an entry to the run it is about; the harness's own, invisible to actors.
constexpr std::uint64_t label_of(sim::Subject run) { return static_cast<std::uint32_t>(run); }
constexpr std::uint64_t dead_letter_label_of(sim::Subject run) {
    return label_of(run) | (std::uint64_t{1} << 32);
}

/// A real server beside the model. It is sent whatever the model is sent, at the same simulated
/// time, and clients get its replies instead of the model's. The events, which no real server
/// tells, stay the model's: so a counterpart also says where the two disagree.
class Counterpart {
public:
    virtual ~Counterpart() = default;
    /// The model is about to be sent this.
    virtual void send(model::redis::SessionId session, const model::redis::Command& command,
                      sim::WallTime now) = 0;
    /// The model replied to the session's oldest command without reply; so does the counterpart.
    virtual model::redis::Reply receive(model::redis::SessionId session, sim::WallTime now,
                                        const model::redis::Reply& modelled) = 0;
    virtual void disconnect(model::redis::SessionId session) = 0;
};

/// The broker model on a node: feeds it what arrives, reports its events as steps, sends its
/// replies.
class RedisService final : public sim::Service, public sim::Obedient {
public:
    RedisService(sim::World& world, const model::redis::Configuration& configuration)
        : world_(world), server_(configuration) {}

    /// Once the node exists.
    void attach(sim::NodeId node) { node_ = node; }
    /// From now on clients hear this server, which must outlive the service. It neither crashes nor
    /// fails over: those faults are the model's alone.
    void speak_for(Counterpart& counterpart) { counterpart_ = &counterpart; }
    sim::NodeId node() const { return node_; }

    sim::Exchanges<RedisRequest, model::redis::Reply>& exchanges() { return exchanges_; }
    const model::redis::Server& server() const { return server_; }
    /// Clients that it owes an answer, those that asked first first.
    std::vector<sim::NodeId> waiting() const;
    model::redis::Snapshot snapshot() const { return server_.snapshot(world_.wall_now(node_)); }

    void on_request(sim::ExchangeId exchange) override;
    void on_disconnect(sim::SessionNumber session) override;
    void on_timer() override;
    void on_crash(sim::CrashOf of) override;
    void on_clock_step() override { arm_timer(); }
    void on_failover(sim::Duration lag) override;
    // What an operator does; see scenarios/orders.h.
    bool understands(std::string_view words) const override;
    bool obey(std::string_view words, sim::Duration lasts) override;
    void relent(std::string_view words) override;
    /// Counts the calls that may have changed the model.
    std::uint64_t changes() const { return changes_; }

    std::uint64_t digest() const override { return server_.digest(); }

private:
    /// A client of one connection, and the request that it waits for.
    struct Session {
        sim::ExchangeId exchange;
        sim::NodeId client = sim::NodeId::none;
        std::uint32_t replies_to_come = 0;
        std::uint64_t asked = 0;              ///< How many requests came before.
        sim::StepNumber told = sim::no_step;  ///< The last step of this call that concerns it.
    };

    Session& session(std::uint64_t number);
    bool limit_memory(std::uint64_t bytes);
    void lift_memory_limit();
    void submit_for_operator(const model::redis::Command& command);
    void deliver();
    void report(const model::redis::Event& event);
    template <sim::Payload P>
    void record(std::uint64_t by, std::uint64_t label, const P& what);
    void report_forgotten(const model::redis::Forgotten& event);
    void answer(std::uint64_t number, model::redis::Reply& reply);
    void arm_timer();
    sim::Name name(model::redis::Name name);
    model::EntryKey key(const model::redis::EntryRef& entry);

    sim::World& world_;
    sim::NodeId node_ = sim::NodeId::none;
    std::uint64_t changes_ = 0;
    std::uint64_t requests_ = 0;
    Counterpart* counterpart_ = nullptr;
    std::uint32_t memory_limits_ = 0;  // Orders that last.
    model::redis::Server server_;
    model::redis::Output out_;
    sim::Exchanges<RedisRequest, model::redis::Reply> exchanges_;
    std::vector<Session> sessions_;
    std::vector<sim::Name> names_;  // By the server's own numbers.
};

}  // namespace redeliver::scenarios
