#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "model/steps.h"
#include "scenarios/scenario.h"
#include "scenarios/services/broker_client.h"
#include "scenarios/services/database_client.h"
#include "sim/process.h"

namespace redeliver::scenarios {

/// How an entry came to a worker: only what was delivered before can be poison, or be in the hands
/// of somebody who died.
enum class Delivery : std::uint8_t { first, again };

/// Whether a worker is to work on a run that it was given.
struct Turn {
    enum class Whose : std::uint8_t {
        mine,     ///< work on it
        nobodys,  ///< it is settled: acknowledge
        unclear   ///< leave the entry pending: it comes back
    };
    Whose whose = Whose::mine;
    model::Status settled_as = model::Status::done;  ///< Of `nobodys`.
};

/// How a worker sees to it that a run is answered once (`Worker::deduplicate`): what it asks for
/// before the work, and what it has the storing of the reply depend on.
class Deduplication {
public:
    /// All of them must outlive it.
    Deduplication(sim::Process& self, const Worker& policy, const std::string& consumer,
                  BrokerClient& broker, DatabaseClient& database)
        : self_(self), policy_(policy), consumer_(consumer), broker_(broker), database_(database) {}

    /// Before the work.
    Turn take_turn(sim::Subject run, Delivery delivery);

    /// After the work: stores the reply and has the run become `done`. Whether the entry may be
    /// acknowledged now, because the run is settled, by whomever.
    bool store_reply(const DatabaseClient::Message& reply);

    /// The same for many, in one transaction and in this order: all or none.
    bool store_replies(std::span<const DatabaseClient::Message> replies);

private:
    Turn take_mark(sim::Subject run);
    Turn take_status(sim::Subject run, Delivery delivery);
    Turn take_lease(sim::Subject run);
    std::optional<std::int64_t> obtain_lease(sim::Subject run);
    Turn look_again(sim::Subject run, Turn::Whose if_unsettled);

    bool store(const DatabaseClient::Message& reply);
    bool store_with_status(const DatabaseClient::Message& reply);
    bool store_next(const DatabaseClient::Message& reply);
    bool store_alone(const DatabaseClient::Message& reply);
    bool store_after_mark(const DatabaseClient::Message& reply);
    bool store_before_mark(const DatabaseClient::Message& reply);
    bool insert(const DatabaseClient::Message& reply);
    bool commit(sim::Subject run);
    /// False, with the transaction rolled back if there still is one.
    bool give_up(sim::Subject run);

    /// What a transaction has to get past before it may store a reply.
    enum class Gate : std::uint8_t { open, passed_by_another, shut };
    bool has_gate() const;
    Gate pass_gate(sim::Subject run);
    Gate pass_mark(sim::Subject run);
    Gate pass_fence(sim::Subject run);
    Gate renew_lease(sim::Subject run);

    bool is_state_machine() const;
    sim::Outcome<DatabaseClient::Result> change_to_done(sim::Subject run);
    void kept_out(sim::Subject run, model::KeptOut::By by);

    sim::Process& self_;
    const Worker& policy_;
    const std::string& consumer_;
    BrokerClient& broker_;
    DatabaseClient& database_;
    std::int64_t lease_token_ = 0;  // Of the lease taken last.
};

}  // namespace redeliver::scenarios
