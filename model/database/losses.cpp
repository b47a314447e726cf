#include <algorithm>
#include <utility>

#include "model/database/engine.h"
#include "sim/ensure.h"

namespace redeliver::model::database {

using sim::ensure;

void Engine::restart(sim::WallTime now, Output& out) {
    begin_call(now, out);
    vanish_all();
    if (configuration_.synchronous_commit == SynchronousCommit::on) return;
    ensure(configuration_.retain >= configuration_.wal_flush_interval,
           "a crash loses no more than the configuration says to retain");
    undo_commits_after(last_flush());
}

void Engine::fail_over(sim::Duration lag, sim::WallTime now, Output& out) {
    begin_call(now, out);
    vanish_all();
    const bool flushes_late = configuration_.synchronous_commit == SynchronousCommit::off;
    const sim::Duration most =
        flushes_late ? std::max(lag, configuration_.wal_flush_interval) : lag;
    ensure(lag >= sim::Duration::zero() && configuration_.retain >= most,
           "a failover loses no more than the configuration says to retain");
    undo_commits_after(flushes_late ? std::min(now - lag, last_flush()) : now - lag);
}

// Locks, queues and waits lie in the server's memory. Nobody is answered.
void Engine::vanish_all() {
    taken_ = 0;
    for (const Session* const session : sessions_.in_order()) {
        Session& vanished = sessions_[session->slot];
        drop_draft(vanished);
        const bool open = vanished.transaction.state == Transaction::State::open ||
                          vanished.transaction.state == Transaction::State::single;
        if (!open) continue;
        for (const Held held : vanished.transaction.held) relation(held.table).roll_back(held.row);
        out_->events.push_back(
            RolledBack{.session = vanished.id, .reason = RolledBack::Reason::server_lost});
    }
    for (const Session* const session : sessions_.in_order()) {
        const std::uint32_t queue = session->run.queue;
        if (queue != 0) relation(queues_[queue].table).row(queues_[queue].row).queue = 0;
    }
    sessions_.clear();
    queues_ = {};
    waiting_.clear();
}

void Engine::undo_commits_after(sim::WallTime cut) {
    Fates fates;
    while (log_.ends_after(cut)) {
        const CommitLog::Commit commit = log_.take_newest();
        for (auto change = commit.changes.rbegin(); change != commit.changes.rend(); ++change)
            undo(*change, fates[{change->table, change->birth}]);
    }
    for (const auto& [name, fate] : fates) {
        const Relation& of = relation(name.first);
        const auto view = [&of](const Value* values) {
            return values == nullptr ? RowView{} : of.view(values);
        };
        if (fate.lost == nullptr && fate.kept == nullptr) continue;
        out_->events.push_back(
            Forgotten{.table = name.first, .lost = view(fate.lost), .kept = view(fate.kept)});
    }
}

// The newest change of a row comes first, so what it left is what is lost.
void Engine::undo(const CommitLog::Change& change, Fate& fate) {
    Relation& of = relation(change.table);
    RowId row = of.locate(change.row, change.birth);
    const bool first = !std::exchange(fate.seen, true);
    if (change.left == CommitLog::Change::Left::nothing) {
        ensure(row == no_row, "a deleted row is gone until its deletion is undone");
        row = of.restore(change.before, change.birth, change.stamp_before);
    } else {
        ensure(row != no_row, "a row is there until its insertion is undone");
        if (first) fate.lost = of.keep_copy(of.values(row));
        if (change.before.empty())
            of.forget(row);
        else
            of.revert(row, change.before, change.stamp_before);
    }
    fate.kept = change.before.empty() ? nullptr : of.values(row);
}

sim::WallTime Engine::last_flush() const {
    const sim::Duration since_epoch = now_.time_since_epoch();
    return now_ - since_epoch % configuration_.wal_flush_interval;
}

}  // namespace redeliver::model::database
