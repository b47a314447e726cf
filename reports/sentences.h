#pragma once

#include <string>
#include <vector>

#include "properties/verdict.h"
#include "reports/trial_report.h"
#include "scenarios/explore/explain.h"
#include "scenarios/explore/trial.h"
#include "sim/step.h"

namespace redeliver::reports {

/// One sentence of how a promise came to be broken, and the step that it tells of.
struct Sentence {
    sim::StepNumber step;
    sim::Instant at;
    std::string text;
};

/// How a promise came to be broken, in three to seven sentences as far as there is so much to tell;
/// the last one says that it broke and which run broke it. They are about the steps of `why`, given
/// what the explanation found: each fault that is needed has a sentence that names it, and of the
/// decisions only one is told of which another value keeps the promise. Empty unless the verdict is
/// a violation that names a step; the trial has its recording.
std::vector<Sentence> sentences(const Trial& trial, const scenarios::PromiseVerdict& broken,
                                const scenarios::Explanation& explanation);

/// A step as a sentence: `worker-2 claims run-6 from worker-1 after 30s (delivery 2).`
std::string sentence_of(const scenarios::Recording& recording, const sim::Step& step);

}  // namespace redeliver::reports
