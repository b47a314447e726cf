#include <algorithm>

#include "model/database/engine.h"
#include "sim/ensure.h"

namespace redeliver::model::database {

Engine::Progress Engine::execute(Session& session, const Select& select, Result& result) {
    result.tag = Tag::select;
    if (select.lock != Select::Lock::none) return execute_locking(session, select, result);
    const Relation& from = relation(select.table);
    const Filter filter(select.where, session.transaction.began);
    std::vector<Candidate>& found = session.run.candidates;
    collect({.relation = from,
             .filter = filter,
             .viewer = session.holder(),
             .order = {select.order.data(), select.order.size()},
             .limit = select.limit},
            found);
    for (const Candidate& candidate : found) result.rows.append(from.view(candidate.seen));
    result.affected = found.size();
    return Progress::done;
}

// LIMIT counts rows that were locked and still matched, so that waiting may look at more of them.
// The order is that of the rows as the statement first saw them. Source:
// postgresql.org/docs/15/sql-select.html (The Locking Clause, Caution).
Engine::Progress Engine::execute_locking(Session& session, const Select& select, Result& result) {
    Run& run = session.run;
    const bool may_wait = select.lock == Select::Lock::for_update;
    const bool skips = select.lock == Select::Lock::for_update_skip_locked;
    const Filter filter(select.where, session.transaction.began);
    if (run.phase == Run::Phase::fresh) {
        run.phase = Run::Phase::next_row;
        collect(
            {.relation = relation(select.table),
             .filter = filter,
             .viewer = session.holder(),
             .order = {select.order.data(), select.order.size()},
             .limit = may_wait ? Select::unlimited : select.limit,
             .held_by_others = skips ? Scan::HeldByOthers::left_out : Scan::HeldByOthers::included},
            run.candidates);
    }
    while (result.affected < select.limit) {
        if (select.lock == Select::Lock::for_update_nowait && next_is_held(session, select.table)) {
            result.state = SqlState::lock_not_available;
            return Progress::done;
        }
        const LockedRow locked = lock_next(session, select.table, filter);
        if (locked.step == LockedRow::Step::waiting) return Progress::waiting;
        if (locked.step == LockedRow::Step::end) return Progress::done;
        const Relation& from = relation(select.table);
        result.rows.append(from.view(from.visible(locked.row, session.holder())));
        ++result.affected;
    }
    return Progress::done;
}

bool Engine::next_is_held(const Session& session, TableId table) const {
    const Run& run = session.run;
    if (run.next_candidate == run.candidates.size()) return false;
    const RowId row = run.candidates[run.next_candidate].row;
    const Holder holder = relation(table).row(row).holder;
    return holder != nobody && holder != session.holder();
}

Engine::Progress Engine::execute(Session& session, const Update& update, Result& result) {
    Run& run = session.run;
    result.tag = Tag::update;
    const Filter filter(update.where, session.transaction.began);
    if (run.phase == Run::Phase::fresh) {
        find_rows_to_change(session, update.table, filter);
        leave_out_from_first_overflow(session, update);
        if (!run.candidates.empty() && nulls_a_required_column(update)) {
            result.state = SqlState::not_null_violation;
            return Progress::done;
        }
    }
    while (true) {
        if (run.phase == Run::Phase::next_row) {
            const LockedRow locked = lock_next(session, update.table, filter);
            if (locked.step == LockedRow::Step::waiting) return Progress::waiting;
            if (locked.step == LockedRow::Step::end) {
                if (run.overflows) result.state = SqlState::numeric_value_out_of_range;
                return Progress::done;
            }
            if (!rewrite(session, update, locked.row, result)) return Progress::done;
            run.phase = Run::Phase::entering_keys;
        }
        if (enter_keys(session, update.table, result) == Progress::waiting)
            return Progress::waiting;
        if (!result.ok()) return Progress::done;
        ++result.affected;
        run.phase = Run::Phase::next_row;
    }
}

// New values are computed of each row as first seen, before it is waited for; of a row that has
// changed meanwhile, once more. Source: ExecModifyTable in executor/nodeModifyTable.c calls
// ExecGetUpdateNewTuple before ExecUpdate, and again after EvalPlanQual.
void Engine::leave_out_from_first_overflow(Session& session, const Update& update) {
    std::vector<Candidate>& candidates = session.run.candidates;
    const auto overflows = [&](const Candidate& candidate) {
        return std::any_of(update.set.begin(), update.set.end(), [&](const Assignment& assignment) {
            return assignment.value.source == Term::Source::own_column &&
                   !evaluate(assignment.value, &candidate.seen[index(assignment.column)],
                             session.transaction.began);
        });
    };
    const auto first = std::find_if(candidates.begin(), candidates.end(), overflows);
    session.run.overflows = first != candidates.end();
    candidates.erase(first, candidates.end());
}

// The constraint is checked on the row as first seen, before anything is waited for.
// Source: ExecUpdateAct in executor/nodeModifyTable.c calls ExecConstraints, then
// table_tuple_update.
bool Engine::nulls_a_required_column(const Update& update) const {
    const Table& table = relation(update.table).table();
    return std::any_of(update.set.begin(), update.set.end(), [&](const Assignment& assignment) {
        return assignment.value.source == Term::Source::constant &&
               assignment.value.constant.is_null() &&
               table.columns[index(assignment.column)].nullable == Nullable::no;
    });
}

bool Engine::rewrite(Session& session, const Update& update, RowId row, Result& result) {
    Relation& into = relation(update.table);
    std::uint64_t touched = 0;
    for (const Assignment& assignment : update.set)
        touched |= std::uint64_t{1} << index(assignment.column);
    Value* const values = into.rewrite(row, touched);
    for (const Assignment& assignment : update.set) {
        Value& own = values[index(assignment.column)];
        auto computed = evaluate(assignment.value, &own, session.transaction.began);
        if (!computed) {
            result.state = SqlState::numeric_value_out_of_range;
            return false;
        }
        own = std::move(*computed);
    }
    into.enter_indexes(row);
    session.run.row = row;
    return true;
}

Engine::Progress Engine::execute(Session& session, const Delete& removal, Result& result) {
    result.tag = Tag::remove;
    const Filter filter(removal.where, session.transaction.began);
    if (session.run.phase == Run::Phase::fresh) find_rows_to_change(session, removal.table, filter);
    while (true) {
        const LockedRow locked = lock_next(session, removal.table, filter);
        if (locked.step == LockedRow::Step::waiting) return Progress::waiting;
        if (locked.step == LockedRow::Step::end) return Progress::done;
        relation(removal.table).remove(locked.row);
        ++result.affected;
    }
}

void Engine::find_rows_to_change(Session& session, TableId table, const Filter& filter) {
    session.run.phase = Run::Phase::next_row;
    collect({.relation = relation(table), .filter = filter, .viewer = session.holder()},
            session.run.candidates);
}

// The next row that is still there and, as it is now, still matches. A row that has stopped to
// match stays locked all the same. Source: EvalPlanQual in executor/execMain.c and executor/README.
Engine::LockedRow Engine::lock_next(Session& session, TableId table, const Filter& filter) {
    Run& run = session.run;
    const Relation& from = relation(table);
    while (run.next_candidate < run.candidates.size()) {
        const Candidate& candidate = run.candidates[run.next_candidate];
        if (from.row(candidate.row).birth != candidate.birth) {
            leave_queue(session);
            ++run.next_candidate;
            continue;
        }
        if (!acquire(session, table, candidate)) return {.step = LockedRow::Step::waiting};
        ++run.next_candidate;
        if (from.visible_stamp(candidate.row, session.holder()) == candidate.stamp ||
            filter.matches(from.visible(candidate.row, session.holder())))
            return {.step = LockedRow::Step::locked, .row = candidate.row};
    }
    return {.step = LockedRow::Step::end};
}

}  // namespace redeliver::model::database
