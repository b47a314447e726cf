// Plays what the actors of every story of the catalogue say to their database to the model and to a
// real PostgreSQL 15. One trial of each story, with the faults of its first seed.

#include <exception>
#include <iostream>

#include <fmt/format.h>

#include "scenarios/catalog/catalog.h"
#include "tests/conformance/postgresql/conversation.h"
#include "tests/conformance/postgresql/duel.h"

namespace redeliver::conformance::postgresql {
namespace {

constexpr std::uint64_t seed = 1;

int play_stories() {
    TemporaryFolder folder;
    ReferenceClock clock(folder.path());
    PostgresServer server(clock, {{"max_connections", "400"}});
    Duel duel(server, clock);
    scenarios::TrialRunner runner;
    std::uint64_t left_out = 0;
    for (const scenarios::Scenario& story : scenarios::all_stories()) {
        if (story.name == "long") continue;  // Says what others say, many times over.
        const auto script = conversation_of(runner, story, seed);
        if (!script) {
            ++left_out;
            continue;
        }
        if (const auto difference = duel.play(*script)) {
            std::cout << fmt::format(
                "the model and PostgreSQL differ; story {}, seed {}\n\n{}\n{}\n", story.name, seed,
                in_columns(*script, difference->lines), difference->text);
            return 1;
        }
    }
    std::cout << fmt::format(
        "stories: {} statements of the actors of {} stories agree with PostgreSQL, {} could not be "
        "said; {} more stories lose their server or set its clock back\n",
        duel.tally().statements, duel.tally().interleavings, duel.tally().left_out, left_out);
    return 0;
}

}  // namespace
}  // namespace redeliver::conformance::postgresql

int main() {
    try {
        return redeliver::conformance::postgresql::play_stories();
    } catch (const std::exception& error) {
        std::cerr << "postgresql_stories: " << error.what() << "\n";
        return 70;
    }
}
