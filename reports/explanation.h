#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "reports/look.h"
#include "reports/trial_report.h"
#include "scenarios/explore/explain.h"
#include "scenarios/explore/shrink.h"

namespace redeliver::reports {

/// A broken case made small, the trial of it, and what was tried on it. Refers to what it is about.
struct Explained {
    /// The plan and the actors before it was shrunk.
    const scenarios::Case& original;
    const scenarios::Shrunk& shrunk;
    const scenarios::Explanation& explanation;
    /// Of the shrunk case, with its recording.
    const scenarios::TrialResult& result;
    /// Where the shrunk case is, if it was written: then commands that show it can be given.
    std::optional<std::string> file = {};
    /// Where its page is, if it was written, with the step at which it opens.
    std::optional<std::string> page = {};

    Trial trial() const;
    const scenarios::PromiseVerdict& broken() const;
};

/// Commands that show again what an explanation says, of a case with a file.
std::string replay_command(const Explained& explained);
std::string replay_without(const Explained& explained, std::size_t fault);
std::string replay_without_schedule(const Explained& explained);
std::string replay_with(const Explained& explained, const scenarios::Variation& variation);

/// Of a last chance that there was.
std::string replay_chance(const Explained& explained);

/// Variations that a text tells of; a document has all.
inline constexpr std::size_t most_variations = 4;

/// How small the case became, by how many trials, and whether it is 1-minimal.
std::string smallness(const Explained& explained);

/// What `explain` prints: how small the case is, the sentences, each fault needed or not, the
/// nearest variations that pass, the last step that left a chance, and under each line the command
/// that shows it; where there is no file, how to get one instead.
std::string explanation_text(const Explained& explained, const Look& look);

/// The same without its heading, moved to the right by `margin` columns; without the commands where
/// there is no file.
std::string explanation_lines(const Explained& explained, const Look& look, std::size_t margin);

/// `explain --json`, without commands where there is no file; docs/schemas/explanation.schema.json
/// describes it.
std::string explanation_document(const Explained& explained);

}  // namespace redeliver::reports
