#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "sim/time.h"

namespace redeliver::model::database {

enum class SynchronousCommit : std::uint8_t { off, on };

/// Settings of one server, named as postgresql.conf names them. Zero switches a timeout off.
/// Source of the defaults: postgresql.org/docs/15/runtime-config.html.
struct Configuration {
    /// Ordinary sessions at once: max_connections (100) less superuser_reserved_connections (3).
    std::size_t connection_limit = 97;

    /// How long one lock may be waited for.
    sim::Duration lock_timeout{0};
    /// How long one statement may take in all.
    sim::Duration statement_timeout{0};
    /// How long after it began to wait a session looks, once per wait, whether it waits for itself.
    /// Must not be zero.
    sim::Duration deadlock_timeout = std::chrono::seconds{1};

    SynchronousCommit synchronous_commit = SynchronousCommit::on;

    /// With `off`, how often what was committed is flushed: at whole multiples of this since the
    /// Unix epoch. PostgreSQL flushes within three times wal_writer_delay (200 ms), so this is the
    /// most that a crash can lose. Source: postgresql.org/docs/15/wal-async-commit.html.
    sim::Duration wal_flush_interval = std::chrono::milliseconds{600};

    /// How far back committed changes can be undone. Zero keeps nothing and costs nothing; a crash
    /// under `synchronous_commit = off` needs `wal_flush_interval` at least, a failover its lag,
    /// and under `off` the larger of the two. A loss that would need more is a harness error.
    sim::Duration retain{0};
};

}  // namespace redeliver::model::database
