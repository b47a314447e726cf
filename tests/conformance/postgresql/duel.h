#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tests/conformance/postgresql/modelled_database.h"
#include "tests/conformance/postgresql/postgres_server.h"
#include "tests/conformance/postgresql/real_database.h"
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
class Duel {
public:
    Duel(PostgresServer& server, ReferenceClock& clock,
         model::database::SynchronousCommit commit = model::database::SynchronousCommit::on);

    /// From freshly filled tables to the end of every transaction and the content of every table.
    std::optional<Difference> play(const Script& script);

    /// What a crash or a failover has come to.
    struct Loss {
        std::optional<Difference> difference;
        std::uint64_t undone = 0;  ///< Rows of which a commit was undone.
        std::uint64_t rows = 0;    ///< That are there.
    };
    /// As `play`, up to a step; then both servers are killed and started again, nobody is answered,
    /// and what the tables hold is compared.
    Loss play_until_crash(const Script& script, std::size_t step);
    /// Likewise, but a streaming replica takes over, which hears nothing from before step `frozen`
    /// on.
    Loss play_until_failover(const Script& script, std::size_t frozen, std::size_t step);

    const Tally& tally() const { return tally_; }

private:
    using Client = ModelledDatabase::Client;

    void begin(const Script& script);
    void come(std::size_t session);
    bool play_steps(std::size_t from, std::size_t to);
    bool play_step(const Step& step);
    bool is_left_out(const Step& step) const;
    void leave(std::size_t session);
    void part(const Part& part);
    void pass_until(sim::WallTime target);
    void strike_deadlines();
    std::optional<sim::WallTime> next_flush() const;
    bool is_full() const;
    bool finish();
    bool end_transactions();
    bool compare();
    bool compare_content();
    bool differ(const std::string& modelled, const std::string& real, std::size_t session);
    Loss conclude_loss();

    std::string list(const std::set<Client>& clients) const;
    void tell(std::size_t session, std::string text) {
        lines_.push_back({session, std::move(text)});
    }

    PostgresServer& server_;
    ReferenceClock& clock_;
    model::database::Configuration configuration_;
    RealDatabase real_;
    Tally tally_;

    // Of the script under way.
    const Script* script_ = nullptr;
    std::optional<ModelledDatabase> modelled_;
    std::vector<std::size_t> session_of_;  // By client: its place in the script.
    std::vector<Client> client_of_;        // By place in the script: who is there now.
    std::vector<std::string> told_;        // By client: of its wait.
    std::vector<Line> lines_;
    std::optional<Difference> difference_;
    sim::WallTime now_;
};

}  // namespace redeliver::conformance::postgresql
