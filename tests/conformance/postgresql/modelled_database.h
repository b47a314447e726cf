#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/database/filter.h"
#include "model/database/server.h"
#include "tests/conformance/postgresql/script.h"
#include "tests/conformance/postgresql/tally.h"

namespace redeliver::conformance::postgresql {

/// The model's side of a script: takes what each client does, and says of every client what it was
/// answered and whom it waits for.
///
/// Clients are numbered as they come, from 0; who takes another's place is a new one.
class ModelledDatabase {
public:
    using Client = std::size_t;

    /// With the script's rows in it.
    ModelledDatabase(const Script& script, const model::database::Configuration& configuration,
                     sim::WallTime now, Tally& tally);

    void come(Client client) { states_[client]; }
    void say(Client client, const model::database::Statement& statement, sim::WallTime now);
    /// Says something and goes away before any answer can come.
    void say_and_leave(Client client, const model::database::Statement& statement,
                       sim::WallTime now);
    void cancel(Client client, sim::WallTime now);
    void leave(Client client, sim::WallTime now);
    void advance(sim::WallTime now);
    void restart(sim::WallTime now);
    void fail_over(sim::Duration lag, sim::WallTime now);
    std::optional<sim::WallTime> next_deadline() const { return server_.next_deadline(); }

    bool is_waiting(Client client) const { return state(client).waits; }
    bool anybody_waits() const;
    bool is_in_transaction(Client client) const { return state(client).in_transaction; }
    /// Everybody who must end or move on before this one can: as pg_blocking_pids says it.
    std::set<Client> blockers(Client client) const;

    /// Whoever has a deadline at exactly that instant, in the order in which they count.
    std::vector<Client> due(sim::WallTime at) const;

    /// The answers since the last call, by client.
    std::map<Client, std::string> take_answers();

    /// Versions of rows written so far, with those of undone changes.
    std::uint64_t versions() const { return versions_; }
    /// Rows that a restart has undone commits of.
    std::uint64_t forgotten() const { return forgotten_; }
    /// The committed rows of a table, in no particular order.
    std::multiset<std::string> content(model::database::TableId table) const;

private:
    using Row = std::vector<model::database::Value>;
    struct State {
        model::database::Statement statement;
        bool waits = false;
        bool waits_for_turn = false;
        bool waited = false;
        bool is_cancelled = false;
        bool in_transaction = false;
        sim::WallTime began;
        sim::WallTime waits_since;
        std::optional<Row> awaited;
        bool awaited_changed = false;
    };

    State& state(Client client) { return states_.at(client); }
    const State& state(Client client) const { return states_.at(client); }
    const model::database::Table* table_of(const model::database::Statement& statement) const;
    void take_in(sim::WallTime now);
    void note(const model::database::Event& event, sim::WallTime now);
    void note_change(model::database::RowView before);
    void note_keys(const model::database::Event& event);
    std::string first_key(model::database::TableId table, model::database::RowView row) const;
    void note_end(State& state, const model::database::Result& result);
    void note_awaited_rows();
    void count_end(const State& state, const model::database::Result& result);
    void count_refusal(const State& state, const model::database::Result& result);
    void forget_clients();
    bool will_skip(Client client, const model::database::Statement& statement,
                   sim::WallTime now) const;

    const Script& script_;
    model::database::Configuration configuration_;
    Tally& tally_;
    model::database::Server server_;
    model::database::Output out_;
    std::map<Client, State> states_;
    std::map<Client, std::string> answers_;
    std::set<std::string> deleted_keys_;  // While somebody has been waiting.
    std::uint64_t versions_ = 0;
    std::uint64_t forgotten_ = 0;
};

}  // namespace redeliver::conformance::postgresql
