#include "reports/document_words.h"
#include "reports/documents.h"
#include "reports/json_text.h"
#include "reports/surprise_block.h"
#include "reports/words.h"
#include "scenarios/build_info.h"

namespace redeliver::reports {

namespace {

using scenarios::Expected;
using scenarios::PromiseResult;
using scenarios::StoryResult;
using scenarios::Surprise;
using scenarios::SurpriseReport;

std::string_view word(Surprise surprise) {
    switch (surprise) {
    case Surprise::promise_broken: return "promise_broken";
    case Surprise::promise_unbroken: return "promise_unbroken";
    case Surprise::not_repaired: return "not_repaired";
    case Surprise::total_differs: return "total_differs";
    case Surprise::promise_vacuous: return "promise_vacuous";
    case Surprise::path_unreached: return "path_unreached";
    case Surprise::trial_inconclusive: return "trial_inconclusive";
    case Surprise::too_few_behaviours: return "too_few_behaviours";
    }
    return "?";
}

Json seed_or_null(const std::optional<std::uint64_t>& seed) { return seed ? Json(*seed) : Json(); }

Json promise_json(const PromiseResult& promise) {
    return {{"name", promise.name},
            {"expected", document_word(promise.expected)},
            {"verdicts",
             {{"held", promise.held},
              {"violated", promise.violated},
              {"vacuous", promise.vacuous},
              {"inconclusive", promise.inconclusive}}},
            {"excused", promise.excused},
            {"first_violating_seed", seed_or_null(promise.first_violating_seed)}};
}

Json surprise_json(const SurpriseReport& surprise, const StoryResult& result) {
    return {{"what", word(surprise.what)},
            {"name", surprise.name},
            {"detail", surprise.detail.empty() ? brief(surprise, result) : surprise.detail},
            {"seed", seed_or_null(surprise.seed)}};
}

Json story_json(const StoryResult& result) {
    Json story = {{"name", result.name},
                  {"first_seed", result.first_seed},
                  {"seeds", result.seeds},
                  {"as_expected", result.as_expected()},
                  {"fingerprint", fingerprint_text(result.fingerprint)},
                  {"distinct_behaviours", result.distinct_behaviours}};
    story["promises"] = Json::array();
    for (const PromiseResult& promise : result.promises)
        story["promises"].push_back(promise_json(promise));
    story["reached"] = Json::array();
    for (const scenarios::ReachedPath& path : result.reached)
        story["reached"].push_back({{"name", path.name}, {"count", path.count}});
    story["surprises"] = Json::array();
    for (const SurpriseReport& surprise : result.surprises)
        story["surprises"].push_back(surprise_json(surprise, result));
    return story;
}

}  // namespace

std::string run_document(const std::vector<StoryResult>& results) {
    bool as_expected = true;
    Json stories = Json::array();
    for (const StoryResult& result : results) {
        as_expected = as_expected && result.as_expected();
        stories.push_back(story_json(result));
    }
    return json_text({{"as_expected", as_expected}, {"stories", std::move(stories)}});
}

}  // namespace redeliver::reports
