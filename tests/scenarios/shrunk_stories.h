#pragma once

#include <gtest/gtest.h>

#include <cctype>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "scenarios/catalog/catalog.h"
#include "scenarios/explore/campaign.h"
#include "scenarios/explore/trial.h"
#include "scenarios/json/codec.h"
#include "sim/fault_table.h"

/// What tests of the shrinker and of explanations share. Nothing here uses either.
namespace redeliver::scenarios::shrunk {

/// A story of the catalogue with settings, under the plan of a seed.
inline Case case_of(std::string_view story, std::uint64_t seed = 1,
                    const std::vector<std::string>& settings = {}) {
    Scenario scenario = find_story(story).value();
    for (const std::string& setting : settings) apply_setting(scenario, setting);
    TrialRunner runner;
    const Plan plan = plan_of(runner, scenario, seed);
    return make_case(scenario, plan, seed, runner.run(scenario, plan, seed, Level::everything));
}

/// How a trial of a case breaks a promise, as a line; nothing when it does not. Two cases break it
/// alike when the lines are equal: written anew here, to judge what the shrinker takes for alike.
inline std::optional<std::string> breach(const Case& of, std::string_view promise) {
    TrialRunner runner;
    runner.cap(1'000'000);
    TrialResult result;
    try {
        result = runner.run(of.scenario, of.plan, of.seed, Level::ledger);
    } catch (const sim::PlanError&) {
        return {};  // It names an actor that is not there any more.
    }
    for (const PromiseVerdict& each : result.verdicts) {
        if (each.name != promise || each.verdict.holds != properties::Holds::violated) continue;
        if (result.ending == sim::Ending::out_of_steps) return {};
        std::string line = each.verdict.breach == properties::Breach::owed ? "owed " : "done ";
        for (const Message& message : of.plan.messages)
            if (sim::series_of(each.verdict.subject) >= sim::first_free_series &&
                sim::number_of(each.verdict.subject) == message.number)
                line += std::to_string(static_cast<int>(message.content)) + " ";
        for (const char letter : each.verdict.evidence) {
            if (letter == '(') break;
            if (std::isdigit(static_cast<unsigned char>(letter)) == 0 && letter != ' ')
                line += letter;
        }
        return line;
    }
    return {};
}

}  // namespace redeliver::scenarios::shrunk
