#include "reports/hits.h"

#include <fmt/format.h>

#include "reports/columns.h"
#include "reports/words.h"
#include "scenarios/fault_kinds.h"

namespace redeliver::reports {

namespace {

using scenarios::FaultKindInfo;
using scenarios::Hits;
using scenarios::Phase;

const Hits* hits_of(const scenarios::Exploration& result, scenarios::FaultKind kind, Phase phase) {
    const auto found = result.hits.find({kind, phase});
    return found == result.hits.end() ? nullptr : &found->second;
}

bool is_drawn(const scenarios::Exploration& result, scenarios::FaultKind kind) {
    for (const Phase phase : scenarios::all_phases())
        if (hits_of(result, kind, phase) != nullptr) return true;
    return false;
}

}  // namespace

std::string hits_text(const scenarios::Exploration& result, const Look& look) {
    if (result.hits.empty()) return {};
    std::vector<Column> layout = {{}};
    layout.resize(scenarios::all_phases().size() + 1, Column{.align = Align::right});
    Columns table(layout);
    std::vector<Cell> heading = {{"fault", Tone::faint}};
    for (const Phase phase : scenarios::all_phases())
        heading.push_back({std::string(scenarios::text(phase)), Tone::faint});
    table.add(heading);
    for (const FaultKindInfo& info : scenarios::fault_kinds()) {
        if (!is_drawn(result, info.kind)) continue;
        std::vector<Cell> row = {{std::string(info.name)}};
        for (const Phase phase : scenarios::all_phases()) {
            const Hits* const hits = hits_of(result, info.kind, phase);
            row.push_back(hits == nullptr
                              ? Cell{".", Tone::faint}
                              : Cell{grouped(hits->effective),
                                     hits->effective == 0 ? Tone::uncertain : Tone::plain});
        }
        table.add(row);
    }
    return painted(Tone::strong, "effective hits", look) +
           " (faults because of which the state was otherwise; . cannot be drawn)\n" +
           table.render(look) + "\n";
}

Json hits_json(const scenarios::Exploration& result) {
    Json all = Json::array();
    for (const auto& [what, hits] : result.hits)
        all.push_back({{"fault", scenarios::info_of(what.first).name},
                       {"phase", scenarios::text(what.second)},
                       {"drawn", hits.drawn},
                       {"struck", hits.struck},
                       {"effective", hits.effective}});
    return all;
}

std::vector<std::string> too_few_hits(const scenarios::Exploration& result, std::uint64_t least) {
    if (result.hits.empty()) return {"the story draws no faults whose hits could be counted"};
    std::vector<std::string> sentences;
    for (const auto& [what, hits] : result.hits)
        if (hits.effective < least)
            sentences.push_back(
                fmt::format("{} {} {} had {}, fewer than {}", scenarios::info_of(what.first).name,
                            what.second ? "at" : "at an", scenarios::text(what.second),
                            counted(hits.effective, "effective hit"), grouped(least)));
    return sentences;
}

}  // namespace redeliver::reports
