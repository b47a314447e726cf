#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "model/database/chat_schema.h"
#include "model/database/output.h"
#include "model/database/server.h"
#include "model/steps.h"
#include "sim/exchange.h"
#include "sim/node.h"
#include "sim/world.h"

namespace redeliver::scenarios {

/// Hears everything that the model is sent, in order, so that a real server can be sent the same.
class Witness {
public:
    virtual ~Witness() = default;
    virtual void began(const model::database::Server& server) = 0;
    virtual void submitted(model::database::SessionId session,
                           const model::database::Statement& statement, sim::WallTime now) = 0;
    virtual void disconnected(model::database::SessionId session, sim::WallTime now) = 0;
    /// The server has restarted or failed over.
    virtual void lost(sim::WallTime now) = 0;
};

/// The database model on a node: feeds it what arrives, reports committed changes of the chat
/// tables as steps, sends its results.
class DatabaseService final : public sim::Service, public sim::Obedient {
public:
    /// Whether the replica that takes over in a failover has all that was answered.
    enum class Replica : std::uint8_t { lags, keeps_up };

    DatabaseService(sim::World& world, model::database::Schema schema,
                    const model::database::Configuration& configuration, Replica replica)
        : world_(world),
          replica_(replica),
          server_(std::move(schema), configuration),
          tables_(model::database::chat::optional_tables(server_.schema())) {}

    /// Once the node exists.
    void attach(sim::NodeId node) { node_ = node; }
    /// From now on; it must outlive the service.
    void tell(Witness& witness) {
        witness_ = &witness;
        witness.began(server_);
    }
    sim::NodeId node() const { return node_; }

    sim::Exchanges<model::database::Statement, model::database::Result>& exchanges() {
        return exchanges_;
    }
    const model::database::Server& server() const { return server_; }
    /// Where the tables are that not every system has.
    const model::database::chat::OptionalTables& optional_tables() const { return tables_; }

    void on_request(sim::ExchangeId exchange) override;
    void on_disconnect(sim::SessionNumber session) override;
    void on_timer() override;
    void on_crash(sim::CrashOf of) override;
    void on_clock_step() override { arm_timer(); }
    void on_failover(sim::Duration lag) override;
    // What somebody else does to it; see scenarios/orders.h.
    bool understands(std::string_view words) const override;
    bool obey(std::string_view words, sim::Duration lasts) override;
    void relent(std::string_view words) override;
    /// Counts the calls that may have changed the model.
    std::uint64_t changes() const { return changes_; }

    std::uint64_t digest() const override { return server_.digest(); }

private:
    struct Session {
        sim::ExchangeId exchange;
        sim::NodeId client = sim::NodeId::none;
        sim::Subject about = sim::Subject::none;  ///< Of the request it waits for.
    };

    Session& session(model::database::SessionId id);
    void submit_for_stranger(const model::database::Statement& statement);
    void forget_strangers() { lock_holders_ = takers_ = 0; }
    void deliver();
    void report(const model::database::Event& event);
    void report_insert(const model::database::RowInserted& event);
    void report_update(const model::database::RowUpdated& event);
    void report_lease(model::database::SessionId session, model::database::RowView row);
    void report_absorbed(const model::database::InsertAbsorbed& event);
    void report_forgotten(const model::database::Forgotten& event);
    void arm_timer();

    sim::World& world_;
    Replica replica_;
    sim::NodeId node_ = sim::NodeId::none;
    std::uint64_t changes_ = 0;
    Witness* witness_ = nullptr;
    std::uint32_t lock_holders_ = 0;  // Orders that last.
    std::uint32_t takers_ = 0;
    model::database::Server server_;
    model::database::chat::OptionalTables tables_;
    model::database::Output out_;
    sim::Exchanges<model::database::Statement, model::database::Result> exchanges_;
    std::vector<Session> sessions_;
};

}  // namespace redeliver::scenarios
