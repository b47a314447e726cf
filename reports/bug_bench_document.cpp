#include "reports/bug_bench.h"
#include "reports/json_text.h"
#include "scenarios/json/words.h"

namespace redeliver::reports {

namespace {

using scenarios::BugResult;
using scenarios::Hunting;
using scenarios::PlantedBug;

Json small_json(const Hunting& hunting) {
    if (!hunting.small) return Json();
    return {{"faults", hunting.small->faults},
            {"messages", hunting.small->messages},
            {"steps", hunting.small->steps}};
}

Json hunting_json(const Hunting& hunting) {
    const bool is_found = hunting.found > 0;
    return {{"strategy", hunting.hunter->name},
            {"repeats", hunting.repeats},
            {"found", hunting.found},
            {"median_trials", is_found ? Json(hunting.median_trials) : Json()},
            {"median_ms", is_found ? Json(hunting.median_milliseconds) : Json()},
            {"shrunk", small_json(hunting)}};
}

Json bug_json(const BugResult& result) {
    const PlantedBug& bug = *result.bug;
    Json all = {
        {"name", bug.name},
        {"mistake", bug.mistake},
        {"base", bug.base},
        {"given", bug.given},
        {"set", bug.planted},
        {"breaks", bug.breaks},
        {"needs", scenarios::json::words_of(bug.needs)[static_cast<std::size_t>(bug.needs)]},
        {"found", result.is_found()},
        {"shown_without_faults", result.shown_without_faults},
        {"shown_at_random", result.shown_at_random},
        {"broken_at_random", result.broken_at_random},
        {"strategies", Json::array()},
        {"complaints", result.complaints}};
    for (const Hunting& hunting : result.huntings)
        if (hunting.repeats > 0) all["strategies"].push_back(hunting_json(hunting));
    return all;
}

}  // namespace

std::string bug_bench_document(const scenarios::BugBench& bench) {
    Json document = {{"as_expected", bench.is_as_it_should_be()},
                     {"counted_seeds", bench.counted_seeds},
                     {"bugs", Json::array()},
                     {"complaints", bench.complaints}};
    for (const BugResult& result : bench.bugs) document["bugs"].push_back(bug_json(result));
    return json_text(document);
}

}  // namespace redeliver::reports
