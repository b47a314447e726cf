#include "scenarios/json/cast_names.h"

#include "model/subjects.h"
#include "scenarios/node_names.h"

namespace redeliver::scenarios::json {

namespace {

std::vector<std::string> nodes_of(const System& system) {
    Scenario scenario;
    scenario.system = system;
    return node_names(scenario);
}

}  // namespace

CastNames::CastNames(const System& system, std::uint64_t last_message)
    : system_(system),
      nodes_("node", nodes_of(system)),
      servers_("server", {nodes_.words()[static_cast<std::size_t>(broker_node)],
                          nodes_.words()[static_cast<std::size_t>(database_node)]}),
      last_message_(last_message) {}

bool CastNames::is_subject(std::string_view text) const {
    if (nodes_.contains(text)) return true;
    const auto subject = sim::parse_subject(model::run_series(), text);
    return subject && sim::number_of(*subject) <= last_message_;
}

}  // namespace redeliver::scenarios::json
