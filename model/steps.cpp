#include <array>
#include <string_view>

#include "model/steps.h"

namespace redeliver::model {

namespace {

constexpr std::array<std::string_view, last_kind + 1> texts = {"",
                                                               "FaultFired",
                                                               "Crashed",
                                                               "Cut",
                                                               "Restarted",
                                                               "Paused",
                                                               "Resumed",
                                                               "Sent",
                                                               "Replied",
                                                               "Arrived",
                                                               "Lost",
                                                               "Refused",
                                                               "Dropped",
                                                               "ConnectionReset",
                                                               "Partitioned",
                                                               "PartitionHealed",
                                                               "ClockStepped",
                                                               "FailedOver",
                                                               "Slowed",
                                                               "Healed",
                                                               "Concluded",
                                                               "AnsweredNobody",
                                                               "Stalled",
                                                               "Disturbed",
                                                               "Submitted",
                                                               "Answered",
                                                               "GaveUp",
                                                               "Accepted",
                                                               "SubmissionAbsorbed",
                                                               "StatusChanged",
                                                               "ReplyStored",
                                                               "ReplyAbsorbed",
                                                               "RolledBack",
                                                               "DatabaseForgot",
                                                               "Added",
                                                               "Delivered",
                                                               "Reread",
                                                               "Claimed",
                                                               "Acknowledged",
                                                               "EntryRemoved",
                                                               "PendingDropped",
                                                               "DeadLettered",
                                                               "ConsumerDeleted",
                                                               "BrokerForgot",
                                                               "WorkStarted",
                                                               "WorkFinished",
                                                               "Judged",
                                                               "Decided",
                                                               "ShortCircuited",
                                                               "RunUnknown",
                                                               "KeptOut",
                                                               "LeaseTaken",
                                                               "StatementFailed"};
static_assert(texts.back() == "StatementFailed");

}  // namespace

std::string_view kind_text(StepKind kind) { return kind < texts.size() ? texts[kind] : ""; }

}  // namespace redeliver::model
