#include "model/redis/radix_nodes.h"

#include <cstddef>

#include "sim/ensure.h"

namespace redeliver::model::redis {
namespace {

constexpr std::size_t key_bytes = 16;

std::uint8_t byte_of(EntryId id, std::size_t index) {
    constexpr std::size_t half = key_bytes / 2;
    const std::uint64_t word = index < half ? id.ms : id.seq;
    return static_cast<std::uint8_t>(word >> (8 * (half - 1 - index % half)));
}

/// How many leading bytes the two share.
std::size_t shared_bytes(EntryId one, EntryId other) {
    std::size_t shared = 0;
    while (shared < key_bytes && byte_of(one, shared) == byte_of(other, shared)) ++shared;
    return shared;
}

/// Nodes that lead from one fork or root to the next fork or end, so many bytes further on.
std::uint64_t nodes_of_run(std::size_t bytes) { return bytes == 0 ? 0 : 1; }

using Ids = std::vector<EntryId>;

/// The subtree of the keys [begin, end), which share their first `depth` bytes.
std::uint64_t nodes_below(const Ids& ids, std::size_t begin, std::size_t end, std::size_t depth) {
    // The first and the last share what all between them share.
    const std::size_t fork = shared_bytes(ids[begin], ids[end - 1]);
    std::uint64_t nodes = nodes_of_run(fork - depth) + 1;
    if (fork == key_bytes) return nodes;
    for (std::size_t from = begin; from < end;) {
        std::size_t to = from + 1;
        while (to < end && byte_of(ids[to], fork) == byte_of(ids[from], fork)) ++to;
        nodes += nodes_below(ids, from, to, fork + 1);
        from = to;
    }
    return nodes;
}

}  // namespace

std::uint64_t radix_nodes(const Ids& ids) {
    if (ids.empty()) return 1;
    for (std::size_t i = 1; i < ids.size(); ++i)
        sim::ensure(ids[i - 1] < ids[i], "the keys of a radix tree ascend");
    return nodes_below(ids, 0, ids.size(), 0);
}

}  // namespace redeliver::model::redis
