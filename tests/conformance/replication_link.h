#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "tests/conformance/reference_server.h"

namespace redeliver::conformance {

/// A port of the loopback interface that nobody uses at the moment.
std::uint16_t free_port();

/// The road from a replica to its primary. Both talk through us, and only while we forward.
class ReplicationLink {
public:
    explicit ReplicationLink(std::uint16_t primary_port);
    ReplicationLink(const ReplicationLink&) = delete;
    ReplicationLink& operator=(const ReplicationLink&) = delete;
    ~ReplicationLink();

    /// Where the replica has to connect to.
    std::uint16_t port() const { return port_; }

    /// Forwards in both directions whatever arrives within a moment.
    void forward();
    /// What has arrived from the primary and was not forwarded yet.
    std::string_view arrived_from_primary();
    /// Forwards so many bytes of that to the replica.
    void release(std::size_t bytes);
    void hang_up();

private:
    void accept_replica();

    std::uint16_t primary_port_;
    std::uint16_t port_ = 0;
    int listener_ = -1;
    int replica_ = -1;
    int primary_ = -1;
    std::string arrived_;
};

/// Counts what a stream of propagated commands has come to: whole commands, or whole transactions.
/// SELECT, PING and REPLCONF are no records.
class RecordCounter {
public:
    void feed(std::string_view bytes);
    std::uint64_t records() const { return records_; }

private:
    std::string pending_;
    bool in_transaction_ = false;
    std::uint64_t records_ = 0;
};

}  // namespace redeliver::conformance
