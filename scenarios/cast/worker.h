#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/cast/deduplication.h"
#include "scenarios/cast/stage.h"
#include "scenarios/services/broker_client.h"
#include "scenarios/services/database_client.h"

namespace redeliver::scenarios {

/// The worker loop of the chat back end, with the policies in which designs differ.
class WorkerLoop {
public:
    WorkerLoop(sim::Process& self, Stage& stage);

    /// Never returns.
    void run();

private:
    using Entry = BrokerClient::Entry;

    void take_up();
    void read_own_history();
    void claim_abandoned();
    BrokerClient::Outcome<BrokerClient::Claim> claim_from(BrokerClient::EntryId cursor);
    bool claim_and_handle();
    bool read_and_handle(std::optional<sim::Duration> block);
    void store_batch();
    void handle_all(const std::vector<Entry>& entries, Delivery delivery);
    void acknowledge_batch(const std::vector<Entry>& entries);
    void handle(const Entry& entry, Delivery delivery);
    void handle_unlocked(const Entry& entry, sim::Subject run, Delivery delivery);
    void create_group_again(std::optional<model::redis::Refusal> refusal);

    bool acknowledges_late() const;
    void settled(const Entry& entry, sim::Subject run);
    bool acknowledge(const Entry& entry, sim::Subject run);
    bool does_work(sim::Subject run);
    bool mark(sim::Subject run, model::Status status, std::string_view reason = {});

    void after_failure(const Entry& entry, sim::Subject run);
    std::optional<std::uint64_t> count_deliveries(const Entry& entry, sim::Subject run);
    bool isolates_killer(const Entry& entry, sim::Subject run);
    void isolate(const Entry& entry, sim::Subject run, std::uint64_t deliveries);
    void isolate_at_once(const Entry& entry, const BrokerClient::DeadLetter& letter);
    void let_go(const Entry& entry, sim::Subject run, model::Status status);

    sim::Process& self_;
    Stage& stage_;
    const Worker& policy_;
    std::string consumer_;
    BrokerClient broker_;
    DatabaseClient database_;
    Deduplication deduplication_;
    BrokerClient::EntryId claim_cursor_;
    /// An entry whose work is done, and the reply that is to be stored.
    struct Worked {
        const Entry* entry;
        DatabaseClient::Message reply;
    };
    std::vector<Worked> worked_;  // Of the batch at hand, where it is stored at once.
    struct Settled {
        const Entry* entry;
        sim::Subject run;
    };
    std::optional<Settled> last_settled_;             // Of the batch at hand.
    std::map<sim::Subject, std::uint64_t> failures_;  // Of `by_own_count`; dies with the process.
    std::uint32_t execution_ = 0;  // Of the work just done, for the reply's own id.
};

}  // namespace redeliver::scenarios
