#include "model/redis/journal.h"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "model/redis/call.h"
#include "model/redis/log_rewrite.h"
#include "sim/ensure.h"

namespace redeliver::model::redis {
namespace {

template <typename Type, typename... Types>
constexpr bool is_one_of = (std::is_same_v<Type, Types> || ...);

/// Obeys one logged command.
struct Obey {
    Call& call;

    template <typename Logged>
    void operator()(const Logged& command) const {
        if constexpr (is_one_of<Logged, Xread, Xreadgroup, Watch, Unwatch, Multi, Exec, Discard,
                                Hosted>)
            sim::fail_harness("only what changes data is logged", std::source_location::current());
        else
            sim::ensure(!refusal(execute(call, command)), "a logged command is never refused");
    }
};

void obey(Keyspace& keys, const std::vector<Command>& commands, sim::WallTime now,
          const Configuration& configuration, Names& names) {
    Call call{.keys = keys,
              .names = names,
              .configuration = configuration,
              .now = to_millis(now),
              .origin = Call::Origin::log};
    for (const Command& command : commands) std::visit(Obey{call}, command);
}

}  // namespace

/// everysec syncs when the clock's whole second changes, or at once on the first write after that.
std::int64_t Journal::tick_of(sim::WallTime at) const {
    const auto interval = std::max(configuration_.fsync_interval, sim::Duration{1});
    const sim::Duration since = at.time_since_epoch();
    return since / interval - (since % interval < sim::Duration{0} ? 1 : 0);
}

/// Strictly: a write at the very instant of a loss has not been synced.
void Journal::sync_until(sim::WallTime now) {
    if (!sync_due_ || *sync_due_ >= now) return;
    synced_ = tail_.size();
    last_sync_tick_ = tick_of(*sync_due_);
    sync_due_.reset();
}

void Journal::append(sim::WallTime at, std::vector<Command> commands, Names& names) {
    sim::ensure(!commands.empty(), "a record has something in it");
    sync_until(at);
    tail_.push_back({at, std::move(commands)});
    if (!sync_due_) {
        const auto interval = std::max(configuration_.fsync_interval, sim::Duration{1});
        const bool at_once = tick_of(at) > last_sync_tick_;
        sync_due_ = at_once ? at : sim::WallTime{interval * (last_sync_tick_ + 1)};
    }
    forget_settled(at, names);
}

void Journal::forget_settled(sim::WallTime now, Names& names) {
    const bool needs_sync = configuration_.appendfsync == Configuration::Appendfsync::everysec;
    const auto window = std::max(configuration_.retained_time, configuration_.write_back);
    while (tail_.size() > configuration_.retained_records && tail_.front().at < now - window) {
        if (needs_sync && synced_ == 0) break;
        const auto& [at, commands] = tail_.front();
        obey(base_, commands, at, configuration_, names);
        if (rewritten_ && rewritten_->covered > 0)
            --rewritten_->covered;
        else if (rewritten_)
            obey(rewritten_->keys, commands, at, configuration_, names);
        tail_.pop_front();
        if (synced_ > 0) --synced_;
    }
}

std::uint64_t Journal::on_disk(sim::WallTime now) {
    const std::uint64_t rewritten = rewritten_ ? rewritten_->covered : 0;
    switch (configuration_.appendfsync) {
    case Configuration::Appendfsync::always: return tail_.size();
    case Configuration::Appendfsync::everysec: sync_until(now); return std::max(synced_, rewritten);
    case Configuration::Appendfsync::no:
        return std::max(older_than(configuration_.write_back, now), rewritten);
    }
    sim::fail_harness("every fsync policy is known", std::source_location::current());
}

std::uint64_t Journal::older_than(sim::Duration age, sim::WallTime now) const {
    const auto younger = std::find_if(tail_.begin(), tail_.end(),
                                      [&](const Record& record) { return record.at > now - age; });
    return static_cast<std::uint64_t>(younger - tail_.begin());
}

Keyspace Journal::replay(std::uint64_t records, Names& names) const {
    sim::ensure(records <= tail_.size(), "no more is replayed than was logged");
    Keyspace keys = base_;
    for (std::uint64_t i = 0; i < records; ++i)
        obey(keys, tail_[i].commands, tail_[i].at, configuration_, names);
    return keys;
}

Keyspace Journal::load(std::uint64_t records, sim::WallTime now, Names& names) const {
    const std::uint64_t first = rewritten_ ? rewritten_->covered : 0;
    sim::ensure(first <= records && records <= tail_.size(),
                "no less is loaded than was rewritten, and no more than was logged");
    Keyspace keys = rewritten_ ? rewritten_->keys : base_;
    // Only a snapshot knows when consumers were seen.
    const bool is_snapshot = rewritten_ && rewritten_->form == LogForm::snapshot;
    if (!is_snapshot) keys.reload(to_millis(now));
    for (std::uint64_t i = first; i < records; ++i)
        obey(keys, tail_[i].commands, now, configuration_, names);
    return keys;
}

void Journal::rewrite(LogForm form, const Keyspace& keys, sim::WallTime now, Names& names) {
    Rewritten rewritten{.form = form, .commands = {}, .keys = {}, .covered = tail_.size()};
    if (form == LogForm::snapshot) {
        rewritten.keys = keys;
    } else {
        rewritten.commands = rewrite_of(keys, configuration_.version);
        obey(rewritten.keys, rewritten.commands, now, configuration_, names);
    }
    rewritten_ = std::move(rewritten);
}

void Journal::restart(Keyspace survivors, sim::WallTime now) {
    base_ = std::move(survivors);
    tail_.clear();
    rewritten_.reset();
    synced_ = 0;
    sync_due_.reset();
    last_sync_tick_ = tick_of(now);
}

}  // namespace redeliver::model::redis
