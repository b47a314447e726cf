#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>

#include "tests/conformance/duel.h"
#include "tests/conformance/faults.h"
#include "tests/conformance/generate.h"
#include "tests/conformance/replication_link.h"
#include "tests/conformance/struck_script.h"

namespace redeliver::conformance {
namespace {

constexpr std::chrono::seconds patience{20};

std::string field_of(const std::string& info, const std::string& name) {
    const auto at = info.find(name + ":");
    if (at == std::string::npos) return {};
    const auto begin = at + name.size() + 1;
    return info.substr(begin, info.find("\r\n", begin) - begin);
}

ReferenceServer::Options primary_options(std::uint16_t port) {
    // A ping of its own accord would make it a matter of luck where the stream is cut.
    return {
        "--port", std::to_string(port),         "--bind", "127.0.0.1", "--repl-diskless-sync-delay",
        "0",      "--repl-ping-replica-period", "3600"};
}

/// A primary, its replica, and the link between them, for many failovers.
class Pair {
public:
    explicit Pair(ReferenceClock& clock)
        : clock_(clock),
          port_(free_port()),
          primary_(clock, primary_options(port_)),
          replica_(clock),
          link_(port_),
          asks_primary_(primary_.connect()),
          asks_replica_(replica_.connect()),
          duel_(primary_, clock, model::redis::Configuration::Record::propagated) {}

    struct Outcome {
        std::uint64_t survived = 0;
        std::uint64_t records = 0;
        std::uint64_t modelled_records = 0;
        std::optional<Difference> difference;
    };

    Outcome fail_over_once(const StruckScript& struck) {
        attach(struck.script);
        Outcome outcome;
        Script empty = struck.script;
        empty.steps.clear();
        if ((outcome.difference = duel_.play(empty))) return outcome;
        carry_over();  // FLUSHALL, which is no record of the script.
        RecordCounter sent;
        RecordCounter survived;
        const std::size_t frozen_at = struck.die % (struck.script.steps.size() + 1);
        for (std::size_t i = 0; i < struck.script.steps.size(); ++i) {
            if ((outcome.difference = duel_.play_on({struck.script.steps[i]}))) return outcome;
            flush_primary();
            const std::string arrived(link_.arrived_from_primary().substr(held_));
            sent.feed(arrived);
            held_ += arrived.size();
            if (i > frozen_at) continue;
            // The link freezes somewhere in what the last of these steps propagated.
            const std::size_t bytes = i < frozen_at ? held_ : struck.die / 64 % (held_ + 1);
            survived.feed(link_.arrived_from_primary().substr(0, bytes));
            hand_over(bytes);
        }
        outcome.records = sent.records();
        outcome.survived = survived.records();
        promote(struck.script, outcome);
        return outcome;
    }

private:
    /// A full resynchronisation.
    void attach(const Script& script) {
        clock_.set(script_start);
        for (Connection* const connection : {&asks_primary_, &asks_replica_})
            connection->ask({"CONFIG", "SET", "stream-node-max-entries",
                             std::to_string(script.stream_node_max_entries),
                             "stream-node-max-bytes",
                             std::to_string(script.stream_node_max_bytes)});
        link_.hang_up();
        held_ = 0;
        wait_until("the primary has noticed that its replica is gone", [this] {
            return field_of(asks_primary_.ask({"INFO", "replication"}), "connected_slaves") == "0";
        });
        asks_replica_.ask({"REPLICAOF", "127.0.0.1", std::to_string(link_.port())});
        wait_until("the replica has loaded the data set", [this] {
            link_.forward();
            return field_of(asks_replica_.ask({"INFO", "replication"}), "master_link_status") ==
                   "up";
        });
        // Only a write that arrives shows that the stream of commands has begun.
        const std::string marker = std::to_string(++attached_);
        asks_primary_.ask({"SET", "marker", marker});
        wait_until("the replica has caught up", [&] {
            link_.forward();
            return asks_replica_.ask({"GET", "marker"}).ends_with("\r\n" + marker + "\r\n");
        });
        duel_.reconnect_to(primary_);
    }

    void carry_over() {
        flush_primary();
        hand_over(link_.arrived_from_primary().size());
        held_ = 0;
    }

    /// The first turn of its loop writes; the second shows that it did. Then it is up to the
    /// kernel to carry the bytes over the loopback interface, which it does at once.
    void flush_primary() {
        asks_primary_.ask({"PING"});
        asks_primary_.ask({"PING"});
    }

    void hand_over(std::size_t bytes) {
        const auto offset = [this] {
            return std::stoull(
                field_of(asks_replica_.ask({"INFO", "replication"}), "slave_read_repl_offset"));
        };
        if (bytes == 0) return;
        const auto expected = offset() + bytes;
        link_.release(bytes);
        held_ -= std::min(held_, bytes);
        wait_until("the replica has read what it was sent", [&] { return offset() == expected; });
    }

    void promote(const Script& script, Outcome& outcome) {
        auto& server = duel_.modelled().server();
        outcome.modelled_records = server.retained_records();
        if (outcome.modelled_records != outcome.records) return;
        model::redis::Output forgotten;
        server.fail_over(outcome.records - outcome.survived, clock_.now(), forgotten);
        asks_replica_.ask({"REPLICAOF", "NO", "ONE"});
        duel_.reconnect_to(replica_);
        outcome.difference = duel_.play_on({Send{observer_of(script), questions()}});
    }

    template <typename Claim>
    void wait_until(const char* what, Claim claim) {
        const auto until = std::chrono::steady_clock::now() + patience;
        while (!claim()) {
            if (std::chrono::steady_clock::now() > until)
                throw std::runtime_error(fmt::format("in vain waited until {}", what));
            std::this_thread::sleep_for(std::chrono::microseconds{200});
        }
    }

    ReferenceClock& clock_;
    std::uint16_t port_;
    ReferenceServer primary_;
    ReferenceServer replica_;
    ReplicationLink link_;
    Connection asks_primary_;
    Connection asks_replica_;
    Duel duel_;
    /// Bytes that arrived from the primary, were counted, and are kept from the replica.
    std::size_t held_ = 0;
    std::uint64_t attached_ = 0;
};

}  // namespace

FaultResult compare_failovers(std::uint64_t count, std::uint64_t seed) {
    TemporaryFolder folder;
    ReferenceClock clock(folder.path());
    Pair pair(clock);
    FaultResult result;
    for (; result.faults < count; ++seed) {
        const StruckScript struck = struck_script(seed);
        const auto outcome = pair.fail_over_once(struck);
        const std::string line =
            fmt::format("failover  seed {}: the first {} of {} propagated records survived", seed,
                        outcome.survived, outcome.records);
        if (outcome.modelled_records != outcome.records && !outcome.difference)
            result.mismatch = fmt::format("{}; the model has {} records\n{}", line,
                                          outcome.modelled_records, as_shell(struck.script));
        if (outcome.difference)
            result.mismatch = line + "\n" + describe(struck.script, *outcome.difference);
        if (result.mismatch) return result;
        ++result.faults;
        result.lines.push_back(line);
    }
    return result;
}

}  // namespace redeliver::conformance
