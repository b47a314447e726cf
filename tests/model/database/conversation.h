#pragma once

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/database/server.h"

namespace redeliver::model::database {

inline constexpr SessionId alice{1};
inline constexpr SessionId bob{2};
inline constexpr SessionId carol{3};
inline constexpr SessionId dave{4};

inline std::string describe(RowView row) {
    std::string described;
    for (const Value& value : row) described += (described.empty() ? "" : ", ") + describe(value);
    return "(" + described + ")";
}

/// An event as a line: who, what, which row.
inline std::string describe(const Event& event) {
    struct {
        static auto number(SessionId id) { return static_cast<std::uint64_t>(id); }
        std::string operator()(const RowInserted& e) const {
            return fmt::format("{} inserted {}", number(e.session), describe(e.row));
        }
        std::string operator()(const RowUpdated& e) const {
            return fmt::format("{} updated {} to {}", number(e.session), describe(e.before),
                               describe(e.after));
        }
        std::string operator()(const RowDeleted& e) const {
            return fmt::format("{} deleted {}", number(e.session), describe(e.row));
        }
        std::string operator()(const InsertAbsorbed& e) const {
            return fmt::format("{} absorbed {} for {} by key {}", number(e.session),
                               describe(e.refused), describe(e.existing), index(e.key));
        }
        std::string operator()(const Waited& e) const {
            return fmt::format("{} waits for {}{}", number(e.session), number(e.blocker),
                               e.what == Waited::For::turn ? "'s turn" : "");
        }
        std::string operator()(const Committed& e) const {
            return fmt::format("{} committed {}", number(e.session), e.changes);
        }
        std::string operator()(const RolledBack& e) const {
            constexpr const char* reasons[] = {"requested", "error", "disconnected", "server lost"};
            return fmt::format("{} rolled back: {} {}", number(e.session),
                               reasons[static_cast<std::size_t>(e.reason)], code(e.error));
        }
        std::string operator()(const Forgotten& e) const {
            return fmt::format("forgot {} for {}", describe(e.lost), describe(e.kept));
        }
    } const teller;
    return std::visit(teller, event);
}

/// A server, a clock that stands still unless told, and what was said.
class Conversation {
public:
    explicit Conversation(Schema schema, Configuration configuration = {})
        : server(std::move(schema), configuration) {}

    /// Sends a statement; gives the answer if it came at once.
    std::optional<Result> say(SessionId session, const Statement& statement) {
        call([&] { server.submit(session, statement, now, out_); });
        return take_answer(session);
    }

    /// The same for a statement that must not have to wait.
    Result ask(SessionId session, const Statement& statement) {
        std::optional<Result> answer = say(session, statement);
        EXPECT_TRUE(answer.has_value()) << "the statement waits";
        return answer.value_or(Result{});
    }

    /// The oldest answer to a session that was not taken yet, such as that of a waiter.
    std::optional<Result> take_answer(SessionId session) {
        std::vector<Result>& mine = answers_[session];
        if (mine.empty()) return std::nullopt;
        Result oldest = mine.front();
        mine.erase(mine.begin());
        return oldest;
    }

    template <typename Call>
    void call(Call call) {
        out_.clear();
        told.clear();
        call();
        for (Reply& reply : out_.replies)
            answers_[reply.session].push_back(std::move(reply.result));
        for (const Event& event : out_.events) told.push_back(describe(event));
    }

    void disconnect(SessionId session) {
        call([&] { server.disconnect(session, now, out_); });
    }
    void cancel(SessionId session) {
        call([&] { server.cancel(session, now, out_); });
    }
    /// Lets time pass, deadline by deadline.
    void pass(sim::Duration time) {
        const sim::WallTime end = now + time;
        while (server.next_deadline() && *server.next_deadline() <= end) {
            now = *server.next_deadline();
            call([&] { server.advance(now, out_); });
        }
        now = end;
    }
    void lose_process() {
        call([&] { server.restart_after_process_loss(now, out_); });
    }
    void lose_machine() {
        call([&] { server.restart_after_machine_loss(now, out_); });
    }
    void fail_over(sim::Duration lag) {
        call([&] { server.fail_over(lag, now, out_); });
    }

    /// The committed rows of a table as lines, oldest first.
    std::vector<std::string> rows(TableId table) const {
        std::vector<std::string> lines;
        server.for_each_row(table, [&](RowView row) { lines.push_back(describe(row)); });
        return lines;
    }

    Server server;
    sim::WallTime now = sim::wall_start;
    std::vector<std::string> told;  ///< The events of the last call.

private:
    Output out_;
    std::map<SessionId, std::vector<Result>> answers_;
};

/// The rows of an answer as lines.
inline std::vector<std::string> lines(const Result& result) {
    std::vector<std::string> lines;
    for (std::size_t row = 0; row < result.rows.size(); ++row)
        lines.push_back(describe(result.rows[row]));
    return lines;
}

/// One table to try things on: `id` is its primary key, `name` a unique text or null, `n` a number
/// or null, `note` a text or null without any key.
namespace item {
inline constexpr TableId table{0};
inline constexpr ColumnId id{0};
inline constexpr ColumnId name{1};
inline constexpr ColumnId n{2};
inline constexpr ColumnId note{3};

inline Schema schema(std::vector<Index> indexes = {}) {
    return {.tables = {{.name = "items",
                        .columns = {{.name = "id"},
                                    {"name", Type::text, Nullable::yes},
                                    {"n", Type::integer, Nullable::yes},
                                    {"note", Type::text, Nullable::yes}},
                        .unique_keys = {{"items_pkey", {id}, UniqueKey::Kind::primary},
                                        {"items_name_key", {name}}},
                        .indexes = std::move(indexes)}}};
}

inline Insert insert(Term new_id, Term new_name = nullptr, Term new_n = nullptr) {
    return {.table = table,
            .row = {std::move(new_id), std::move(new_name), std::move(new_n), nullptr}};
}
inline Insert insert_or_skip(Term new_id, Term new_name = nullptr, Term new_n = nullptr) {
    Insert made = insert(std::move(new_id), std::move(new_name), std::move(new_n));
    made.on_conflict = Insert::OnConflict::do_nothing;
    return made;
}
inline Select select(Conditions where = {}) { return {.table = table, .where = std::move(where)}; }
inline Select lock(Conditions where, Select::Lock how = Select::Lock::for_update) {
    return {.table = table, .where = std::move(where), .lock = how};
}
inline Update set_n(Conditions where, Term to) {
    return {.table = table, .where = std::move(where), .set = {{n, std::move(to)}}};
}
inline Delete remove(Conditions where) { return {.table = table, .where = std::move(where)}; }
}  // namespace item

}  // namespace redeliver::model::database
