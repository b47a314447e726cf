// What the database reports: what was committed, and what its unique keys absorbed.

#include <fmt/format.h>

#include "model/database/events.h"
#include "model/database/results.h"
#include "model/steps.h"
#include "reports/describe_kinds.h"

namespace redeliver::reports::kinds {

namespace {

using model::Accepted;
using model::DatabaseForgot;
using model::LeaseTaken;
using model::ReplyAbsorbed;
using model::ReplyStored;
using model::Status;
using model::StatusChanged;
using model::SubmissionAbsorbed;

std::string_view status_text(Status status) {
    switch (status) {
    case Status::none: return "none";
    case Status::pending: return "pending";
    case Status::running: return "running";
    case Status::done: return "done";
    case Status::failed: return "failed";
    }
    return "?";
}

void accepted(const Context& context, Line& line) {
    line.what = "INSERT run";
    line.detail =
        fmt::format("row stored: accepted, session {}", payload<Accepted>(context).session);
}

void submission_absorbed(const Context& context, Line& line) {
    line.what = "INSERT run";
    line.detail = fmt::format("absorbed: the key belongs to {}",
                              context.text(payload<SubmissionAbsorbed>(context).existing));
}

void status_changed(const Context& context, Line& line) {
    const auto& what = payload<StatusChanged>(context);
    line.what = "UPDATE run";
    line.detail = fmt::format("{} -> {}", status_text(what.from), status_text(what.to));
    if (const std::string reason = context.text(what.reason); !reason.empty())
        line.detail += ": " + reason;
}

void reply_stored(const Context& context, Line& line) {
    line.what = "INSERT reply";
    line.detail = fmt::format("stored, seq {}", payload<ReplyStored>(context).seq);
}

void reply_absorbed(const Context& context, Line& line) {
    line.what = "INSERT reply";
    line.detail =
        fmt::format("absorbed: seq {} is there already", payload<ReplyAbsorbed>(context).seq);
}

void lease_taken(const Context& context, Line& line) {
    const auto& what = payload<LeaseTaken>(context);
    line.what = "leases";
    line.detail = fmt::format("the lease is {}'s, token {}", context.text(what.owner), what.token);
}

std::string_view reason_text(std::uint32_t reason) {
    using Reason = model::database::RolledBack::Reason;
    switch (static_cast<Reason>(reason)) {
    case Reason::requested: return "as asked";
    case Reason::error: return "after an error";
    case Reason::disconnected: return "its client is gone";
    case Reason::server_lost: return "the server went down";
    }
    return "?";
}

void rolled_back(const Context& context, Line& line) {
    line.what = "ROLLBACK";
    line.detail = reason_text(payload<model::RolledBack>(context).reason);
}

void statement_failed(const Context& context, Line& line) {
    using model::database::SqlState;
    const auto state = static_cast<SqlState>(payload<model::StatementFailed>(context).state);
    line.what = "SQL error";
    line.detail = state <= SqlState::query_canceled ? fmt::format("{} {}", code(state), name(state))
                                                    : std::string{"?"};
}

std::string_view forgotten_text(DatabaseForgot::What what) {
    switch (what) {
    case DatabaseForgot::What::run: return "the row is gone";
    case DatabaseForgot::What::status: return "an older status is back";
    case DatabaseForgot::What::reply: return "the reply is gone";
    }
    return "?";
}

void database_forgot(const Context& context, Line& line) {
    const auto& what = payload<DatabaseForgot>(context);
    line.what = "database forgets";
    line.detail = forgotten_text(what.what);
    if (what.now != Status::none)
        line.detail += fmt::format("; the run is {}", status_text(what.now));
}

constexpr Interest everybody = Interest::everybody;

constexpr NumberedKind table[] = {
    {Accepted::kind, {accepted, Mark::none, everybody, 50}},
    {SubmissionAbsorbed::kind, {submission_absorbed, Mark::absorbed, everybody, 40}},
    {StatusChanged::kind, {status_changed, Mark::none, everybody, 72}},
    {ReplyStored::kind, {reply_stored, Mark::stored, everybody, 80}},
    {ReplyAbsorbed::kind, {reply_absorbed, Mark::absorbed, everybody, 60}},
    {LeaseTaken::kind, {lease_taken, Mark::none, everybody, 68}},
    {model::RolledBack::kind, {rolled_back, Mark::lost, everybody, 65}},
    {model::StatementFailed::kind, {statement_failed, Mark::lost, everybody, 66}},
    {DatabaseForgot::kind, {database_forgot, Mark::forgot, everybody, 95}},
};

}  // namespace

const Kind* find_database_kind(sim::StepKind kind) { return find_kind(table, kind); }

}  // namespace redeliver::reports::kinds
