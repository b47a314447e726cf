#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/operations.h"
#include "model/redis/replies.h"
#include "scenarios/services/redis_service.h"
#include "sim/exchange.h"
#include "sim/process.h"

namespace redeliver::scenarios {

/// The names of the brief; a deployment would prefix them with its environment.
namespace keys {
inline constexpr const char* runs = "koda:runs";
inline constexpr const char* dead = "koda:runs:dead";
inline constexpr const char* workers = "workers";
}  // namespace keys

/// A connection to the broker with the commands that the chat back end sends, one request at a
/// time.
///
/// Every call blocks until its fate is known. A refusal by the server has *arrived*; where the
/// result cannot hold it, it is in `refusal`.
class BrokerClient {
public:
    using Entry = model::redis::Entry;
    using EntryId = model::redis::EntryId;
    template <class T>
    using Outcome = sim::Outcome<T>;

    BrokerClient(sim::Process& self, RedisService& service, sim::Duration timeout);

    struct Batch {
        std::vector<Entry> entries;
        std::optional<model::redis::Refusal> refusal;
    };
    struct Claim {
        std::vector<Entry> entries;
        EntryId cursor;
        std::optional<model::redis::Refusal> refusal;
    };
    struct DeadLetter {
        sim::Subject run;
        EntryId original;
        std::uint64_t deliveries;
        std::string_view reason;
    };

    /// XGROUP CREATE koda:runs workers 0 MKSTREAM; fine if it exists.
    Outcome<model::redis::Reply> create_group();
    /// XADD koda:runs [MAXLEN …] * runId … sessionId …
    Outcome<model::redis::Reply> publish(sim::Subject run, std::uint32_t session,
                                         std::optional<model::redis::Trim> trim);
    /// XREADGROUP with `>`; without `block` it answers at once.
    Outcome<Batch> read_new(const std::string& consumer, std::uint32_t count,
                            std::optional<sim::Duration> block);
    /// XREADGROUP with an id: one's own pending entries above it.
    Outcome<Batch> read_own(const std::string& consumer, EntryId after, std::uint32_t count);
    /// XAUTOCLAIM
    Outcome<Claim> claim(const std::string& consumer, sim::Duration min_idle_time, EntryId start,
                         std::uint32_t count);
    /// XACK
    Outcome<model::redis::Reply> acknowledge(sim::Subject run, EntryId id);
    /// XACK of several entries at once.
    Outcome<model::redis::Reply> acknowledge_all(std::vector<EntryId> ids);
    /// XPENDING of one entry; nothing when it is not pending.
    Outcome<std::optional<model::redis::PendingRow>> pending(sim::Subject run, EntryId id);
    /// XADD koda:runs:dead
    Outcome<model::redis::Reply> add_dead_letter(const DeadLetter& letter);
    /// XADD koda:runs:dead and XACK in one transaction, once per run: a marker key that is watched
    /// says whether it was done before, and then only the XACK is left to do. The answer is
    /// NilArray when somebody else did it meanwhile.
    Outcome<model::redis::Reply> move_to_dead_letters(const DeadLetter& letter);
    /// SET NX PX; true when the mark was not there.
    Outcome<bool> mark(sim::Subject run, sim::Duration expiry);
    /// XINFO CONSUMERS
    Outcome<std::vector<model::redis::ConsumerInfo>> consumers();
    /// XINFO GROUPS: what the group has not acknowledged and not read; nothing if unknown.
    Outcome<std::optional<std::uint64_t>> backlog();
    /// XINFO STREAM, then XINFO GROUPS: whether the stream ends in an entry that the group was not
    /// given, or the group has pending ones. Unlike the lag, which counts entries that were trimmed
    /// unread for ever (Redis 7.0), ids tell what is really left to read. Without a group nothing
    /// was given to it.
    Outcome<bool> owes_anything();
    /// XGROUP DELCONSUMER
    Outcome<model::redis::Reply> delete_consumer(const std::string& consumer);

private:
    /// How a request is sent, beside what it says.
    struct Sending {
        model::Operation operation;
        sim::Subject about;
        sim::Duration patience{};  ///< Beyond the timeout.
        sim::Network::Continuity continuity = sim::Network::Continuity::any_session;
    };
    template <class... Commands>
    Outcome<model::redis::Reply> send(const Sending& how, Commands... commands);
    Outcome<Batch> read(model::Operation operation, const std::string& consumer, EntryId after,
                        std::uint32_t count, std::optional<sim::Duration> block);
    model::redis::Xadd dead_letter_command(const DeadLetter& letter) const;

    sim::Process& self_;
    RedisService& service_;
    sim::ConnectionId connection_;
    sim::Duration timeout_;
};

}  // namespace redeliver::scenarios
