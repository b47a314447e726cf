#pragma once

#include <cstdint>
#include <optional>

#include "sim/time.h"

namespace redeliver::model::redis {

/// How a server is set up, in the words of redis.conf where it has them.
struct Configuration {
    /// Which server is imitated. Behaviour that changed later hangs on this switch.
    enum class Version : std::uint8_t { v6_2, v7_0, v7_2, v7_4 };

    enum class Appendfsync : std::uint8_t {
        always,    ///< a lost machine loses nothing answered
        everysec,  ///< it loses what was written since the last fsync
        no         ///< it loses what the kernel had not written back
    };

    /// Whether the server keeps what it propagates to its append-only file and to replicas. Needed
    /// for restarts and failover; whoever injects none of them pays nothing with `nothing`.
    enum class Record : std::uint8_t { nothing, propagated };

    Version version = Version::v7_0;
    bool is_at_least(Version other) const { return version >= other; }
    /// Entries of a node at most, deleted ones included; 0 is no limit.
    std::uint64_t stream_node_max_entries = 100;
    /// Bytes of a node at most; 0 is the server's own limit of 1 GiB.
    std::uint64_t stream_node_max_bytes = 4096;
    Appendfsync appendfsync = Appendfsync::everysec;
    Record record = Record::nothing;
    /// Bytes of keys and bodies above which commands that may grow memory are refused (maxmemory
    /// with noeviction). Counts payload bytes, not the allocator's.
    std::optional<std::uint64_t> memory_limit = {};

    /// everysec: between two fsyncs at least so long, by the server's own clock. Documentation says
    /// a second; a stalled disk adds up to two.
    sim::Duration fsync_interval = std::chrono::seconds{1};
    /// no: what is older than this has reached the disk (Linux writes back after 30 s).
    sim::Duration write_back = std::chrono::seconds{30};
    /// A failover can take back this many newest records at most, and so much time.
    std::uint64_t retained_records = 4096;
    sim::Duration retained_time = std::chrono::seconds{30};

    /// BLOCK timeouts end at multiples of this. The real server, idle at its default `hz 10`, looks
    /// every 100 ms, so that a BLOCK 1 may take 100 ms; zero means as soon as the millisecond of
    /// the deadline is over.
    sim::Duration timer_granularity{0};
};

}  // namespace redeliver::model::redis
