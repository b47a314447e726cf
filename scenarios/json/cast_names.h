#pragma once

#include <cstdint>
#include <string_view>

#include "scenarios/json/vocabulary.h"
#include "scenarios/scenario.h"

namespace redeliver::scenarios::json {

/// The names that a fault may use: the nodes of a system, and the runs of a workload.
class CastNames {
public:
    /// `last_message` is the largest number of a message.
    CastNames(const System& system, std::uint64_t last_message);

    const System& system() const { return system_; }
    const Vocabulary& nodes() const { return nodes_; }
    /// Nodes that can fail over.
    const Vocabulary& servers() const { return servers_; }
    /// A node, or `run-6`, `run-6b` of a message that there is.
    bool is_subject(std::string_view text) const;
    std::uint64_t last_message() const { return last_message_; }

private:
    System system_;
    Vocabulary nodes_;
    Vocabulary servers_;
    std::uint64_t last_message_;
};

}  // namespace redeliver::scenarios::json
