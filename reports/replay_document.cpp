#include <algorithm>

#include "model/steps.h"
#include "reports/describe.h"
#include "reports/document_words.h"
#include "reports/documents.h"
#include "reports/faults.h"
#include "reports/json_text.h"
#include "reports/state_tables.h"
#include "reports/why.h"
#include "reports/words.h"
#include "scenarios/build_info.h"

namespace redeliver::reports {

namespace {

using scenarios::Recording;

std::int64_t microseconds(sim::Instant instant) { return instant.time_since_epoch().count(); }

Json step_or_null(sim::StepNumber number) { return number == sim::no_step ? Json() : Json(number); }

Json step_json(const Recording& recording, const sim::Step& step) {
    const Line line = describe(recording, step);
    return {{"number", step.number},
            {"at_us", microseconds(step.at)},
            {"kind", model::kind_text(step.kind)},
            {"actor", line.who},
            {"incarnation", step.incarnation},
            {"subject", recording.text(step.subject)},
            {"cause", step_or_null(step.cause)},
            {"previous", step_or_null(step.previous)},
            {"what", line.what},
            {"about", line.about},
            {"how", line.detail}};
}

Json verdict_json(const Trial& trial, const scenarios::PromiseVerdict& promise) {
    const properties::Verdict& verdict = promise.verdict;
    Json json = {{"promise", promise.name},
                 {"verdict", properties::text(verdict.holds)},
                 {"excused", verdict.excused}};
    if (verdict.holds != properties::Holds::violated) return json;
    const Recording& recording = *trial.result.recording;
    json["step"] = step_or_null(verdict.step);
    json["at_us"] = microseconds(verdict.at);
    json["subject"] = recording.text(verdict.subject);
    json["evidence"] = verdict.evidence;
    json["why"] = why(recording, verdict);
    return json;
}

Json fault_json(const Trial& trial, std::uint32_t fault) {
    const bool inert = std::ranges::count(trial.result.inert_faults, fault) > 0;
    return {
        {"number", fault + 1}, {"text", fault_text(trial.plan.faults[fault])}, {"fired", !inert}};
}

Json divergence_json(const std::optional<scenarios::Divergence>& divergence) {
    if (!divergence) return {};
    return {{"first_step", divergence->first}, {"is_exact", divergence->is_exact}};
}

std::string_view word(Change change) {
    switch (change) {
    case Change::same: return "same";
    case Change::added: return "added";
    case Change::removed: return "removed";
    case Change::changed: return "changed";
    }
    return "?";
}

Json row_json(const StateTable& table, const StateRow& row) {
    Json json = {{"change", word(row.change)}, {"values", Json::object()}};
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
        json["values"][table.columns[i]] = row.cells[i].text;
        if (row.cells[i].was) json["was"][table.columns[i]] = *row.cells[i].was;
    }
    return json;
}

}  // namespace

std::string replay_document(const Trial& trial,
                            const std::optional<scenarios::Divergence>& divergence) {
    const auto& result = trial.result;
    const Judgement judgement = judge(trial);
    Json document = {{"story", trial.scenario.name},
                     {"seed", trial.seed},
                     {"outcome", document_word(judgement.outcome)},
                     {"complaints", judgement.complaints},
                     {"fingerprint", fingerprint_text(result.fingerprint)},
                     {"diverges", divergence_json(divergence)},
                     {"ending", document_word(result.ending)},
                     {"end_us", microseconds(result.end)}};
    document["faults"] = Json::array();
    for (std::uint32_t fault = 0; fault < trial.plan.faults.size(); ++fault)
        document["faults"].push_back(fault_json(trial, fault));
    document["verdicts"] = Json::array();
    for (const auto& promise : result.verdicts)
        document["verdicts"].push_back(verdict_json(trial, promise));
    document["totals"] = Json::object();
    for (const scenarios::Total& total : result.totals)
        document["totals"][std::string(total.name)] = total.value;
    document["reached"] = Json::object();
    for (const scenarios::ReachedPath& path : result.reached)
        document["reached"][std::string(path.name)] = path.count;
    document["steps"] = Json::array();
    for (const sim::Step& step : result.recording->steps)
        document["steps"].push_back(step_json(*result.recording, step));
    return json_text(document);
}

std::string state_document(const scenarios::StateChange& change) {
    Json document = {{"step", step_json(change.texts, change.step)},
                     {"before_is_after_step", step_or_null(change.before.after)},
                     {"tables", Json::array()}};
    for (const StateTable& table : state_tables(change)) {
        Json rows = Json::array();
        for (const StateRow& row : table.rows) rows.push_back(row_json(table, row));
        document["tables"].push_back(
            {{"title", table.title}, {"columns", table.columns}, {"rows", std::move(rows)}});
    }
    return json_text(document);
}

}  // namespace redeliver::reports
