#include "scenarios/explore/state_key.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "model/operations.h"
#include "model/steps.h"
#include "scenarios/chat_world.h"
#include "scenarios/node_names.h"
#include "sim/choices.h"
#include "sim/happenings.h"

namespace redeliver::scenarios {

namespace {

namespace database = model::database;
namespace redis = model::redis;
using model::Operation;

class Digest {
public:
    Digest& add(std::uint64_t part) {
        value_ = sim::mix(value_, part);
        return *this;
    }
    Digest& add(std::string_view text) { return add(sim::text_hash(text)); }
    std::uint64_t value() const { return value_; }

private:
    std::uint64_t value_ = 0;
};

constexpr sim::KindMask fault_marks = sim::kinds_of<sim::FaultFired, sim::Healed>;

constexpr sim::KindMask user_steps =
    sim::kinds_of<model::Submitted, model::Answered, model::GaveUp>;
constexpr sim::KindMask row_steps = sim::kinds_of<model::Accepted, model::DatabaseForgot>;

bool is_server(sim::NodeId node) { return node == broker_node || node == database_node; }

/// What the answer to it says depends on instants, which also the steps that go with it say.
bool answers_with_times(sim::OperationKind operation) {
    switch (static_cast<Operation>(operation)) {
    case Operation::xadd:
    case Operation::xadd_dead:
    case Operation::xreadgroup:
    case Operation::xreadgroup_own:
    case Operation::xautoclaim:
    case Operation::xclaim:
    case Operation::xpending:
    case Operation::xinfo:
    case Operation::exec: return true;
    default: return false;
    }
}

/// A poll that finds nothing leaves everybody as they were. What one finds is a step by itself, but
/// for what the database is asked.
bool finds_nothing(const sim::Step& step) {
    constexpr sim::KindMask kinds =
        sim::kinds_of<sim::Sent, sim::Replied, sim::Arrived, model::Decided>;
    if (((kinds >> step.kind) & 1) == 0) return false;
    if (const auto* const replied = step.as<sim::Replied>())
        if (step.actor == database_node || !answers_with_times(replied->operation)) return false;
    return sim::series_of(step.subject) == sim::node_series;
}

// ------------------------------------------------------------------ the broker

/// How many entries of a stream are not after this id.
std::uint64_t rank(const redis::StreamSnapshot& stream, redis::EntryId id) {
    std::uint64_t rank = 0;
    for (const redis::Entry& entry : stream.entries) rank += entry.id <= id ? 1 : 0;
    return rank;
}

void add(Digest& digest, const redis::StreamSnapshot& stream) {
    for (const redis::Entry& entry : stream.entries) digest.add(entry.label);
    for (const redis::GroupSnapshot& group : stream.groups) {
        digest.add(group.name).add(rank(stream, group.last_delivered_id));
        for (const redis::PendingSnapshot& pending : group.pending)
            digest.add(pending.label)
                .add(rank(stream, pending.id))
                .add(pending.consumer)
                .add(pending.delivery_count);
        for (const redis::ConsumerSnapshot& consumer : group.consumers)
            digest.add(consumer.name).add(consumer.pending);
    }
}

std::uint64_t digest_of(const redis::Snapshot& broker) {
    Digest digest;
    for (const auto& [key, stream] : broker.streams) add(digest.add(key), stream);
    for (const auto& [key, text] : broker.strings) digest.add(key).add(text.value);
    for (const auto& [key, set] : broker.sorted_sets) digest.add(key).add(set.set.size());
    for (const auto& [key, list] : broker.lists) digest.add(key).add(list.strings.size());
    for (const auto& [key, set] : broker.sets) digest.add(key).add(set.strings.size());
    return digest.value();
}

// ------------------------------------------------------------------ the database

/// Nothing but instants is as large as they are.
bool is_instant(std::int64_t number) {
    return number >= sim::wall_start.time_since_epoch().count();
}

void add(Digest& digest, const database::Snapshot::Row& row) {
    for (const database::Value& value : row) {
        if (value.kind() == database::Value::Kind::text) {
            digest.add(value.text());
        } else if (value.kind() == database::Value::Kind::integer) {
            digest.add(is_instant(value.integer()) ? 1u
                                                   : static_cast<std::uint64_t>(value.integer()));
        } else {
            digest.add(0u);
        }
    }
    digest.add(row.size());
}

class DatabaseDigest {
public:
    DatabaseDigest(const database::Snapshot& all, const sim::Network& network)
        : all_(all), network_(network) {}

    std::uint64_t value() {
        for (const auto& table : all_.tables)
            for (const auto& row : table.rows) add(digest_.add(table.name), row);
        std::uint64_t sum = 0;  // Numbers of sessions follow their order, which counts for nothing.
        for (const auto& transaction : all_.transactions) sum += of(transaction);
        for (const auto& lock : all_.locks) sum += of(lock);
        digest_.add(sum);
        for (const auto& wait : all_.waits)
            digest_.add(client(wait.session)).add(client(wait.blocker));
        return digest_.value();
    }

private:
    std::uint64_t client(database::SessionId session) const {
        return static_cast<std::uint64_t>(
            network_.client_of_session(static_cast<sim::SessionNumber>(session)));
    }
    std::uint64_t of(const database::Snapshot::Transaction& transaction) const {
        Digest digest;
        digest.add(1u).add(client(transaction.session));
        digest.add(static_cast<std::uint64_t>(transaction.state));
        for (const auto& change : transaction.changes) {
            digest.add(static_cast<std::uint64_t>(change.table));
            add(digest, change.before);
            add(digest, change.after);
        }
        return digest.value();
    }
    std::uint64_t of(const database::Snapshot::Lock& lock) const {
        Digest digest;
        digest.add(2u).add(client(lock.session)).add(static_cast<std::uint64_t>(lock.state));
        digest.add(static_cast<std::uint64_t>(lock.table));
        add(digest, lock.row);
        return digest.value();
    }

    const database::Snapshot& all_;
    const sim::Network& network_;
    Digest digest_;
};

}  // namespace

std::uint64_t StateKey::told(const sim::Step& step) const {
    Digest digest;
    digest.add(step.kind).add(static_cast<std::uint64_t>(step.subject));
    // Names are numbered in the order of their first use; the actor says as much.
    if (const auto* const started = step.as<model::WorkStarted>())
        return digest.add(started->execution).value();
    if (const auto* const finished = step.as<model::WorkFinished>())
        return digest.add(finished->execution)
            .add(static_cast<std::uint64_t>(finished->result))
            .value();
    const std::size_t bytes = chat_.world().recorder().timeless_bytes();
    for (std::size_t at = 0; at < bytes; at += sizeof(std::uint64_t)) {
        std::uint64_t word = 0;
        std::memcpy(&word, step.payload + at, std::min(sizeof word, bytes - at));
        digest.add(word);
    }
    return digest.value();
}

void StateKey::note_actor(sim::NodeId actor, sim::Subject subject, std::uint64_t what) {
    if (actor == sim::NodeId::none || is_server(actor)) return;
    const bool does_several = chat_.world().node(actor).processes.size() > 1;
    std::uint64_t& remembered = actors_[{actor, does_several ? subject : sim::Subject::none}];
    remembered = sim::mix(remembered, what);
}

void StateKey::forget(sim::NodeId actor) {
    std::erase_if(actors_, [&](const auto& each) { return each.first.first == actor; });
}

void StateKey::note_run(const sim::Step& step, std::uint64_t what) {
    Run& run = runs_[step.subject];
    const std::uint64_t by_whom = Digest().add(what).add(std::uint64_t(step.actor)).value();
    if (((user_steps >> step.kind) & 1) != 0) {
        run.of_users = Digest().add(run.of_users).add(by_whom).add(run.of_rows).value();
        return;
    }
    run.steps = sim::mix(run.steps, by_whom);
    if (((row_steps >> step.kind) & 1) != 0) run.of_rows = sim::mix(run.of_rows, what);
    if (step.as<model::ReplyStored>() != nullptr)
        replies_ = sim::mix(replies_, static_cast<std::uint64_t>(step.subject));
}

void StateKey::observe(const sim::Step& step) {
    if (((fault_marks >> step.kind) & 1) != 0 || finds_nothing(step)) return;
    if (step.as<sim::Crashed>() != nullptr) return forget(step.actor);
    if (const auto* const replied = step.as<sim::Replied>())
        return note_actor(replied->client, step.subject,
                          Digest()
                              .add(replied->operation)
                              .add(replied->occurrence)
                              .add(answers_with_times(replied->operation) ? 0 : replied->content)
                              .value());
    const std::uint64_t what = told(step);
    // Whoever died of it remembers nothing of what it cut; promises may.
    const bool is_cut = step.as<sim::Cut>() != nullptr;
    if (!is_cut) note_actor(step.actor, step.subject, what);
    if (step.as<model::Decided>() != nullptr) return;
    if (step.kind >= model::first_kind || is_cut) note_run(step, what);
}

std::uint64_t StateKey::models() {
    const std::uint64_t changes = chat_.broker().changes() + chat_.database().changes();
    if (changes == changes_) return models_;
    changes_ = changes;
    const database::Snapshot tables = chat_.database().server().snapshot();
    Digest digest;
    digest.add(digest_of(chat_.broker().snapshot()));
    for (const sim::NodeId client : chat_.broker().waiting())
        digest.add(static_cast<std::uint64_t>(client));
    digest.add(DatabaseDigest(tables, chat_.world().network()).value());
    return models_ = digest.value();
}

std::uint64_t StateKey::now() {
    std::uint64_t sum = 0;
    for (const auto& [who, told] : actors_)
        sum += Digest()
                   .add(1u)
                   .add(static_cast<std::uint64_t>(who.first))
                   .add(static_cast<std::uint64_t>(who.second))
                   .add(told)
                   .value();
    for (const auto& [subject, run] : runs_)
        sum += Digest()
                   .add(2u)
                   .add(static_cast<std::uint64_t>(subject))
                   .add(run.steps)
                   .add(run.of_users)
                   .value();
    return Digest().add(sum).add(replies_).add(models()).add(chat_.world().outline()).value();
}

}  // namespace redeliver::scenarios
