#include "reports/documents.h"
#include "reports/json_text.h"
#include "scenarios/build_info.h"
#include "scenarios/fault_kinds.h"

namespace redeliver::reports {

std::string stories_document(const std::vector<scenarios::Scenario>& stories) {
    Json list = Json::array();
    for (const scenarios::Scenario& story : stories) {
        list.push_back(
            {{"name", story.name},
             {"story", story.story},
             {"seeds", story.seeds},
             {"holds", story.expect.holds},
             {"breaks", story.expect.breaks},
             {"reaches", story.expect.reaches},
             {"repaired_by", story.repaired_by ? Json(story.repaired_by->scenario) : Json()}});
    }
    return json_text({{"stories", std::move(list)}});
}

std::string entries_document(std::string_view key, const std::vector<Entry>& entries) {
    Json list = Json::array();
    for (const Entry& entry : entries)
        list.push_back({{"name", entry.name}, {"sentence", entry.sentence}});
    Json document = Json::object();
    document[std::string(key)] = std::move(list);
    return json_text(document);
}

std::string faults_document() {
    Json list = Json::array();
    for (const scenarios::FaultKindInfo& info : scenarios::fault_kinds()) {
        Json phases = Json::array();
        for (const scenarios::Phase phase : info.phases) phases.push_back(scenarios::text(phase));
        list.push_back({{"name", info.name},
                        {"sentence", info.sentence},
                        {"parameters", info.parameters},
                        {"written_as", info.written_as},
                        {"phases", std::move(phases)},
                        {"story", info.story}});
    }
    return json_text({{"faults", std::move(list)}});
}

std::string version_document() {
    const scenarios::BuildInfo& build = scenarios::build_info();
    return json_text({{"version", build.version},
                      {"commit", build.commit},
                      {"compiler", build.compiler},
                      {"build_type", build.build_type}});
}

}  // namespace redeliver::reports
