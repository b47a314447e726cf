#include "tests/conformance/struck_script.h"

#include <algorithm>

#include <fmt/format.h>

#include "tests/conformance/draw.h"
#include "tests/conformance/generate.h"
#include "tests/conformance/reply_frame.h"

namespace redeliver::conformance {
namespace {

/// A key that is born expired is propagated once more whenever the server comes to look at it. That
/// moment is not ours to predict, and neither is the number of records.
bool may_be_born_expired(const Words& words) {
    return std::any_of(words.begin(), words.end(), [](const std::string& word) {
        return equals_ignoring_case(word, "EXAT") || equals_ignoring_case(word, "PXAT");
    });
}

std::vector<Step> one_command_each(const std::vector<Step>& steps) {
    std::vector<Step> apart;
    for (const Step& step : steps) {
        const auto* const send = std::get_if<Send>(&step);
        if (!send) {
            apart.push_back(step);
            continue;
        }
        for (const Words& words : send->burst)
            if (!may_be_born_expired(words)) apart.push_back(Send{send->connection, {words}});
    }
    return apart;
}

}  // namespace

StruckScript struck_script(std::uint64_t seed) {
    rc::Random random(seed);
    const rc::Random for_script = random.split();
    Draw draw(random);
    Script script = scripts()(for_script).value();
    script.steps.pop_back();  // The observer's questions.
    script.steps = one_command_each(script.steps);
    const auto most = static_cast<std::int64_t>(script.steps.size());
    script.steps.resize(static_cast<std::size_t>(draw.between(most / 4, most)));
    return {std::move(script), draw.below(1ull << 32)};
}

std::string describe(const Script& script, const Difference& difference) {
    std::string request;
    for (const std::string& word : difference.request)
        request += (request.empty() ? "" : " ") + quoted(word);
    return fmt::format("step {} of {}, connection {}: {}\n  model  {}\n  server {}\n\n{}",
                       difference.step + 1, script.steps.size(), difference.connection, request,
                       readable(difference.modelled), readable(difference.reference),
                       as_shell(script));
}

}  // namespace redeliver::conformance
