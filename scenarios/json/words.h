#pragma once

#include <span>
#include <string_view>

#include "model/steps.h"
#include "properties/property.h"
#include "scenarios/bugs/planted_bug.h"
#include "scenarios/policies.h"
#include "scenarios/scenario.h"
#include "sim/fault.h"
#include "sim/happenings.h"
#include "sim/operation.h"

/// How JSON spells the enumerations of a scenario: always the enumerator's own name, in the order
/// of the enumerators, so that a position is the number.
namespace redeliver::scenarios::json {

using Words = std::span<const std::string_view>;

/// The words of the argument's type; its value does not matter.
Words words_of(RetryKey);
Words words_of(PublishOrder);
Words words_of(AcknowledgePolicy);
Words words_of(ThresholdUnit);
Words words_of(ClaimPolicy);
Words words_of(Deduplicate);
Words words_of(MarkDone);
Words words_of(ShortCircuit);
Words words_of(OnFailure);
Words words_of(JudgePoison);
Words words_of(PoisonActions);
Words words_of(StatusChanges);
Words words_of(ConsumerNames);
Words words_of(OnStart);
Words words_of(CommitUnit);
Words words_of(LockOrder);
Words words_of(GiveBack);
Words words_of(OutboxRemoval);
Words words_of(OutboxLock);
Words words_of(Republish);
Words words_of(Prune);
Words words_of(TrimPolicy);
Words words_of(Appendfsync);
Words words_of(UniqueKey);
Words words_of(SynchronousCommit);
Words words_of(Replication);
Words words_of(FaultKind);
Words words_of(model::Content);
Words words_of(sim::CrashOf);
Words words_of(sim::Point);
Words words_of(sim::Ways);
Words words_of(properties::Terms::Excuse);
Words words_of(Needs);

}  // namespace redeliver::scenarios::json
