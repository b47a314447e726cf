#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/explanation.h"
#include "reports/look.h"
#include "scenarios/explore/exploration.h"
#include "scenarios/scenario.h"

namespace redeliver::reports {

/// An exploration and what it was of. Refers to what it is about.
struct Explored {
    const scenarios::Scenario& story;
    std::string_view strategy;  ///< As `--strategy` names it.
    const scenarios::Exploration& result;
    /// Effective hits that every kind of fault has to have at every phase.
    std::uint64_t minimum_hits = 0;
};

/// How an exploration did against its story.
///
/// A strategy that uses the story's own faults is judged as `run` judges. One that tries other
/// faults says nothing about what a story that is meant to break `holds`: those faults are not the
/// story's, so what else they break is shown and not judged. A story that is not meant to break has
/// to stand them all.
struct ExplorationJudgement {
    enum class Outcome : std::uint8_t { as_expected, wrong, inconclusive } outcome;
    /// One sentence each.
    std::vector<std::string> sentences;
};
ExplorationJudgement judge(const Explored& explored);

/// A promise that broke, and the commands that show its first breach again; of some also why.
struct ReplayableBreach {
    std::string_view promise;
    std::vector<std::string> commands;
    /// Explains the breach, with a command for each thing that it says.
    std::string explain;
    std::optional<Explained> explanation = {};
};

/// What was tried, where, what broke, what was reached, and whether new things still appeared.
std::string exploration_text(const Explored& explored,
                             const std::vector<ReplayableBreach>& breaches, const Look& look);

/// `explore --json`; docs/schemas/explore-report.schema.json describes it.
std::string exploration_document(const Explored& explored,
                                 const std::vector<ReplayableBreach>& breaches);

}  // namespace redeliver::reports
