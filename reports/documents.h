#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/trial_report.h"
#include "scenarios/explore/campaign.h"
#include "scenarios/explore/trial.h"
#include "scenarios/scenario.h"

/// What `--json` prints. Each is one JSON text that ends in a newline and is ASCII throughout, so
/// that a stranger's name can do nothing to a terminal; what is no UTF-8 becomes U+FFFD. Numbers
/// that may need 64 bits, fingerprints and seeds beyond 2^53 among them, are written exactly; times
/// are whole microseconds, fingerprints 16 hexadecimal digits.
namespace redeliver::reports {

/// `run --json`; docs/schemas/run-report.schema.json describes it.
std::string run_document(const std::vector<scenarios::StoryResult>& results);

/// `replay --json`: the trial, every step with its edges and its words, verdicts, totals.
/// `divergence` is of a case that was replayed: where it first differs, if it does.
std::string replay_document(const Trial& trial,
                            const std::optional<scenarios::Divergence>& divergence);

/// `replay --at STEP --json`: the tables after the step, with what it changed.
std::string state_document(const scenarios::StateChange& change);

/// `list --json`.
std::string stories_document(const std::vector<scenarios::Scenario>& stories);

/// A word of the catalogue with the sentence that explains it.
struct Entry {
    std::string_view name;
    std::string_view sentence;
};
/// `list --promises --json` and the like: a list under one key.
std::string entries_document(std::string_view key, const std::vector<Entry>& entries);

/// `list --faults --json`; docs/schemas/fault-list.schema.json describes it.
std::string faults_document();

/// `version --json`.
std::string version_document();

}  // namespace redeliver::reports
