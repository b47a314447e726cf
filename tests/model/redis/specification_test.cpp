// Random commands against a specification that is a few maps, and the invariants that any group
// keeps: what a naive reading of the manual would say, and no more.

#include <cstdint>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
#include <rapidcheck/state.h>

#include <map>
#include <set>
#include <sstream>
#include <string>

#include "tests/model/redis/broker.h"

namespace redeliver::model::redis {
namespace {

using Id = std::uint64_t;
constexpr std::int64_t second_ms = 1'000;

/// A stream `s` with one group `g`, as plainly as it can be said.
struct Spec {
    struct Row {
        std::string owner;
        std::int64_t delivered_ms = 0;
        std::uint64_t count = 1;
    };
    std::int64_t now_ms = 0;
    Id last_added = 0;
    Id last_delivered = 0;
    std::set<Id> entries;
    std::map<Id, Row> pending;

    /// What `>` gives, at most `count` of it.
    std::vector<Id> fresh(std::size_t count) const {
        std::vector<Id> ids;
        for (auto id = entries.upper_bound(last_delivered); id != entries.end(); ++id)
            if (ids.size() < count) ids.push_back(*id);
        return ids;
    }
};

struct Sut {
    Sut() { broker.create_group(); }
    Broker broker;
};

using GroupCommand = rc::state::Command<Spec, Sut>;

std::string any_consumer() { return *rc::gen::element<std::string>("alice", "bob", "carol"); }

void require_same_rows(const Spec& spec, Sut& sut) {
    const auto rows = sut.broker.pending();
    RC_ASSERT(rows.size() == spec.pending.size());
    auto expected = spec.pending.begin();
    for (const PendingRow& row : rows) {
        RC_ASSERT(row.id == (EntryId{expected->first, 0}));
        RC_ASSERT(row.consumer == expected->second.owner);
        RC_ASSERT(row.delivery_count == expected->second.count);
        RC_ASSERT(row.idle_time.count() == spec.now_ms - expected->second.delivered_ms);
        ++expected;
    }
    // Counted by consumer, by group and by row, the pending list has one size.
    std::uint64_t by_consumer = 0;
    for (const auto& info : sut.broker.get<ConsumerInfos>(XinfoConsumers{"s", "g"}).consumers)
        by_consumer += info.pending;
    RC_ASSERT(by_consumer == spec.pending.size());
    RC_ASSERT(sut.broker.group().pending == spec.pending.size());
}

/// Applies to a copy and compares everything.
template <typename Kind>
void require_agreement(const Kind& command, const Spec& before, Sut& sut) {
    Spec after = before;
    command.apply(after);
    require_same_rows(after, sut);
    RC_ASSERT(ids_of(sut.broker.get<Entries>(Xrange{.key = "s"}).entries) ==
              std::vector<Id>(after.entries.begin(), after.entries.end()));
    RC_ASSERT(sut.broker.group().last_delivered_id.ms == after.last_delivered);
}

struct Add : GroupCommand {
    void apply(Spec& spec) const override { spec.entries.insert(++spec.last_added); }
    void run(const Spec& spec, Sut& sut) const override {
        RC_ASSERT(sut.broker.add(spec.last_added + 1).ms == spec.last_added + 1);
        require_agreement(*this, spec, sut);
    }
    void show(std::ostream& os) const override { os << "add"; }
};

struct Read : GroupCommand {
    const std::string consumer = any_consumer();
    const std::size_t count = *rc::gen::inRange<std::size_t>(1, 4);

    void apply(Spec& spec) const override {
        for (const Id id : spec.fresh(count)) {
            spec.pending[id] = {consumer, spec.now_ms, 1};
            spec.last_delivered = id;
        }
    }
    void run(const Spec& spec, Sut& sut) const override {
        const Reply reply = sut.broker.read(consumer, static_cast<std::int64_t>(count));
        const auto expected = spec.fresh(count);
        if (expected.empty())
            RC_ASSERT(reply == Reply(NilArray{}));
        else
            RC_ASSERT(ids_of(reply) == expected);
        require_agreement(*this, spec, sut);
    }
    void show(std::ostream& os) const override { os << consumer << " reads " << count; }
};

struct ReadHistory : GroupCommand {
    const std::string consumer = any_consumer();

    void apply(Spec& spec) const override {
        for (auto& [id, row] : spec.pending) {
            if (row.owner != consumer || !spec.entries.contains(id)) continue;
            ++row.count;
            row.delivered_ms = spec.now_ms;
        }
    }
    void run(const Spec& spec, Sut& sut) const override {
        std::vector<Id> expected;
        for (const auto& [id, row] : spec.pending)
            if (row.owner == consumer) expected.push_back(id);
        RC_ASSERT(ids_of(sut.broker.ask(Broker::read_history(consumer))) == expected);
        require_agreement(*this, spec, sut);
    }
    void show(std::ostream& os) const override { os << consumer << " reads its history"; }
};

struct Acknowledge : GroupCommand {
    const Id id = *rc::gen::inRange<Id>(1, 12);

    void apply(Spec& spec) const override { spec.pending.erase(id); }
    void run(const Spec& spec, Sut& sut) const override {
        const auto expected = static_cast<std::int64_t>(spec.pending.count(id));
        RC_ASSERT(sut.broker.ask(Xack{"s", "g", {{id, 0}}}) == Reply(expected));
        require_agreement(*this, spec, sut);
    }
    void show(std::ostream& os) const override { os << "acknowledge " << id; }
};

struct Delete : GroupCommand {
    const Id id = *rc::gen::inRange<Id>(1, 12);

    void apply(Spec& spec) const override { spec.entries.erase(id); }
    void run(const Spec& spec, Sut& sut) const override {
        const auto expected = static_cast<std::int64_t>(spec.entries.count(id));
        RC_ASSERT(sut.broker.ask(Xdel{"s", {{id, 0}}}) == Reply(expected));
        require_agreement(*this, spec, sut);
    }
    void show(std::ostream& os) const override { os << "delete " << id; }
};

struct TrimTo : GroupCommand {
    const std::size_t length = *rc::gen::inRange<std::size_t>(0, 6);

    void apply(Spec& spec) const override {
        while (spec.entries.size() > length) spec.entries.erase(spec.entries.begin());
    }
    void run(const Spec& spec, Sut& sut) const override {
        sut.broker.ask(Xtrim{"s", {.keep = MaxLen{static_cast<std::int64_t>(length)}}});
        require_agreement(*this, spec, sut);
    }
    void show(std::ostream& os) const override { os << "trim to " << length; }
};

struct Autoclaim : GroupCommand {
    const std::string consumer = any_consumer();
    const std::int64_t min_idle_s = *rc::gen::inRange<std::int64_t>(0, 4);

    void apply(Spec& spec) const override {
        for (auto row = spec.pending.begin(); row != spec.pending.end();) {
            if (!spec.entries.contains(row->first)) {
                row = spec.pending.erase(row);
                continue;
            }
            if (spec.now_ms - row->second.delivered_ms >= min_idle_s * second_ms)
                row->second = {consumer, spec.now_ms, row->second.count + 1};
            ++row;
        }
    }
    void run(const Spec& spec, Sut& sut) const override {
        const auto reply = sut.broker.get<Autoclaimed>(
            Xautoclaim{.key = "s",
                       .group = "g",
                       .consumer = consumer,
                       .min_idle_time = std::chrono::seconds{min_idle_s}});
        RC_ASSERT(reply.cursor == min_entry_id);
        require_agreement(*this, spec, sut);
    }
    void show(std::ostream& os) const override {
        os << consumer << " claims what is idle for " << min_idle_s << " s";
    }
};

struct DeleteConsumer : GroupCommand {
    const std::string consumer = any_consumer();

    void apply(Spec& spec) const override {
        std::erase_if(spec.pending,
                      [this](const auto& row) { return row.second.owner == consumer; });
    }
    void run(const Spec& spec, Sut& sut) const override {
        sut.broker.ask(XgroupDelconsumer{"s", "g", consumer});
        require_agreement(*this, spec, sut);
    }
    void show(std::ostream& os) const override { os << "delete consumer " << consumer; }
};

struct GoBack : GroupCommand {
    const Id id = *rc::gen::inRange<Id>(0, 6);

    void apply(Spec& spec) const override { spec.last_delivered = id; }
    void run(const Spec& spec, Sut& sut) const override {
        sut.broker.ask(XgroupSetid{"s", "g", EntryId{id, 0}});
        require_agreement(*this, spec, sut);
    }
    void show(std::ostream& os) const override { os << "set the group to " << id; }
};

struct Wait : GroupCommand {
    const std::int64_t seconds = *rc::gen::inRange<std::int64_t>(1, 4);

    void apply(Spec& spec) const override { spec.now_ms += seconds * second_ms; }
    void run(const Spec& spec, Sut& sut) const override {
        sut.broker.pass(std::chrono::seconds{seconds});
        require_agreement(*this, spec, sut);
    }
    void show(std::ostream& os) const override { os << "wait " << seconds << " s"; }
};

RC_GTEST_PROP(Specification, GroupsDoWhatAFewMapsSay, ()) {
    Sut sut;
    rc::state::check(
        Spec{}, sut,
        rc::state::gen::execOneOfWithArgs<Add, Add, Read, Read, ReadHistory, Acknowledge, Delete,
                                          TrimTo, Autoclaim, DeleteConsumer, GoBack, Wait>());
}

}  // namespace
}  // namespace redeliver::model::redis
