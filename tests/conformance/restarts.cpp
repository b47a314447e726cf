#include <array>

#include <fmt/format.h>

#include "tests/conformance/duel.h"
#include "tests/conformance/faults.h"
#include "tests/conformance/generate.h"
#include "tests/conformance/struck_script.h"

namespace redeliver::conformance {
namespace {

constexpr std::array policies = {"always", "everysec", "no"};

ReferenceServer::Options options_for(const Script& script, const std::string& policy) {
    // What CONFIG SET changed would not outlive the process, but shapes what the log is loaded to.
    return {"--appendonly",
            "yes",
            "--appendfsync",
            policy,
            "--stream-node-max-entries",
            std::to_string(script.stream_node_max_entries),
            "--stream-node-max-bytes",
            std::to_string(script.stream_node_max_bytes)};
}

/// Under everysec the server postpones writing, by two seconds at most, while its previous fsync is
/// still under way. How long that takes is the machine's affair, so a kill waits for it.
void wait_until_written(ReferenceServer& reference) {
    Connection asks = reference.connect();
    while (true) {
        const std::string info = asks.ask({"INFO", "persistence"});
        if (info.find("aof_buffer_length:0\r\n") != std::string::npos) return;
    }
}

std::optional<Difference> restart_once(ReferenceClock& clock, const StruckScript& struck,
                                       const std::string& policy) {
    clock.set(script_start);
    ReferenceServer reference(clock, options_for(struck.script, policy));
    Duel duel(reference, clock, model::redis::Configuration::Record::propagated);
    if (auto difference = duel.play(struck.script)) return difference;
    wait_until_written(reference);
    reference.kill();
    model::redis::Output forgotten;
    duel.modelled().server().restart_after_process_loss(clock.now(), forgotten);
    reference.start();
    duel.reconnect_to(reference);
    return duel.play_on({Send{observer_of(struck.script), questions()}});
}

}  // namespace

FaultResult compare_restarts(std::uint64_t count, std::uint64_t seed) {
    TemporaryFolder folder;
    ReferenceClock clock(folder.path());
    FaultResult result;
    for (; result.faults < count; ++seed) {
        const StruckScript struck = struck_script(seed);
        const std::string policy = policies[result.faults % policies.size()];
        const auto difference = restart_once(clock, struck, policy);
        const std::string line =
            fmt::format("restart   seed {} appendfsync {}: killed after {} commands", seed, policy,
                        count_commands(struck.script));
        if (difference) {
            result.mismatch = line + "\n" + describe(struck.script, *difference);
            return result;
        }
        ++result.faults;
        result.lines.push_back(line);
    }
    return result;
}

}  // namespace redeliver::conformance
