#pragma once

#include <cstdint>
#include <vector>

#include "model/redis/entry_id.h"

namespace redeliver::model::redis {

/// Nodes of the radix tree that redis-server keeps over these keys, each an id of 16 bytes, big end
/// first. `ids` ascend without repetition; no ids still need a root.
///
/// A run of two or more bytes without a fork or an end is one compressed node, a single such byte
/// is a node with one child, a fork is one node however wide, and each key ends in a node.
/// Source: raxGenericInsert and raxRemove in redis/src/rax.c (7.0.15), which keep every tree in
/// this form; XINFO STREAM shows the number as radix-tree-nodes.
std::uint64_t radix_nodes(const std::vector<EntryId>& ids);

}  // namespace redeliver::model::redis
