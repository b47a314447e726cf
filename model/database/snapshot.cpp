#include "model/database/snapshot.h"

#include <algorithm>

#include "model/database/engine.h"
#include "model/database/hashing.h"
#include "sim/ensure.h"

namespace redeliver::model::database {

namespace {

using Row = Snapshot::Row;

Row copy(const Relation& relation, const Value* values) {
    if (values == nullptr) return {};
    const RowView view = relation.view(values);
    return {view.begin(), view.end()};
}

std::vector<ColumnId> columns_to_sort_by(const Table& table) {
    for (const UniqueKey& key : table.unique_keys)
        if (key.kind == UniqueKey::Kind::primary) return key.columns;
    std::vector<ColumnId> all;
    for (std::size_t place = 0; place < table.columns.size(); ++place)
        all.push_back(static_cast<ColumnId>(place));
    return all;
}

void sort(std::vector<Row>& rows, const std::vector<ColumnId>& columns) {
    std::stable_sort(rows.begin(), rows.end(), [&](const Row& left, const Row& right) {
        for (const ColumnId column : columns) {
            const auto compared = in_sort_order(left[index(column)], right[index(column)]);
            if (compared != 0) return compared < 0;
        }
        return false;
    });
}

// A row as committed, else as its holder sees it.
Row as_known(const Relation& relation, RowId row) {
    const Relation::Row& state = relation.row(row);
    return copy(relation,
                state.committed ? relation.values(row) : relation.visible(row, state.holder));
}

class Photographer {
public:
    Photographer(Snapshot& snapshot, const std::vector<Relation>& relations,
                 const RowQueues& queues)
        : snapshot_(snapshot), relations_(relations), queues_(queues) {}

    void take(const Session& session) {
        take_transaction(session);
        for (const Held held : session.transaction.held)
            take_lock(session, Snapshot::Lock::State::held, held.table, held.row);
        if (session.run.queue == 0) return;
        const RowQueue& queue = queues_[session.run.queue];
        take_lock(session, Snapshot::Lock::State::awaited, queue.table, queue.row);
    }

private:
    void take_transaction(const Session& session) {
        const Transaction& transaction = session.transaction;
        if (transaction.state == Transaction::State::none) return;
        const bool aborted = transaction.state == Transaction::State::aborted;
        auto& taken = snapshot_.transactions.emplace_back();
        taken.session = session.id;
        taken.state =
            aborted ? Snapshot::Transaction::State::aborted : Snapshot::Transaction::State::open;
        taken.began = transaction.began;
        for (const Held held : transaction.held) take_change(session, held, taken.changes);
    }

    void take_change(const Session& session, Held held, std::vector<Snapshot::Change>& changes) {
        const Relation& relation = relations_[index(held.table)];
        const Relation::Row& row = relation.row(held.row);
        if (row.change == Relation::Change::none) return;
        const Value* const before = row.committed ? relation.values(held.row) : nullptr;
        const Value* const after = relation.visible(held.row, session.holder());
        if (before == nullptr && after == nullptr) return;
        changes.push_back({.table = held.table,
                           .before = copy(relation, before),
                           .after = copy(relation, after)});
    }

    void take_lock(const Session& session, Snapshot::Lock::State state, TableId table, RowId row) {
        snapshot_.locks.push_back({.session = session.id,
                                   .state = state,
                                   .table = table,
                                   .row = as_known(relations_[index(table)], row)});
    }

    Snapshot& snapshot_;
    const std::vector<Relation>& relations_;
    const RowQueues& queues_;
};

}  // namespace

Snapshot Engine::snapshot() const {
    Snapshot snapshot;
    for (std::size_t table = 0; table < relations_.size(); ++table) {
        const Table& declared = schema_.tables[table];
        auto& taken = snapshot.tables.emplace_back();
        taken.name = declared.name;
        taken.columns = declared.columns;
        for_each_row(static_cast<TableId>(table),
                     [&taken](RowView row) { taken.rows.emplace_back(row.begin(), row.end()); });
        sort(taken.rows, columns_to_sort_by(declared));
    }
    Photographer photographer(snapshot, relations_, queues_);
    for (const Session* const session : sessions_.in_order()) photographer.take(*session);
    for (const Slot slot : waiting_) {
        const Session& session = sessions_[slot];
        snapshot.waits.push_back({.session = session.id,
                                  .blocker = sessions_[blocker(session)].id,
                                  .since = session.wait.since});
    }
    return snapshot;
}

void Engine::for_each_row(TableId table, const std::function<void(RowView)>& visit) const {
    sim::ensure(index(table) < relations_.size(), "the table exists");
    const Relation& of = relation(table);
    std::vector<std::pair<std::uint64_t, RowId>> by_age;
    for (RowId row = 0; row < of.places(); ++row)
        if (of.row(row).committed) by_age.emplace_back(of.row(row).birth, row);
    std::sort(by_age.begin(), by_age.end());
    for (const auto& [birth, row] : by_age) visit(of.view(of.values(row)));
}

// A sum, so that neither places nor ages of rows play a part.
std::uint64_t Engine::digest() const {
    std::uint64_t sum = 0;
    for (std::size_t table = 0; table < relations_.size(); ++table) {
        const Relation& of = relations_[table];
        for (RowId row = 0; row < of.places(); ++row)
            if (of.row(row).committed) sum += mix(hash(of.view(of.values(row))) + table);
    }
    return sum;
}

}  // namespace redeliver::model::database
