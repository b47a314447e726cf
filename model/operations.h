#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/operation.h"

/// What actors do, as plans and timelines name it.
namespace redeliver::model {

/// Every kind of operation. Commands are named as their protocol names them; two uses of one
/// command that a plan must be able to tell apart are two operations.
enum class Operation : sim::OperationKind {
    none,
    submit,          ///< A user's request to a gateway.
    xadd,            ///< The run's id is published.
    xadd_dead,       ///< A message is added to the dead-letter stream.
    xreadgroup,      ///< XREADGROUP with `>`.
    xreadgroup_own,  ///< XREADGROUP with an id: one's own pending entries.
    xack,
    xautoclaim,
    xclaim,
    xpending,  ///< The delivery count of one entry, or a page of the pending list.
    xlen,
    xinfo,
    xtrim,
    xgroup_create,
    xgroup_delconsumer,
    watch,
    exec,    ///< MULTI, the queued commands and EXEC, sent together.
    set_nx,  ///< SET NX PX: a mark before the work.
    del,
    begin,
    commit,
    rollback,
    insert_run,  ///< Gate one.
    select_run,
    select_stale,  ///< The republisher's poll.
    mark_running,
    mark_done,
    mark_failed,
    insert_reply,  ///< Gate two.
    select_reply,
    work,
    insert_outbox,  ///< What is to be published, beside the run.
    select_outbox,  ///< A relay's poll.
    delete_outbox,
    insert_mark,  ///< Into processed_messages.
    select_mark,
    insert_lease,
    take_over_lease,  ///< An expired one.
    select_lease
};

inline constexpr std::size_t operation_count =
    static_cast<std::size_t>(Operation::select_lease) + 1;

/// `XACK`, `INSERT run`, `work`.
std::string_view text(Operation operation);

/// All texts in the order of their numbers, as a world wants them.
std::vector<std::string> operation_texts();

constexpr sim::OperationKind number(Operation operation) {
    return static_cast<sim::OperationKind>(operation);
}

}  // namespace redeliver::model
