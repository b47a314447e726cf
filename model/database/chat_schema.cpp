#include "model/database/chat_schema.h"

#include "sim/ensure.h"

namespace redeliver::model::database::chat {

namespace {

Table runs_table(Options::Key unique_idempotency_key) {
    Table table = {
        .name = "runs",
        .columns = {{.name = "run_id"},
                    {.name = "idempotency_key", .type = Type::text},
                    {.name = "session_id"},
                    {.name = "status"},
                    {.name = "reason", .type = Type::text, .nullable = Nullable::yes},
                    {.name = "created_at"},
                    {.name = "worker", .type = Type::text, .nullable = Nullable::yes},
                    {.name = "claimed_at", .nullable = Nullable::yes}},
        .unique_keys = {{.name = "runs_pkey",
                         .columns = {run::run_id},
                         .kind = UniqueKey::Kind::primary}},
        .indexes = {{.name = "runs_status_created_at_idx",
                     .columns = {run::status, run::created_at}}},
    };
    if (unique_idempotency_key == Options::Key::present)
        table.unique_keys.push_back(
            {.name = "runs_idempotency_key_key", .columns = {run::idempotency_key}});
    return table;
}

Table messages_table(Options::Key unique_reply) {
    Table table = {
        .name = "messages",
        .columns = {{.name = "message_id"},
                    {.name = "run_id"},
                    {.name = "seq"},
                    {.name = "session_id"},
                    {.name = "body", .type = Type::text}},
        .unique_keys = {{.name = "messages_pkey",
                         .columns = {message::message_id},
                         .kind = UniqueKey::Kind::primary}},
    };
    if (unique_reply == Options::Key::present)
        table.unique_keys.push_back(
            {.name = "messages_run_id_seq_key", .columns = {message::run_id, message::seq}});
    return table;
}

Table outbox_table() {
    return {.name = std::string{outbox::table},
            .columns = {{.name = "run_id"}, {.name = "session_id"}, {.name = "created_at"}},
            .unique_keys = {{.name = "outbox_pkey",
                             .columns = {outbox::run_id},
                             .kind = UniqueKey::Kind::primary}},
            .indexes = {{.name = "outbox_created_at_idx", .columns = {outbox::created_at}}}};
}

Table processed_messages_table() {
    return {.name = std::string{processed::table},
            .columns = {{.name = "run_id"}, {.name = "processed_at"}},
            .unique_keys = {{.name = "processed_messages_pkey",
                             .columns = {processed::run_id},
                             .kind = UniqueKey::Kind::primary}}};
}

Table leases_table() {
    return {
        .name = std::string{lease::table},
        .columns = {{.name = "run_id"},
                    {.name = "owner", .type = Type::text},
                    {.name = "token"},
                    {.name = "expires_at"}},
        .unique_keys = {
            {.name = "leases_pkey", .columns = {lease::run_id}, .kind = UniqueKey::Kind::primary}}};
}

}  // namespace

std::string_view name(RunStatus status) {
    switch (status) {
    case RunStatus::pending: return "pending";
    case RunStatus::running: return "running";
    case RunStatus::done: return "done";
    case RunStatus::failed: return "failed";
    }
    sim::ensure(false, "a run's status is one of the four");
    return {};
}

Schema schema(Options options) {
    Schema schema{.tables = {runs_table(options.unique_idempotency_key),
                             messages_table(options.unique_reply)}};
    if (options.outbox == Options::Has::yes) schema.tables.push_back(outbox_table());
    if (options.processed_messages == Options::Has::yes)
        schema.tables.push_back(processed_messages_table());
    if (options.leases == Options::Has::yes) schema.tables.push_back(leases_table());
    return schema;
}

OptionalTables optional_tables(const Schema& schema) {
    return {.outbox = schema.find_table(outbox::table),
            .processed_messages = schema.find_table(processed::table),
            .leases = schema.find_table(lease::table)};
}

}  // namespace redeliver::model::database::chat
