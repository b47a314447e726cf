// Which command an answer counts for.

#include "model/redis/resp/endpoint.h"
#include "sim/ensure.h"

namespace redeliver::model::redis::resp {
namespace {

bool is_refused_before_execution(const Connection& connection, const Reply& reply) {
    const auto why = refusal(reply);
    return connection.fate == Connection::Fate::refused_at_once || why == Refusal::out_of_memory ||
           why == Refusal::read_only;
}

}  // namespace

/// A queued command counts when EXEC executes it.
void Endpoint::count(Connection& connection, const Reply& reply) {
    Statistics& statistics = process_->statistics;
    const std::string& command = connection.command;
    if (std::holds_alternative<Queued>(reply)) {
        sim::ensure(connection.queued.has_value(), "commands are queued in a transaction");
        connection.queued->push_back(command);
        return;
    }
    if (command.empty()) {
        if (const auto text = error_text(reply)) statistics.error(*text);
        return;
    }
    if (is_refused_before_execution(connection, reply)) return statistics.rejected(command, reply);
    if (const auto* const replies = std::get_if<Array>(&reply); replies && command == "exec") {
        sim::ensure(connection.queued && connection.queued->size() == replies->elements.size(),
                    "EXEC answers every command that was queued");
        for (std::size_t i = 0; i < replies->elements.size(); ++i)
            statistics.executed((*connection.queued)[i], replies->elements[i]);
    }
    statistics.executed(command, reply);
}

}  // namespace redeliver::model::redis::resp
