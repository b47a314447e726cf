#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

#include "tests/model/database/conversation.h"

// Random interleavings of three sessions over few rows, so that they meet.
namespace redeliver::model::database {
namespace {

using namespace std::chrono_literals;

struct Move {
    enum class Kind {
        begin,
        commit,
        rollback,
        insert,
        skip,
        update,
        sweep,
        rename,
        remove,
        lock,
        skip_locked,
        nowait,
        disconnect,
        pass
    };
    Kind kind;
    std::uint64_t session;
    std::int64_t id;
    std::int64_t number;
};

void showValue(const Move& move, std::ostream& out) {
    constexpr const char* names[] = {"begin",       "commit", "rollback",   "insert", "skip",
                                     "update",      "sweep",  "rename",     "remove", "lock",
                                     "skip locked", "nowait", "disconnect", "pass"};
    out << move.session << ": " << names[static_cast<std::size_t>(move.kind)] << " id " << move.id
        << " number " << move.number;
}

rc::Gen<Move> some_move() {
    return rc::gen::construct<Move>(
        rc::gen::map(rc::gen::inRange(0, 14), [](int kind) { return Move::Kind(kind); }),
        rc::gen::inRange<std::uint64_t>(1, 4), rc::gen::inRange<std::int64_t>(1, 5),
        rc::gen::inRange<std::int64_t>(0, 3));
}

rc::Gen<std::vector<Move>> some_moves() {
    return rc::gen::container<std::vector<Move>>(some_move());
}

std::string name_of(std::int64_t number) { return "name-" + std::to_string(number); }

std::optional<Statement> statement_of(const Move& move) {
    const Conditions by_id = {eq(item::id, move.id)};
    switch (move.kind) {
    case Move::Kind::begin: return Begin{};
    case Move::Kind::commit: return Commit{};
    case Move::Kind::rollback: return Rollback{};
    case Move::Kind::insert: return item::insert(move.id, name_of(move.number), move.number);
    case Move::Kind::skip: return item::insert_or_skip(move.id, name_of(move.number), move.number);
    case Move::Kind::update: return item::set_n(by_id, plus(move.number));
    case Move::Kind::sweep: return item::set_n({eq(item::n, move.number)}, plus(1));
    case Move::Kind::rename:
        return Update{
            .table = item::table, .where = by_id, .set = {{item::name, name_of(move.number)}}};
    case Move::Kind::remove: return item::remove(by_id);
    case Move::Kind::lock: return item::lock({ge(item::n, move.number)});
    case Move::Kind::skip_locked:
        return item::lock({ge(item::n, move.number)}, Select::Lock::for_update_skip_locked);
    case Move::Kind::nowait: return item::lock(by_id, Select::Lock::for_update_nowait);
    case Move::Kind::disconnect:
    case Move::Kind::pass: return std::nullopt;
    }
    return std::nullopt;
}

/// Plays moves; those of a session that still waits are left out.
class Play {
public:
    explicit Play(Schema schema = item::schema(), Configuration configuration = {})
        : db(std::move(schema), configuration) {}

    void make(const Move& move) {
        const SessionId session{move.session};
        if (move.kind == Move::Kind::pass) {
            db.pass(std::chrono::milliseconds{200 * move.number});
            return collect_answers();
        }
        if (move.kind == Move::Kind::disconnect) {
            db.disconnect(session);
            waiting.erase(session);
            return collect_answers();
        }
        if (waiting.contains(session)) return;
        waiting.insert(session);
        const std::optional<Result> answer = db.say(session, *statement_of(move));
        if (answer) take(session, *answer);
        collect_answers();
    }

    /// Ends all transactions, in the order of sessions, as often as it takes.
    void end() {
        for (int round = 0; round < 3; ++round)
            for (const SessionId session : {alice, bob, carol}) {
                make({Move::Kind::rollback, static_cast<std::uint64_t>(session), 0, 0});
                make({Move::Kind::pass, 0, 0, 10});
            }
    }

    void collect_answers() {
        for (const SessionId session : {alice, bob, carol})
            while (const std::optional<Result> answer = db.take_answer(session))
                take(session, *answer);
    }

    void take(SessionId session, const Result& answer) {
        RC_ASSERT(waiting.erase(session) == 1u);  // One answer to each statement.
        answers.push_back(hash(answer));
    }

    Conversation db;
    std::set<SessionId> waiting;
    std::vector<std::uint64_t> answers;
};

RC_GTEST_PROP(Interleaving, NeverLeavesTwoRowsWithOneKey, ()) {
    Play play;
    for (const Move& move : *some_moves()) {
        play.make(move);
        std::set<std::int64_t> ids;
        std::set<std::string> names;
        play.db.server.for_each_row(item::table, [&](RowView row) {
            RC_ASSERT(ids.insert(row[index(item::id)].integer()).second);
            RC_ASSERT(names.insert(std::string(row[index(item::name)].text())).second);
        });
    }
}

RC_GTEST_PROP(Interleaving, LeavesNobodyWaitingAndNothingLockedOnceAllHaveEnded, ()) {
    Play play;
    for (const Move& move : *some_moves()) play.make(move);

    play.end();

    RC_ASSERT(play.waiting.empty());
    const Snapshot snapshot = play.db.server.snapshot();
    RC_ASSERT(snapshot.locks.empty());
    RC_ASSERT(snapshot.waits.empty());
    RC_ASSERT(snapshot.transactions.empty());
    RC_ASSERT(play.db.server.next_deadline() == std::nullopt);
}

RC_GTEST_PROP(Interleaving, AnswersTheSameWithAndWithoutPlainIndexes, ()) {
    Play bare;
    Play indexed(item::schema({{"n", {item::n}}, {"name_n", {item::name, item::n}}}));
    for (const Move& move : *some_moves()) {
        bare.make(move);
        indexed.make(move);
        RC_ASSERT(bare.db.told == indexed.db.told);
    }
    RC_ASSERT(bare.answers == indexed.answers);
    RC_ASSERT(bare.db.server.digest() == indexed.db.server.digest());
}

RC_GTEST_PROP(Interleaving, GivesTheSameTwice, ()) {
    const std::vector<Move> moves = *some_moves();
    Play first;
    Play second;
    for (const Move& move : moves) first.make(move);
    for (const Move& move : moves) second.make(move);

    RC_ASSERT(first.answers == second.answers);
    RC_ASSERT(first.db.server.digest() == second.db.server.digest());
}

/// A table as a map from id to row, changed by what commits tell.
class Fold {
public:
    void apply(const Event& event) {
        if (const auto* inserted = std::get_if<RowInserted>(&event)) put(inserted->row);
        if (const auto* deleted = std::get_if<RowDeleted>(&event)) take(deleted->row);
        if (const auto* updated = std::get_if<RowUpdated>(&event)) {
            take(updated->before);
            put(updated->after);
        }
    }
    std::map<std::int64_t, std::string> rows;

private:
    void put(RowView row) { RC_ASSERT(rows.try_emplace(row[0].integer(), describe(row)).second); }
    void take(RowView row) {
        const auto found = rows.find(row[0].integer());
        RC_ASSERT(found != rows.end() && found->second == describe(row));
        rows.erase(found);
    }
};

std::map<std::int64_t, std::string> committed(const Server& server) {
    std::map<std::int64_t, std::string> rows;
    server.for_each_row(item::table,
                        [&](RowView row) { rows.emplace(row[0].integer(), describe(row)); });
    return rows;
}

RC_GTEST_PROP(Interleaving, CommitsExactlyWhatItsEventsTell, ()) {
    Server server(item::schema({{"n", {item::n}}}), {});
    Output out;
    Fold fold;
    sim::WallTime now = sim::wall_start;
    for (const Move& move : *some_moves()) {
        out.clear();
        const std::optional<Statement> statement = statement_of(move);
        if (statement)
            server.submit(SessionId{move.session}, *statement, now, out);
        else if (move.kind == Move::Kind::disconnect)
            server.disconnect(SessionId{move.session}, now, out);
        else
            server.advance(now += 1s, out);
        for (const Event& event : out.events) fold.apply(event);
        RC_ASSERT(fold.rows == committed(server));
    }
}

/// What one session's open transaction has done to rows, in the words of a map from id to number.
struct Effect {
    Move::Kind kind;
    std::int64_t id;
    std::int64_t number;
};

void replay(const std::vector<Effect>& effects, std::map<std::int64_t, std::int64_t>& rows) {
    for (const Effect& effect : effects) {
        switch (effect.kind) {
        case Move::Kind::insert:
            RC_ASSERT(rows.try_emplace(effect.id, effect.number).second);
            break;
        case Move::Kind::update: rows.at(effect.id) += effect.number; break;
        default: RC_ASSERT(rows.erase(effect.id) == 1u);
        }
    }
}

/// Locks are held to the end, so transactions that change single rows by key are as if they had run
/// one after the other in the order of their commits: a map is specification enough.
class SerialPlay {
public:
    void make(const Move& move) {
        const SessionId session{move.session};
        if (pending_.contains(session)) return;
        const std::optional<Statement> statement = statement_of(move);
        if (!statement) return;
        pending_[session] = move;
        out_.clear();
        server_.submit(session, *statement, sim::wall_start, out_);
        for (const Reply& reply : out_.replies) take(reply.session, reply.result);
        check();
    }

private:
    void take(SessionId session, const Result& answer) {
        const Move move = pending_.extract(session).mapped();
        if (answer.tag == Tag::begin) open_.insert(session);
        if (!answer.ok() || answer.tag == Tag::rollback) effects_[session].clear();
        if (answer.affected == 1) {
            const bool inserts = move.kind == Move::Kind::insert || move.kind == Move::Kind::skip;
            effects_[session].push_back(
                {inserts ? Move::Kind::insert : move.kind, move.id, move.number});
        }
        if (answer.tag == Tag::commit || answer.tag == Tag::rollback) open_.erase(session);
        if (open_.contains(session)) return;
        replay(effects_[session], rows_);
        effects_[session].clear();
    }

    void check() const {
        std::map<std::int64_t, std::int64_t> rows;
        server_.for_each_row(item::table, [&](RowView row) {
            rows.emplace(row[index(item::id)].integer(), row[index(item::n)].integer());
        });
        RC_ASSERT(rows == rows_);
    }

    Server server_{item::schema(), {}};
    Output out_;
    std::map<SessionId, Move> pending_;
    std::map<SessionId, std::vector<Effect>> effects_;
    std::set<SessionId> open_;
    std::map<std::int64_t, std::int64_t> rows_;
};

RC_GTEST_PROP(Interleaving, OfChangesByKeyEqualsTheirSerialExecutionInCommitOrder, ()) {
    const auto kind = rc::gen::element(Move::Kind::begin, Move::Kind::commit, Move::Kind::rollback,
                                       Move::Kind::insert, Move::Kind::skip, Move::Kind::update,
                                       Move::Kind::remove);
    const auto move = rc::gen::construct<Move>(kind, rc::gen::inRange<std::uint64_t>(1, 4),
                                               rc::gen::inRange<std::int64_t>(1, 4),
                                               rc::gen::inRange<std::int64_t>(0, 3));
    SerialPlay play;
    for (const Move& made : *rc::gen::container<std::vector<Move>>(move)) play.make(made);
}

RC_GTEST_PROP(Loss, LeavesAPrefixOfTheCommits, ()) {
    const auto lag = std::chrono::milliseconds{*rc::gen::inRange(0, 3'000)};
    Play play(item::schema({{"n", {item::n}}}), {.retain = 3s});
    std::vector<std::pair<sim::WallTime, std::uint64_t>> digests = {
        {sim::WallTime::min(), play.db.server.digest()}};
    for (const Move& move : *some_moves()) {
        play.make(move);
        digests.emplace_back(play.db.now, play.db.server.digest());
    }

    play.db.fail_over(lag);

    // Of the moments up to the cut the last; moves of one instant are cut together.
    std::uint64_t expected = 0;
    for (const auto& [at, digest] : digests)
        if (at <= play.db.now - lag) expected = digest;
    RC_ASSERT(play.db.server.digest() == expected);
    RC_ASSERT(play.db.server.snapshot().locks.empty());
}

}  // namespace
}  // namespace redeliver::model::database
