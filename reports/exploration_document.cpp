#include "model/operations.h"
#include "reports/document_words.h"
#include "reports/exploration.h"
#include "reports/hits.h"
#include "reports/json_text.h"
#include "reports/words.h"
#include "scenarios/explore/mishap.h"

namespace redeliver::reports {

namespace {

using scenarios::Expected;
using scenarios::ExploredPromise;
using scenarios::Scope;
using scenarios::Tally;
using scenarios::Tried;

std::string_view word(ExplorationJudgement::Outcome outcome) {
    switch (outcome) {
    case ExplorationJudgement::Outcome::as_expected: return "as_expected";
    case ExplorationJudgement::Outcome::wrong: return "wrong";
    case ExplorationJudgement::Outcome::inconclusive: return "inconclusive";
    }
    return "?";
}

Json kinds_json(const std::vector<scenarios::Mishap>& kinds) {
    Json names = Json::array();
    for (const scenarios::Mishap kind : kinds) names.push_back(scenarios::info_of(kind).name);
    return names;
}

Json scope_json(const Scope& scope) {
    if (scope.end == Scope::End::none || scope.orders.slack.count() > 0) return Json();
    return {{"faults", scope.faults},
            {"complete", scope.end == Scope::End::reached},
            {"operations", scope.operations},
            {"folded_polls", scope.folded_polls},
            {"kinds", kinds_json(scope.kinds)},
            {"singles", scope.singles},
            {"singles_tried", scope.singles_tried},
            {"pairs_tried", scope.pairs_tried},
            {"pairs_inert", scope.pairs_inert},
            {"firsts_followed", scope.firsts_followed},
            {"firsts_left", scope.firsts_left},
            {"firsts_inert", scope.firsts_inert},
            {"firsts_unchanged", scope.firsts_unchanged}};
}

Json priorities_json(const scenarios::Priorities& drawn) {
    return {{"depth", drawn.depth},
            {"actors", drawn.actors},
            {"steps", drawn.steps},
            {"slack_us", drawn.slack.count()},
            {"one_in", drawn.one_in()}};
}

Json orders_json(const Scope& scope) {
    const scenarios::Orders& orders = scope.orders;
    return {{"faults", scope.faults},
            {"complete", scope.end == Scope::End::reached},
            {"slack_us", orders.slack.count()},
            {"states", orders.states},
            {"transitions", orders.transitions},
            {"deduplicated", orders.deduplicated},
            {"depth", orders.depth},
            {"fault_places", orders.faults},
            {"left", orders.left}};
}

Json corpus_json(const scenarios::Corpus& corpus) {
    return {{"seeds", corpus.seeds},
            {"mutations", corpus.mutations},
            {"size", corpus.size()},
            {"from_paths", corpus.from_paths},
            {"from_behaviours", corpus.from_behaviours},
            {"dropped", corpus.dropped}};
}

Json tally_json(const Tried& tried, const Tally& tally) {
    return {{"operation", model::text(static_cast<model::Operation>(tried.operation))},
            {"point", scenarios::text(tried.point)},
            {"fault", scenarios::info_of(tried.mishap).name},
            {"tried", tally.tried},
            {"struck", tally.struck},
            {"changed", tally.changed},
            {"broke", tally.broke}};
}

Json promise_json(const ExploredPromise& promise) {
    return {{"name", promise.name},
            {"expected", document_word(promise.expected)},
            {"verdicts",
             {{"held", promise.held},
              {"violated", promise.violated},
              {"vacuous", promise.vacuous},
              {"inconclusive", promise.inconclusive}}},
            {"excused", promise.excused},
            {"first_violating_attempt", promise.first ? Json(promise.first->attempt) : Json()}};
}

Json breaches_json(const std::vector<ReplayableBreach>& breaches) {
    Json all = Json::array();
    for (const ReplayableBreach& breach : breaches)
        all.push_back({{"promise", breach.promise}, {"commands", breach.commands}});
    return all;
}

}  // namespace

std::string exploration_document(const Explored& explored,
                                 const std::vector<ReplayableBreach>& breaches) {
    const scenarios::Exploration& result = explored.result;
    const ExplorationJudgement judgement = judge(explored);
    Json document = {{"story", explored.story.name},
                     {"strategy", explored.strategy},
                     {"outcome", word(judgement.outcome)},
                     {"sentences", judgement.sentences},
                     {"tried", result.tried},
                     {"inconclusive", result.inconclusive},
                     {"fingerprint", fingerprint_text(result.fingerprint)},
                     {"distinct_behaviours", result.new_behaviours.size()},
                     {"new_behaviours_in_last_tenth", result.new_of_late()},
                     {"scope", scope_json(result.scope)}};
    if (result.scope.priorities.depth > 0)
        document["priorities"] = priorities_json(result.scope.priorities);
    if (result.scope.orders.slack.count() > 0) document["orders"] = orders_json(result.scope);
    if (result.scope.corpus.seeds > 0) document["corpus"] = corpus_json(result.scope.corpus);
    document["steps"] = Json::array();
    for (const auto& [tried, tally] : result.tallies)
        document["steps"].push_back(tally_json(tried, tally));
    document["hits"] = hits_json(result);
    document["promises"] = Json::array();
    for (const ExploredPromise& promise : result.promises)
        document["promises"].push_back(promise_json(promise));
    document["reached"] = Json::array();
    for (const auto& path : result.reached)
        document["reached"].push_back({{"name", path.name}, {"count", path.count}});
    document["breaches"] = breaches_json(breaches);
    return json_text(document);
}

}  // namespace redeliver::reports
