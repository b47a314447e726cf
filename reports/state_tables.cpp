#include "reports/state_tables.h"

#include <fmt/format.h>

#include "model/database/chat_schema.h"
#include "model/redis/entry_id.h"
#include "reports/plain_tables.h"
#include "reports/words.h"

namespace redeliver::reports {

namespace {

namespace redis = model::redis;
namespace database = model::database;
using scenarios::Recording;
using scenarios::StateSnapshot;
using Counts = PlainTable::Counts;

std::string since_start(sim::WallTime time, Precision precision) {
    const sim::Duration since = time - sim::wall_start;
    if (since < sim::Duration{0}) return length(since);
    return moment(sim::at(since), precision);
}

/// The broker keeps milliseconds.
std::string since_start(redis::WallMillis time) {
    return since_start(sim::WallTime{time}, Precision::milliseconds);
}

std::string or_unknown(const std::optional<std::int64_t>& number) {
    return number ? std::to_string(*number) : "unknown";
}

// ------------------------------------------------------------------ the broker

std::string body_text(const redis::Body& body) {
    std::string text;
    for (std::size_t i = 0; i < body.size(); ++i)
        text += fmt::format("{}{}={}", i == 0 ? "" : " ", body.field(i), body.value(i));
    return text;
}

PlainTable entries_table(const std::string& key, const redis::StreamSnapshot& stream) {
    PlainTable table{fmt::format("stream {}", key), {{"id"}, {"fields"}}};
    for (const redis::Entry& entry : stream.entries)
        table.rows.push_back({to_string(entry.id), body_text(entry.body)});
    return table;
}

PlainTable groups_table(const std::string& key, const redis::StreamSnapshot& stream) {
    PlainTable table{fmt::format("groups of {}", key),
                     {{"group"}, {"last delivered"}, {"read"}, {"lag"}, {"pending"}}};
    for (const redis::GroupSnapshot& group : stream.groups)
        table.rows.push_back({group.name, to_string(group.last_delivered_id),
                              or_unknown(group.entries_read), or_unknown(group.lag),
                              std::to_string(group.pending.size())});
    return table;
}

std::string idle_text(const redis::PendingSnapshot& row, Idle idle) {
    if (idle == Idle::length) return length(row.idle_time);
    const sim::Duration since = sim::WallTime{row.delivered_at} - sim::wall_start;
    return std::to_string(std::chrono::floor<std::chrono::milliseconds>(since).count());
}

PlainTable pending_table(const std::string& key, const redis::GroupSnapshot& group, Idle idle) {
    PlainTable table{
        fmt::format("pending list of {} in {}", group.name, key),
        {{"id"}, {"consumer"}, {"deliveries"}, {"delivered at"}, {"idle", Counts::no}}};
    for (const redis::PendingSnapshot& row : group.pending)
        table.rows.push_back({to_string(row.id), row.consumer, std::to_string(row.delivery_count),
                              since_start(row.delivered_at), idle_text(row, idle)});
    return table;
}

PlainTable consumers_table(const std::string& key, const redis::GroupSnapshot& group) {
    PlainTable table{fmt::format("consumers of {} in {}", group.name, key),
                     {{"consumer"}, {"pending"}, {"seen at", Counts::no}}};
    for (const redis::ConsumerSnapshot& consumer : group.consumers)
        table.rows.push_back(
            {consumer.name, std::to_string(consumer.pending), since_start(consumer.seen_at)});
    return table;
}

void add_broker(const redis::Snapshot& broker, Idle idle, std::vector<PlainTable>& tables) {
    for (const auto& [key, stream] : broker.streams) {
        tables.push_back(entries_table(key, stream));
        if (!stream.groups.empty()) tables.push_back(groups_table(key, stream));
        for (const redis::GroupSnapshot& group : stream.groups) {
            tables.push_back(pending_table(key, group, idle));
            tables.push_back(consumers_table(key, group));
        }
    }
    if (broker.strings.empty()) return;
    PlainTable keys{"keys", {{"key"}, {"value"}, {"expires at"}}};
    for (const auto& [key, text] : broker.strings)
        keys.rows.push_back(
            {key, text.value, text.expires_at ? since_start(*text.expires_at) : "never"});
    tables.push_back(keys);
}

// ------------------------------------------------------------------ the database

/// A field as its column means it: runs by their names, statuses as words, instants since the
/// beginning.
std::string field_text(const Recording& texts, const std::string& column,
                       const database::Value& value) {
    if (value.is_null()) return "null";
    if (value.is_text()) return std::string(value.text());
    const std::int64_t number = value.integer();
    if (column == "run_id") return texts.text(sim::Subject{static_cast<std::uint32_t>(number)});
    if (column == "status")
        return std::string(name(static_cast<database::chat::RunStatus>(number)));
    if (column.ends_with("_at"))
        return since_start(sim::WallTime{sim::Duration{number}}, Precision::microseconds);
    return std::to_string(number);
}

std::vector<std::string> row_texts(const Recording& texts,
                                   const std::vector<database::Column>& columns,
                                   const database::Snapshot::Row& row) {
    std::vector<std::string> result;
    for (std::size_t i = 0; i < row.size(); ++i)
        result.push_back(field_text(texts, columns[i].name, row[i]));
    return result;
}

std::string row_text(const Recording& texts, const std::vector<database::Column>& columns,
                     const database::Snapshot::Row& row) {
    if (row.empty()) return "nothing";
    return fmt::format("({})", fmt::join(row_texts(texts, columns, row), ", "));
}

PlainTable rows_table(const Recording& texts, const database::Snapshot::Table& source) {
    PlainTable table{fmt::format("table {}", source.name), {}};
    for (const database::Column& column : source.columns) table.columns.push_back({column.name});
    for (const database::Snapshot::Row& row : source.rows)
        table.rows.push_back(row_texts(texts, source.columns, row));
    return table;
}

/// What is not committed yet, one row per change.
PlainTable transactions_table(const Recording& texts, const database::Snapshot& data) {
    PlainTable table{"open transactions",
                     {{"change"}, {"state"}, {"table"}, {"before"}, {"after"}}};
    using State = database::Snapshot::Transaction::State;
    for (const auto& transaction : data.transactions) {
        std::size_t number = 0;
        for (const auto& change : transaction.changes) {
            const auto& source = data.tables[index(change.table)];
            table.rows.push_back(
                {fmt::format("session {} #{}", static_cast<std::uint64_t>(transaction.session),
                             ++number),
                 transaction.state == State::open ? "open" : "aborted", source.name,
                 row_text(texts, source.columns, change.before),
                 row_text(texts, source.columns, change.after)});
        }
    }
    return table;
}

PlainTable waits_table(const database::Snapshot& data) {
    PlainTable table{"waiting for a lock", {{"session"}, {"blocked by"}, {"since"}}};
    for (const auto& wait : data.waits)
        table.rows.push_back({std::to_string(static_cast<std::uint64_t>(wait.session)),
                              std::to_string(static_cast<std::uint64_t>(wait.blocker)),
                              since_start(wait.since, Precision::microseconds)});
    return table;
}

}  // namespace

std::vector<PlainTable> plain_tables(const StateSnapshot& state, const Recording& texts,
                                     Idle idle) {
    std::vector<PlainTable> tables;
    add_broker(state.broker, idle, tables);
    for (const auto& table : state.database.tables) tables.push_back(rows_table(texts, table));
    PlainTable transactions = transactions_table(texts, state.database);
    if (!transactions.rows.empty()) tables.push_back(std::move(transactions));
    PlainTable waits = waits_table(state.database);
    if (!waits.rows.empty()) tables.push_back(std::move(waits));
    return tables;
}

std::vector<StateTable> state_tables(const scenarios::StateChange& change) {
    return compare_tables(plain_tables(change.before, change.texts, Idle::length),
                          plain_tables(change.after, change.texts, Idle::length));
}

}  // namespace redeliver::reports
