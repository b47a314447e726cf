#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/database/results.h"
#include "model/database/statements.h"
#include "model/operations.h"
#include "model/steps.h"
#include "scenarios/policies.h"
#include "scenarios/services/database_service.h"
#include "sim/exchange.h"
#include "sim/process.h"

namespace redeliver::scenarios {

/// A connection to the database with the statements that the chat back end sends, one at a time.
///
/// Every call blocks until its fate is known. An error of the server has *arrived*: see
/// `Result::state`; a call that returns rows and met an error is *refused*, for it has told
/// nothing. Within a transaction a lost connection refuses what follows, since the server has
/// rolled back, or will.
class DatabaseClient {
public:
    using Result = model::database::Result;
    template <class T>
    using Outcome = sim::Outcome<T>;

    /// With a connection of its own.
    DatabaseClient(sim::Process& self, DatabaseService& service, sim::Duration timeout);
    /// Over a connection that somebody else keeps, with no transaction open on it.
    DatabaseClient(sim::Process& self, DatabaseService& service, sim::Duration timeout,
                   sim::ConnectionId connection);

    struct Run {
        sim::Subject run = sim::Subject::none;
        std::uint32_t session = 0;
        model::Status status = model::Status::none;
    };

    /// INSERT INTO runs … ON CONFLICT DO NOTHING, which returns no row: affected is 1 or 0.
    Outcome<Result> insert_run(sim::Subject run, std::string_view key, std::uint32_t session,
                               sim::Subject about);
    Outcome<std::optional<Run>> find_run_by_key(std::string_view key, sim::Subject about);
    Outcome<std::optional<Run>> find_run(sim::Subject run);
    enum class Stale : std::uint8_t { pending, pending_or_running };
    /// Runs that are older than `age` by the server's clock and still pending, or not done yet,
    /// oldest first.
    Outcome<std::vector<Run>> stale_runs(sim::Duration age, std::size_t limit, Stale statuses);
    /// UPDATE runs SET status = …; conditional ones leave runs alone that are done or failed.
    Outcome<Result> set_status(sim::Subject run, model::Status status, std::string_view reason,
                               StatusChanges changes);
    Outcome<Result> begin(sim::Subject about);
    Outcome<Result> commit(sim::Subject about);
    Outcome<Result> rollback(sim::Subject about);

    struct Message {
        sim::Subject run;
        std::uint32_t session = 0;
        std::uint32_t execution = 1;  ///< Makes the message's own id.
    };
    enum class OnConflict : std::uint8_t { do_nothing, fail };
    Outcome<Result> insert_reply(const Message& message, OnConflict on_conflict);
    Outcome<bool> has_reply(sim::Subject run);

    /// INSERT INTO outbox: the run is to be published.
    Outcome<Result> insert_outbox(sim::Subject run, std::uint32_t session, sim::Subject about);
    /// What is to be published, oldest first.
    Outcome<std::vector<Run>> read_outbox(std::size_t limit, OutboxLock lock);
    Outcome<Result> delete_outbox(sim::Subject run);

    /// From which statuses a run may become `running`.
    enum class RunningFrom : std::uint8_t { pending, pending_or_running };
    /// UPDATE runs SET status = running, worker = …, claimed_at = now() WHERE status …
    Outcome<Result> start_running(sim::Subject run, std::string_view worker, RunningFrom from);
    /// UPDATE runs SET status = done WHERE status = running.
    Outcome<Result> finish_running(sim::Subject run);

    /// INSERT INTO processed_messages … ON CONFLICT DO NOTHING.
    Outcome<Result> insert_mark(sim::Subject run);
    Outcome<bool> has_mark(sim::Subject run);

    /// INSERT INTO leases, with token 1, ON CONFLICT DO NOTHING.
    Outcome<Result> insert_lease(sim::Subject run, std::string_view owner, sim::Duration lasts);
    /// UPDATE leases SET owner = …, token = token + 1 WHERE expires_at < now().
    Outcome<Result> take_over_lease(sim::Subject run, std::string_view owner, sim::Duration lasts);
    /// UPDATE leases SET owner = …, expires_at = … whoever has it.
    Outcome<Result> renew_lease(sim::Subject run, std::string_view owner, sim::Duration lasts);
    /// The token of a lease, if it is this owner's.
    Outcome<std::optional<std::int64_t>> lease_token(sim::Subject run, std::string_view owner);
    /// SELECT … FOR UPDATE of this owner's lease with this token, which then nobody takes over
    /// until the transaction ends: affected is 1 or 0.
    Outcome<Result> keep_lease(sim::Subject run, std::string_view owner, std::int64_t token);

    bool is_in_transaction() const { return is_in_transaction_; }

private:
    Outcome<Result> send(model::Operation operation, sim::Subject about,
                         model::database::Statement statement);
    model::database::TableId outbox() const;
    Outcome<std::optional<Run>> find(model::Operation operation, sim::Subject about,
                                     model::database::Condition condition);
    Outcome<bool> finds_any(model::Operation operation, sim::Subject about,
                            model::database::Select select);

    sim::Process& self_;
    DatabaseService& service_;
    sim::ConnectionId connection_;
    sim::Duration timeout_;
    bool is_in_transaction_ = false;
};

/// The answer came, and it is no error.
inline bool succeeded(const sim::Outcome<model::database::Result>& outcome) {
    return outcome.arrived() && outcome->ok();
}

}  // namespace redeliver::scenarios
