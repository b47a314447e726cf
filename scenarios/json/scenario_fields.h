#pragma once

#include "scenarios/case.h"
#include "scenarios/json/cast_names.h"
#include "scenarios/json/fields.h"
#include "scenarios/plan.h"
#include "scenarios/scenario.h"

/// What the structs of a scenario look like in JSON: each names its members once, with their
/// ranges, and rejects what its members make of each other.
namespace redeliver::scenarios::json {

void scenario_fields(Fields& in, Scenario& scenario);
void case_fields(Fields& in, Case& recorded);

/// `scenario` has been read before: it says what the plan may name.
void plan_fields(Fields& in, Plan& plan, const Scenario& scenario);

void system_fields(Fields& in, System& system);
void workload_fields(Fields& in, Workload& workload, const System& system);
void messages_fields(Fields& in, std::vector<Message>& messages, const System& system);
void faults_fields(Fields& in, Faults& faults, const CastNames& names);
/// The list under this key.
void fault_plan_fields(Fields& in, std::string_view key, sim::FaultPlan& plan,
                       const CastNames& names);
/// The member `schedule`, which there is only where there is one.
void schedule_fields(Fields& in, sim::Schedule& schedule, const CastNames& names);
void expectation_fields(Fields& in, Expectations& expect);

/// What the faults of this scenario may name.
CastNames names_in(const System& system, const std::vector<Message>& listed,
                   std::uint64_t generated);

/// JSON pointers of all values under `/system`.
const Vocabulary& system_pointers();
/// Names of the promises, the rare paths and the totals that a scenario can expect something of.
const Vocabulary& promise_names();
const Vocabulary& rare_path_names();
const Vocabulary& total_names();

}  // namespace redeliver::scenarios::json
