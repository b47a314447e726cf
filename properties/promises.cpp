#include <array>

#include "properties/exactly_one_reply.h"
#include "properties/known_runs.h"
#include "properties/no_acknowledgement_before_effect.h"
#include "properties/no_run_lost.h"
#include "properties/no_user_gives_up.h"
#include "properties/nothing_healthy_is_dead_lettered.h"
#include "properties/one_run_per_intention.h"
#include "properties/pending_list_drains.h"
#include "properties/poison_is_isolated.h"
#include "properties/property.h"
#include "properties/replies_keep_session_order.h"
#include "properties/stream_growth_is_bounded.h"
#include "properties/work_is_executed_once.h"

namespace redeliver::properties {

namespace {

using Make = std::unique_ptr<Property> (*)(const Terms&);

template <class P>
std::unique_ptr<Property> make(const Terms& terms) {
    return std::make_unique<P>(terms);
}

/// Every promise there is, the four of the headline first.
constexpr std::array<Make, 13> makers = {
    &make<ExactlyOneReply>,
    &make<NoRunLost>,
    &make<PoisonIsIsolated>,
    &make<RepliesKeepSessionOrder>,
    &make<NothingHealthyIsDeadLettered>,
    &make<WorkIsExecutedOnce>,
    &make<PendingListDrains>,
    &make<StreamGrowthIsBounded>,
    &make<NoAcknowledgementBeforeEffect>,
    &make<OneRunPerIntention>,
    &make<AnsweredRunsExist>,
    &make<PublishedRunsExist>,
    &make<NoUserGivesUp>,
};

std::vector<PromiseInfo> ask_all() {
    std::vector<PromiseInfo> infos;
    for (const Make make : makers) {
        const auto property = make({});  // Name and sentence outlive it: they are literals.
        infos.push_back({property->name(), property->promise()});
    }
    return infos;
}

}  // namespace

const std::vector<PromiseInfo>& promises() {
    static const std::vector<PromiseInfo> all = ask_all();
    return all;
}

std::unique_ptr<Property> make_property(std::string_view name, const Terms& terms) {
    const auto& all = promises();
    for (std::size_t index = 0; index < all.size(); ++index)
        if (all[index].name == name) return makers[index](terms);
    return nullptr;
}

}  // namespace redeliver::properties
