// How a command reaches its execution: transactions, refusals, and who hears of it.

#include <functional>
#include <type_traits>
#include <utility>

#include "model/redis/access.h"
#include "model/redis/server_state.h"
#include "sim/ensure.h"

namespace redeliver::model::redis {
namespace {

template <typename Type>
constexpr bool is_control =
    std::is_same_v<Type, Watch> || std::is_same_v<Type, Unwatch> || std::is_same_v<Type, Multi> ||
    std::is_same_v<Type, Exec> || std::is_same_v<Type, Discard>;

/// What a command answers inside a transaction, where nothing may wait: a blocking read that finds
/// nothing behaves like one whose time is up.
struct AnswerAtOnce {
    Call& call;
    std::function<Reply(const Hosted&)> host;

    Reply operator()(const Xread& command) const {
        return redis::execute(call, command).value_or(NilArray{});
    }
    Reply operator()(const Xreadgroup& command) const {
        return redis::execute(call, command).value_or(NilArray{});
    }
    /// The session's watches ended with EXEC.
    Reply operator()(const Unwatch&) const { return Ok{}; }
    Reply operator()(const Hosted& command) const { return host(command); }

    template <typename Other>
    Reply operator()(const Other& command) const {
        if constexpr (is_control<Other>)
            sim::fail_harness("transactions do not nest", std::source_location::current());
        else
            return redis::execute(call, command);
    }
};

}  // namespace

/// One command outside a transaction.
struct Server::State::Perform {
    State& state;
    SessionId session;
    sim::WallTime now;
    Output& out;

    void operator()(const Multi&) const { state.begin_transaction(session, out); }
    void operator()(const Exec&) const {
        out.replies.push_back({session, Refused{Refusal::exec_without_multi}});
    }
    void operator()(const Discard&) const {
        out.replies.push_back({session, Refused{Refusal::discard_without_multi}});
    }
    void operator()(const Watch& command) const {
        for (const std::string& key : command.keys) state.watched.watch(session, key);
        out.replies.push_back({session, Ok{}});
    }
    void operator()(const Unwatch&) const {
        state.watched.unwatch(session);
        out.replies.push_back({session, Ok{}});
    }
    void operator()(const Hosted& command) const {
        Reply reply = state.answer_as_host(session, command, now, out);
        out.replies.push_back({session, std::move(reply)});
    }
    void operator()(const Flawed& command) const {
        if (command.noticed == Flawed::Noticed::at_once_by_exec) state.watched.unwatch(session);
        Call call = state.call_by(session, now, out);
        out.replies.push_back({session, redis::execute(call, command)});
    }
    void operator()(const Xread& command) const { read(command); }
    void operator()(const Xreadgroup& command) const { read(command); }

    template <typename Other>
    void operator()(const Other& command) const {
        Call call = state.call_by(session, now, out);
        out.replies.push_back({session, redis::execute(call, command)});
        state.record(now);
    }

    template <typename Read>
    void read(const Read& command) const {
        Call call = state.call_by(session, now, out);
        auto reply = redis::execute(call, command);
        state.record(now);
        if (!reply && command.block) return state.block(session, command, now);
        out.replies.push_back({session, reply ? std::move(*reply) : Reply(NilArray{})});
    }
};

Call Server::State::call_by(SessionId session, sim::WallTime now, Output& out) {
    return {.keys = keys,
            .names = names,
            .configuration = configuration,
            .now = to_millis(now),
            .session = session,
            .watched = &watched,
            .blocked = &blocked,
            .events = &out.events,
            .log = journal ? &logged : nullptr};
}

Reply Server::State::answer_as_host(SessionId session, const Hosted& command, sim::WallTime now,
                                    Output& out) {
    sim::ensure(static_cast<bool>(host), "who submits hosted commands answers them");
    return host(session, command, now, out);
}

void Server::State::record(sim::WallTime now) {
    if (logged.empty()) return;
    journal->append(now, std::exchange(logged, {}), names);
}

std::optional<Refusal> Server::State::why_not(const Command& command) const {
    if (role == Role::replica && is_write(command)) return Refusal::read_only;
    if (configuration.memory_limit && may_grow_memory(command) &&
        keys.payload_bytes() > *configuration.memory_limit)
        return Refusal::out_of_memory;
    return std::nullopt;
}

void Server::State::perform(SessionId session, const Command& command, sim::WallTime now,
                            Output& out) {
    if (!sessions.empty()) {
        const auto known = sessions.find(session);
        if (known != sessions.end() && known->second.transaction) {
            if (std::holds_alternative<Exec>(command))
                execute_transaction(session, now, out);
            else if (std::holds_alternative<Discard>(command))
                discard_transaction(session, out);
            else
                queue(session, *known->second.transaction, command, out);
            return;
        }
    }
    if (const auto why = why_not(command)) {
        out.replies.push_back({session, Refused{*why}});
        return;
    }
    std::visit(Perform{*this, session, now, out}, command);
}

void Server::State::queue(SessionId session, Transaction& transaction, const Command& command,
                          Output& out) {
    // These two are refused without harm to the transaction.
    if (std::holds_alternative<Multi>(command)) {
        out.replies.push_back({session, Refused{Refusal::nested_multi}});
    } else if (std::holds_alternative<Watch>(command)) {
        out.replies.push_back({session, Refused{Refusal::watch_inside_multi}});
    } else if (const auto* const flawed = std::get_if<Flawed>(&command);
               flawed && flawed->noticed != Flawed::Noticed::when_executed) {
        transaction.health = Transaction::Health::broken;
        if (flawed->noticed == Flawed::Noticed::at_once_by_exec) end_transaction(session);
        out.replies.push_back({session, Refused{Refusal::as_worded, flawed->error}});
    } else if (const auto why = why_not(command)) {
        transaction.health = Transaction::Health::broken;
        out.replies.push_back({session, Refused{*why}});
    } else {
        transaction.queued.push_back(command);
        out.replies.push_back({session, Queued{}});
    }
}

void Server::State::begin_transaction(SessionId session, Output& out) {
    sessions[session].transaction.emplace();
    out.replies.push_back({session, Ok{}});
}

void Server::State::end_transaction(SessionId session) {
    sessions.at(session).transaction.reset();
    watched.unwatch(session);
    forget_if_idle(session);
}

void Server::State::discard_transaction(SessionId session, Output& out) {
    end_transaction(session);
    out.replies.push_back({session, Ok{}});
}

void Server::State::execute_transaction(SessionId session, sim::WallTime now, Output& out) {
    const Transaction transaction = std::move(*sessions.at(session).transaction);
    sessions.at(session).transaction.reset();
    const bool watch_broken = watched.is_broken(session);
    watched.unwatch(session);
    forget_if_idle(session);

    const bool was_broken = transaction.health == Transaction::Health::broken;
    if (was_broken || watch_broken) {
        out.replies.push_back(
            {session, was_broken ? Reply(Refused{Refusal::exec_aborted}) : Reply(NilArray{})});
        return;
    }
    Array replies;
    Call call = call_by(session, now, out);
    const AnswerAtOnce answer{.call = call, .host = [&](const Hosted& command) {
                                  return answer_as_host(session, command, now, out);
                              }};
    for (const Command& command : transaction.queued)
        replies.elements.push_back(std::visit(answer, command));
    record(now);
    out.replies.push_back({session, std::move(replies)});
}

void Server::State::forget_if_idle(SessionId session) {
    const auto known = sessions.find(session);
    if (known != sessions.end() && known->second.is_idle()) sessions.erase(known);
}

}  // namespace redeliver::model::redis
