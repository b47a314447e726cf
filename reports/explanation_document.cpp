#include <algorithm>
#include <functional>
#include <string>

#include "reports/explanation.h"
#include "reports/faults.h"
#include "reports/json_text.h"
#include "reports/schedule.h"
#include "reports/sentences.h"
#include "reports/words.h"
#include "scenarios/json/words.h"
#include "sim/ensure.h"

namespace redeliver::reports {

namespace {

using scenarios::Explanation;
using scenarios::FaultNeed;
using scenarios::Minimality;
using scenarios::Variation;

std::string_view word(Minimality minimality) {
    return minimality == Minimality::one_minimal ? "one_minimal" : "budget_ended";
}

std::string_view word(properties::Breach breach) {
    return breach == properties::Breach::done ? "done" : "owed";
}

std::string_view word(scenarios::Expected expected) {
    switch (expected) {
    case scenarios::Expected::holds: return "holds";
    case scenarios::Expected::breaks: return "breaks";
    case scenarios::Expected::nothing: return "nothing";
    }
    return "?";
}

std::string_view word(Variation::Origin origin) {
    switch (origin) {
    case Variation::Origin::repair: return "repair";
    case Variation::Origin::usual: return "usual";
    case Variation::Origin::other: return "other";
    case Variation::Origin::amount: return "amount";
    }
    return "?";
}

/// The command that shows something again; without a file there is none.
void add_command(Json& json, const Explained& explained,
                 const std::function<std::string()>& command) {
    if (explained.file) json["command"] = command();
}

Json size_json(const scenarios::Case& of) {
    const scenarios::System& system = of.scenario.system;
    return {{"faults", of.plan.faults.size()}, {"messages", of.plan.messages.size()},
            {"users", system.users.count},     {"gateways", system.gateway.count},
            {"workers", system.worker.count},  {"relays", system.relay.count}};
}

Json promise_json(const Explained& explained) {
    const scenarios::PromiseVerdict& broken = explained.broken();
    const auto content = explained.shrunk.breakage.content;
    return {{"name", broken.name},
            {"expected", word(expectation_of(explained.original.scenario, broken.name))},
            {"breach", word(broken.verdict.breach)},
            {"subject", explained.result.recording->text(broken.verdict.subject)},
            {"evidence", broken.verdict.evidence},
            {"content",
             content ? Json(scenarios::json::words_of(*content)[static_cast<std::size_t>(*content)])
                     : Json()}};
}

Json fault_json(const Explained& explained, std::size_t fault) {
    Json json = {{"number", fault + 1},
                 {"text", fault_text(explained.shrunk.best.plan.faults[fault])}};
    if (fault >= explained.explanation.faults.size()) {
        json["need"] = "untried";
        return json;
    }
    const FaultNeed& need = explained.explanation.faults[fault];
    json["need"] = need.need == FaultNeed::Need::needed ? "needed" : "not_needed";
    json["without"] = properties::text(need.without);
    add_command(json, explained, [&] { return replay_without(explained, fault); });
    return json;
}

Json schedule_json(const Explained& explained) {
    const auto& need = explained.explanation.schedule;
    if (!need) return Json();
    Json json = {{"text", schedule_text(explained.shrunk.best.plan.schedule)},
                 {"need", need->need == FaultNeed::Need::needed ? "needed" : "not_needed"},
                 {"without", properties::text(need->without)}};
    add_command(json, explained, [&] { return replay_without_schedule(explained); });
    return json;
}

Json variation_json(const Explained& explained, const Variation& variation) {
    Json json = {{"setting", variation.setting},
                 {"was", variation.was},
                 {"origin", word(variation.origin)},
                 {"faults_strike", variation.faults == Variation::Faults::strike},
                 {"also_breaks", variation.also_breaks},
                 {"still_breaks", variation.still_breaks ? Json(*variation.still_breaks) : Json()}};
    add_command(json, explained, [&] { return replay_with(explained, variation); });
    return json;
}

Json chance_json(const Explained& explained) {
    const scenarios::LastChance& chance = explained.explanation.last_chance;
    const bool is_halved = chance.search == scenarios::LastChance::Search::halving;
    Json json = {{"search", is_halved ? "halving" : "every_step"},
                 {"futures", chance.futures},
                 {"from", chance.from},
                 {"back_to", chance.back_to}};
    if (chance.after == sim::no_step) return json;
    json["after"] = chance.after;
    json["keeping"] = chance.keeping;
    add_command(json, explained, [&] { return replay_chance(explained); });
    return json;
}

Json sentence_json(const Sentence& sentence) {
    return {{"step", sentence.step},
            {"at_us", sentence.at.time_since_epoch().count()},
            {"text", sentence.text}};
}

}  // namespace

std::string explanation_document(const Explained& explained) {
    const scenarios::Shrunk& shrunk = explained.shrunk;
    const Explanation& explanation = explained.explanation;
    Json document = {{"story", shrunk.best.scenario.name},
                     {"seed", shrunk.best.seed},
                     {"promise", promise_json(explained)},
                     {"shrunk",
                      {{"minimality", word(shrunk.minimality)},
                       {"trials", shrunk.trials},
                       {"last_pass", shrunk.last_pass},
                       {"choices", shrunk.choices},
                       {"before", size_json(explained.original)},
                       {"after", size_json(shrunk.best)},
                       {"fingerprint", fingerprint_text(shrunk.best.fingerprint)}}},
                     {"sentences", Json::array()},
                     {"faults", Json::array()},
                     {"schedule", schedule_json(explained)},
                     {"variations",
                      {{"tried", explanation.variations},
                       {"complete", explanation.extent == Explanation::Extent::complete},
                       {"passing", Json::array()}}},
                     {"last_chance", chance_json(explained)}};
    if (explained.file) document["shrunk"]["file"] = *explained.file;
    add_command(document["shrunk"], explained, [&] { return replay_command(explained); });
    for (const Sentence& each :
         sentences(explained.trial(), explained.broken(), explained.explanation))
        document["sentences"].push_back(sentence_json(each));
    for (std::size_t fault = 0; fault < shrunk.best.plan.faults.size(); ++fault)
        document["faults"].push_back(fault_json(explained, fault));
    for (const Variation& each : explanation.passing)
        document["variations"]["passing"].push_back(variation_json(explained, each));
    return json_text(document);
}

}  // namespace redeliver::reports
