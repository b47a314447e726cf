#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/conformance/postgresql/modelled_database.h"
#include "tests/conformance/postgresql/postgres_server.h"
#include "tests/conformance/postgresql/postgres_session.h"
#include "tests/conformance/postgresql/script.h"
#include "tests/conformance/postgresql/tally.h"
#include "tests/conformance/reference_clock.h"

namespace redeliver::conformance::postgresql {

/// Where model and PostgreSQL first came to different things.
struct Difference {
    std::string text;         ///< What each of them said.
    std::vector<Line> lines;  ///< Everything until then.
};

/// Plays scripts to the model and to a real server, step by step, and compares every answer, who
/// waits, for whom, and what is in the tables.
///
/// Of the real server's processes one runs at a time: whoever waits is stopped as soon as the
/// server's own view of its locks says so, and goes on when that view says that it may, in the
/// order in which the model resumes. So nothing depends on how the processes race.
class Duel {
public:
    Duel(PostgresServer& server, ReferenceClock& clock,
         model::database::SynchronousCommit commit = model::database::SynchronousCommit::on);

    /// From freshly filled tables to the end of every transaction and the content of every table.
    std::optional<Difference> play(const Script& script);

    /// As `play`, up to a step; then both servers are killed and started again, nobody is answered,
    /// and what the tables hold is compared. Further: what the crash has undone, in rows.
    struct Crash {
        std::optional<Difference> difference;
        std::uint64_t undone = 0;
        std::uint64_t rows = 0;
    };
    Crash play_until_crash(const Script& script, std::size_t step);

    /// As `play_until_crash`, but a streaming replica takes over, which hears nothing from before
    /// step `frozen` on.
    Crash play_until_failover(const Script& script, std::size_t frozen, std::size_t step);

    const Tally& tally() const { return tally_; }

private:
    using Client = ModelledDatabase::Client;

    /// A client, and how far the real server is with its statement.
    struct Party {
        std::size_t session = 0;  ///< Its place in the script.
        PostgresSession* real = nullptr;
        bool waits = false;
        bool awaits_turn = false;       ///< At a row, behind others.
        std::uint64_t waits_since = 0;  ///< Counts waits.
        bool is_orphan = false;
        bool has_gone = false;
        std::optional<std::string> answer;
        std::string told;  ///< Of its wait.
    };

    /// A process that waits for a lock, as the server tells it.
    struct Waiting {
        bool for_turn;
        std::set<pid_t> blockers;
    };
    using Waits = std::map<pid_t, Waiting>;

    void connect_monitor();
    bool play_steps(const Script& script, std::size_t from, std::size_t to);
    Crash conclude_loss();
    void catch_up(PostgresSession& replica);
    void stop_processes(const std::string& condition);
    void prepare(const Script& script);
    void create_tables(const Script& script);
    void begin_party(std::size_t session);
    void set_timeouts(const Script& script);

    bool play_step(const Script& script, const Step& step);
    void say(std::size_t session, const model::database::Statement& statement);
    void cancel(std::size_t session);
    void leave(std::size_t session);
    void pass_until(sim::WallTime target);
    void strike_deadlines();
    void flush();
    std::optional<sim::WallTime> next_flush() const;
    bool is_full() const;
    bool finish();
    bool end_transactions();
    bool compare();
    bool compare_content();
    bool differ(std::string modelled, std::string real);

    void let_go_on(Client client, std::optional<int> signal = {});
    void settle(Party& party, std::optional<std::uint64_t> sleeps_before);
    void append_set_free(std::deque<Client>& ready);
    Waits look();
    std::optional<Client> client_of(pid_t process) const;

    void tell(std::size_t session, std::string text);
    void tell_waits();
    void abandon();

    PostgresServer& server_;
    ReferenceClock& clock_;
    model::database::Configuration configuration_;
    std::unique_ptr<PostgresSession> monitor_;
    std::vector<std::unique_ptr<PostgresSession>> sessions_;  // By place in the script.
    std::vector<std::unique_ptr<PostgresSession>> orphans_;
    std::string created_;  // The tables there are, as SQL.
    std::vector<std::string> tables_;
    std::string timeouts_;  // As set in every session.
    Tally tally_;

    // Of the script under way.
    const Script* script_ = nullptr;
    std::unique_ptr<ModelledDatabase> modelled_;
    std::vector<Party> parties_;   // By client.
    std::vector<Client> clients_;  // By place in the script.
    std::uint64_t waits_ = 0;
    std::vector<Line> lines_;
    std::optional<Difference> difference_;
    sim::WallTime now_;
};

}  // namespace redeliver::conformance::postgresql
