#include "reports/documents.h"
#include "reports/json_text.h"
#include "scenarios/build_info.h"

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

std::string version_document() {
    const scenarios::BuildInfo& build = scenarios::build_info();
    return json_text({{"version", build.version},
                      {"commit", build.commit},
                      {"compiler", build.compiler},
                      {"build_type", build.build_type}});
}

}  // namespace redeliver::reports
