#include "scenarios/cast/told.h"

#include "scenarios/orders.h"

namespace redeliver::scenarios {

bool ToldUser::understands(std::string_view words) const {
    return orders::resubmissions_in(words).has_value();
}

bool ToldUser::obey(std::string_view words, sim::Duration) {
    const std::uint32_t times = orders::resubmissions_in(words).value_or(0);
    bool has_any = false;
    for (const Message* const message : messages_) {
        if (message->at > world_.now()) continue;
        has_any = true;
        for (std::uint32_t each = 0; each < times; ++each)
            world_.spawn(node_, [&stage = stage_, message](sim::Process& self) {
                run_user(self, stage, {message});
            });
    }
    return has_any;
}

bool ToldWorker::understands(std::string_view words) const {
    return words == orders::restart_renamed;
}

bool ToldWorker::obey(std::string_view, sim::Duration lasts) {
    const auto index = static_cast<std::size_t>(node_);
    if (stage_.deployments.size() <= index) stage_.deployments.resize(index + 1);
    ++stage_.deployments[index];
    world_.crash_soon(node_, {.of = sim::CrashOf::process, .restart_after = lasts});
    return true;
}

}  // namespace redeliver::scenarios
