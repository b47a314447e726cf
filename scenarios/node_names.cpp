#include "scenarios/node_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "scenarios/policies.h"

namespace redeliver::scenarios {

namespace {

/// Names hold no '-', so that `mill-2` can only be a `mill`.
bool is_numbered(std::string_view node, std::string_view name) {
    return node.size() > name.size() && node.starts_with(name) && node[name.size()] == '-';
}

/// Of actors; nullptr for what there is one of.
const std::string* name_of(const System& system, Role role) {
    switch (role) {
    case Role::gateway: return &system.gateway.name;
    case Role::worker: return &system.worker.name;
    case Role::user: return &system.users.name;
    case Role::relay: return &system.relay.name;
    default: return nullptr;
    }
}

/// Gives texts that name actors of one system the names of another.
class Renaming {
public:
    Renaming(const System& had, const System& has) : had_(had), has_(has) {}

    void rename(std::string& node) const {
        const Role role = role_of(had_, node);
        if (const std::string* const old = name_of(had_, role))
            node.replace(0, old->size(), *name_of(has_, role));
    }

    void rename(sim::Fault& fault) const {
        rename(fault.target);
        if (auto* const step = std::get_if<sim::AtStep>(&fault.when)) {
            rename(step->subject);
            rename(step->node);
        }
        if (auto* const partition = std::get_if<sim::Partition>(&fault.what)) rename(partition->to);
        if (auto* const order = std::get_if<sim::Order>(&fault.what)) rename_words(order->words);
    }

private:
    /// Consumers are called like their workers, with more behind it perhaps.
    void rename_words(std::string& words) const {
        std::string renamed;
        for (std::size_t begin = 0, end = 0; begin <= words.size(); begin = end + 1) {
            end = std::min(words.find(' ', begin), words.size());
            std::string word = words.substr(begin, end - begin);
            rename(word);
            renamed += (begin == 0 ? "" : " ") + word;
        }
        words = std::move(renamed);
    }

    const System& had_;
    const System& has_;
};

}  // namespace

std::string numbered(std::string_view name, std::uint32_t number) {
    return fmt::format("{}-{}", name, number);
}

std::vector<std::string> node_names(const Scenario& scenario) {
    const System& system = scenario.system;
    std::vector<std::string> names = {std::string(broker_name), std::string(database_name)};
    const auto add = [&](std::string_view name, std::uint32_t count) {
        for (std::uint32_t number = 1; number <= count; ++number)
            names.push_back(numbered(name, number));
    };
    add(system.gateway.name, system.gateway.count);
    add(system.worker.name, system.worker.count);
    add(system.users.name, system.users.count);
    if (system.republisher.republish != Republish::never) names.emplace_back(republisher_name);
    if (system.pruner.prune != Prune::never) names.emplace_back(pruner_name);
    if (uses_outbox(system.gateway.publish)) add(system.relay.name, system.relay.count);
    return names;
}

Role role_of(const System& system, std::string_view node) {
    if (node == broker_name) return Role::broker;
    if (node == database_name) return Role::database;
    if (is_numbered(node, system.gateway.name)) return Role::gateway;
    if (is_numbered(node, system.worker.name)) return Role::worker;
    if (is_numbered(node, system.users.name)) return Role::user;
    if (node == republisher_name) return Role::republisher;
    if (node == pruner_name) return Role::pruner;
    return is_numbered(node, system.relay.name) ? Role::relay : Role::nobody;
}

void follow_names(const System& had, const System& has, sim::FaultPlan& faults,
                  sim::Schedule& schedule) {
    const Renaming renaming(had, has);
    for (sim::Fault& fault : faults) renaming.rename(fault);
    for (std::string& node : schedule.order) renaming.rename(node);
}

}  // namespace redeliver::scenarios
