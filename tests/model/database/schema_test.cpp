#include "model/database/schema.h"

#include <gtest/gtest.h>

#include "model/database/chat_schema.h"
#include "model/database/server.h"
#include "sim/ensure.h"

namespace redeliver::model::database {
namespace {

Schema one_table(Table table) { return {.tables = {std::move(table)}}; }

TEST(Schema, NamesItsTablesAndColumns) {
    const Schema chat = chat::schema({});

    EXPECT_EQ(chat.find_table("messages"), chat::messages);
    EXPECT_EQ(chat.find_table("nothing"), std::nullopt);
    EXPECT_EQ(chat.tables[0].find_column("idempotency_key"), chat::run::idempotency_key);
    EXPECT_EQ(chat.tables[0].find_column("nothing"), std::nullopt);
}

TEST(Schema, MustMakeSense) {
    const Column id{.name = "id"};
    const Column nullable{"id", Type::integer, Nullable::yes};
    const UniqueKey primary{"pkey", {ColumnId{0}}, UniqueKey::Kind::primary};
    EXPECT_NO_THROW(ensure_valid(one_table({"t", {id}, {primary}})));

    EXPECT_THROW(ensure_valid(one_table({"t", {}})), sim::HarnessError);
    EXPECT_THROW(ensure_valid(one_table({"t", {id, id}})), sim::HarnessError);
    EXPECT_THROW(ensure_valid(one_table({"t", {nullable}, {primary}})), sim::HarnessError);
    EXPECT_THROW(ensure_valid(one_table({"t", {id}, {primary, primary}})), sim::HarnessError);
    EXPECT_THROW(ensure_valid(one_table({"t", {id}, {{"k", {ColumnId{1}}}}})), sim::HarnessError);
    EXPECT_THROW(ensure_valid(one_table({"t", {id}, {{"k", {}}}})), sim::HarnessError);
    EXPECT_THROW(ensure_valid(one_table({"t", {id}, {}, {{"i", {ColumnId{9}}}}})),
                 sim::HarnessError);
    EXPECT_THROW(ensure_valid({.tables = {{"t", {id}}, {"t", {id}}}}), sim::HarnessError);
}

TEST(ChatSchema, HasTheColumnsThatItsConstantsName) {
    const Schema chat = chat::schema({});
    const auto name = [&](TableId table, ColumnId column) {
        return chat.tables[index(table)].columns[index(column)].name;
    };
    EXPECT_EQ(name(chat::runs, chat::run::run_id), "run_id");
    EXPECT_EQ(name(chat::runs, chat::run::session_id), "session_id");
    EXPECT_EQ(name(chat::runs, chat::run::status), "status");
    EXPECT_EQ(name(chat::runs, chat::run::reason), "reason");
    EXPECT_EQ(name(chat::runs, chat::run::created_at), "created_at");
    EXPECT_EQ(name(chat::runs, chat::run::worker), "worker");
    EXPECT_EQ(name(chat::runs, chat::run::claimed_at), "claimed_at");
    EXPECT_EQ(name(chat::messages, chat::message::message_id), "message_id");
    EXPECT_EQ(name(chat::messages, chat::message::run_id), "run_id");
    EXPECT_EQ(name(chat::messages, chat::message::seq), "seq");
    EXPECT_EQ(name(chat::messages, chat::message::session_id), "session_id");
    EXPECT_EQ(name(chat::messages, chat::message::body), "body");
}

TEST(ChatSchema, NamesEveryStatus) {
    EXPECT_EQ(chat::name(chat::RunStatus::pending), "pending");
    EXPECT_EQ(chat::name(chat::RunStatus::running), "running");
    EXPECT_EQ(chat::name(chat::RunStatus::done), "done");
    EXPECT_EQ(chat::name(chat::RunStatus::failed), "failed");
}

class ChatGates : public testing::Test {
protected:
    std::uint64_t insert(Server& server, const Insert& insert) {
        Output out;
        server.submit(SessionId{1}, insert, sim::wall_start, out);
        return out.replies.at(0).result.affected;
    }
    static Insert run(std::int64_t id) {
        return {.table = chat::runs,
                .row = {id, "same", 1, chat::RunStatus::pending, nullptr, now(), nullptr, nullptr},
                .on_conflict = Insert::OnConflict::do_nothing};
    }
    static Insert reply(std::int64_t id) {
        return {.table = chat::messages,
                .row = {id, 7, 1, 1, "hello"},
                .on_conflict = Insert::OnConflict::do_nothing};
    }
};

TEST_F(ChatGates, AbsorbASecondRunOfOneIntentionAndASecondReplyToOneRun) {
    Server server(chat::schema({}), {});

    EXPECT_EQ(insert(server, run(1)), 1u);
    EXPECT_EQ(insert(server, run(2)), 0u);
    EXPECT_EQ(insert(server, reply(1)), 1u);
    EXPECT_EQ(insert(server, reply(2)), 0u);
}

TEST_F(ChatGates, LetDuplicatesThroughWhereTheKeyIsAbsent) {
    using Key = chat::Options::Key;
    Server without_key(chat::schema({.unique_idempotency_key = Key::absent}), {});
    EXPECT_EQ(insert(without_key, run(1)) + insert(without_key, run(2)), 2u);
    EXPECT_EQ(insert(without_key, reply(1)) + insert(without_key, reply(2)), 1u);

    Server without_reply(chat::schema({.unique_reply = Key::absent}), {});
    EXPECT_EQ(insert(without_reply, run(1)) + insert(without_reply, run(2)), 1u);
    EXPECT_EQ(insert(without_reply, reply(1)) + insert(without_reply, reply(2)), 2u);
}

}  // namespace
}  // namespace redeliver::model::database
