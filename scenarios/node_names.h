#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/scenario.h"
#include "sim/names.h"

namespace redeliver::scenarios {

/// What a node is there for.
enum class Role : std::uint8_t {
    broker,
    database,
    gateway,
    worker,
    user,
    republisher,
    pruner,
    relay,
    nobody  ///< No node of the system.
};

inline constexpr std::string_view broker_name = "redis";
inline constexpr std::string_view database_name = "postgres";
inline constexpr std::string_view republisher_name = "republisher";
inline constexpr std::string_view pruner_name = "pruner";

/// What no actor may be called: the other nodes, and runs, which are numbered like actors.
inline constexpr std::array<std::string_view, 5> taken_names = {
    broker_name, database_name, republisher_name, pruner_name, "run"};

/// `worker-2`: one of the actors that are called `worker`.
std::string numbered(std::string_view name, std::uint32_t number);

/// The names of the nodes of a scenario, in the order of their numbers: `redis`, `postgres`, then,
/// unless the system calls them otherwise, `gateway-1` …, `worker-1` …, `user-1` …; `republisher`,
/// `pruner`, and `relay-1` …. Actors that a scenario does without have no node.
std::vector<std::string> node_names(const Scenario& scenario);

/// What the node of this name is, in a system that has it.
Role role_of(const System& system, std::string_view node);

/// Where faults and a schedule name an actor of one system, they then name that of the other: the
/// systems differ in what actors are called.
void follow_names(const System& had, const System& has, sim::FaultPlan& faults,
                  sim::Schedule& schedule);

inline constexpr sim::NodeId broker_node{0};
inline constexpr sim::NodeId database_node{1};

}  // namespace redeliver::scenarios
