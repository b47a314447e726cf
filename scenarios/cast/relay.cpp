// The relay, which takes rows off the outbox and publishes them.

#include "model/operations.h"
#include "scenarios/cast/stage.h"
#include "scenarios/services/broker_client.h"
#include "scenarios/services/database_client.h"

namespace redeliver::scenarios {

namespace {

class RelayLoop {
public:
    RelayLoop(sim::Process& self, Stage& stage)
        : self_(self),
          policy_(stage.system().relay),
          broker_(self, stage.broker, stage.system().gateway.timeout),
          database_(self, stage.database, stage.system().gateway.timeout) {}

    /// True when there may be more to publish at once.
    bool poll() {
        if (!succeeded(database_.begin(sim::Subject::none))) return false;
        decide(self_, sim::Subject::none, Policy::outbox_lock, policy_.lock);
        const auto rows = database_.read_outbox(policy_.batch, policy_.lock);
        const bool is_done = rows.arrived() && take_and_publish(rows.value());
        if (!is_done && database_.is_in_transaction()) database_.rollback(sim::Subject::none);
        return is_done && rows->size() == policy_.batch;
    }

private:
    using Rows = std::vector<DatabaseClient::Run>;

    /// Ends the transaction, unless it fails.
    bool take_and_publish(const Rows& rows) {
        if (!rows.empty()) decide(self_, rows.front().run, Policy::outbox_removal, policy_.remove);
        if (policy_.remove == OutboxRemoval::before_publish)
            return remove_all(rows) && commit() && publish_all(rows);
        // To die between these is to publish again; rows that others wait for stay locked
        // meanwhile.
        return publish_all(rows) && remove_all(rows) && commit();
    }

    bool publish_all(const Rows& rows) {
        return std::ranges::all_of(rows, [this](const DatabaseClient::Run& row) {
            const auto published = broker_.publish(row.run, row.session, {});
            return published.arrived() && !model::redis::refusal(published.value());
        });
    }
    bool remove_all(const Rows& rows) {
        return std::ranges::all_of(rows, [this](const DatabaseClient::Run& row) {
            return succeeded(database_.delete_outbox(row.run));
        });
    }
    bool commit() { return succeeded(database_.commit(sim::Subject::none)); }

    sim::Process& self_;
    const Relay& policy_;
    BrokerClient broker_;
    DatabaseClient database_;
};

}  // namespace

void run_relay(sim::Process& self, Stage& stage) {
    RelayLoop relay(self, stage);
    while (true)
        if (!relay.poll()) self.sleep_for(stage.system().relay.interval);
}

}  // namespace redeliver::scenarios
