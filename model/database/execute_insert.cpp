#include <utility>

#include "model/database/engine.h"
#include "sim/ensure.h"

namespace redeliver::model::database {

using sim::ensure;

// A plain insert puts its row there and then enters its keys one by one, so that while it waits for
// the second key others already wait for its first. DO NOTHING looks at all keys before.
// Source: ExecInsert in executor/nodeModifyTable.c.
Engine::Progress Engine::execute(Session& session, const Insert& insert, Result& result) {
    Run& run = session.run;
    result.tag = Tag::insert;
    const bool absorbs = insert.on_conflict == Insert::OnConflict::do_nothing;
    if (run.phase == Run::Phase::fresh) {
        if (!fill_draft(session, insert, result)) return Progress::done;
        run.phase = Run::Phase::finding_conflicts;
        if (!absorbs) publish(session, insert.table);
    }
    if (run.phase == Run::Phase::finding_conflicts) {
        if (const auto progress = find_conflicts(session, insert, result)) return *progress;
        publish(session, insert.table);
        relation(insert.table).enter_keys(std::exchange(run.row, no_row));
        result.affected = 1;
        return Progress::done;
    }
    const Progress progress = enter_keys(session, insert.table, result);
    if (progress == Progress::done && result.ok()) result.affected = 1;
    return progress;
}

// Not-null constraints come before any key. Source: ExecConstraints, called by ExecInsert.
bool Engine::fill_draft(Session& session, const Insert& insert, Result& result) {
    Relation& into = relation(insert.table);
    const RowId row = into.draft(session.holder());
    Value* const values = into.values(row);
    for (std::size_t place = 0; place < insert.row.size(); ++place) {
        values[place] = present_value(insert.row[place], session.transaction.began);
        if (values[place].is_null() && into.table().columns[place].nullable == Nullable::no) {
            into.discard(row);
            result.state = SqlState::not_null_violation;
            return false;
        }
    }
    session.run.row = row;
    return true;
}

// Nothing comes back when there is no conflict. After a wait it looks at that key again, goes on,
// and then begins once more, for an earlier key may have been taken meanwhile. Source:
// check_exclusion_or_unique_constraint in executor/execIndexing.c; vlock in ExecInsert.
std::optional<Engine::Progress> Engine::find_conflicts(Session& session, const Insert& insert,
                                                       Result& result) {
    Run& run = session.run;
    const Relation& into = relation(insert.table);
    while (true) {
        for (; run.key < into.keys(); ++run.key) {
            const auto conflict = into.find_conflict(
                static_cast<KeyId>(run.key), into.values(run.row), session.holder(), run.row);
            if (conflict.kind == Relation::Conflict::Kind::certain) {
                absorb(session, insert.table, conflict);
                result.affected = 0;
                return Progress::done;
            }
            if (conflict.kind == Relation::Conflict::Kind::undecided) {
                run.waited_in_pass = true;
                wait_for_transaction(session, into.row(conflict.row).holder);
                return Progress::waiting;
            }
        }
        run.key = 0;
        if (!run.waited_in_pass) return std::nullopt;
        run.waited_in_pass = false;
    }
}

void Engine::absorb(Session& session, TableId table, Relation::Conflict conflict) {
    Run& run = session.run;
    Relation& into = relation(table);
    const Value* const existing = into.visible(conflict.row, session.holder());
    ensure(existing != nullptr, "a row that certainly conflicts is visible");
    into.discard(run.row);
    out_->events.push_back(InsertAbsorbed{.session = session.id,
                                          .table = table,
                                          .key = static_cast<KeyId>(run.key),
                                          .refused = into.view(into.values(run.row)),
                                          .existing = lasting_view(session, table, existing)});
    run.row = no_row;
}

// A row that was to be inserted, if the statement ends before anybody could see it.
void Engine::drop_draft(Session& session) {
    Run& run = session.run;
    if (run.row == no_row || run.phase != Run::Phase::finding_conflicts) return;
    const auto* const insert = std::get_if<Insert>(&run.statement);
    ensure(insert != nullptr, "only an insert has a draft");
    relation(insert->table).discard(std::exchange(run.row, no_row));
}

void Engine::publish(Session& session, TableId table) {
    Run& run = session.run;
    relation(table).publish(run.row);
    session.transaction.held.push_back({.table = table, .row = run.row});
    relation(table).enter_indexes(run.row);
    run.phase = Run::Phase::entering_keys;
}

// Enters the newest image of the row in its keys, or in those that an update has changed.
Engine::Progress Engine::enter_keys(Session& session, TableId table, Result& result) {
    Run& run = session.run;
    Relation& into = relation(table);
    const Value* const values = into.visible(run.row, session.holder());
    for (; run.key < into.keys(); ++run.key) {
        const auto key = static_cast<KeyId>(run.key);
        if (!into.newest_needs_key(run.row, key)) continue;
        const auto conflict = into.find_conflict(key, values, session.holder(), run.row);
        if (conflict.kind == Relation::Conflict::Kind::undecided) {
            wait_for_transaction(session, into.row(conflict.row).holder);
            return Progress::waiting;
        }
        if (conflict.kind == Relation::Conflict::Kind::certain) {
            result.state = SqlState::unique_violation;
            result.violated = key;
            return Progress::done;
        }
        into.enter_key(run.row, key);
    }
    run.key = 0;
    run.row = no_row;
    return Progress::done;
}

}  // namespace redeliver::model::database
