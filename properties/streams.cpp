#include "properties/streams.h"

#include <algorithm>
#include <utility>

#include "sim/ensure.h"

namespace redeliver::properties {

using model::BrokerForgot;
using model::EntryKey;
using sim::Name;
using sim::NodeId;
using sim::Step;
using sim::Subject;

void Streams::observe(const Step& step) {
    switch (step.kind) {
    case model::Added::kind: return add(step.subject, step.as<model::Added>()->entry);
    case model::Delivered::kind: {
        const auto& to = *step.as<model::Delivered>();
        return deliver(step, to.entry, to.group, to.consumer, to.delivery_count);
    }
    case model::Reread::kind: {
        const auto& to = *step.as<model::Reread>();
        return deliver(step, to.entry, to.group, to.consumer, to.delivery_count);
    }
    case model::Claimed::kind: return claim(step, *step.as<model::Claimed>());
    case model::Acknowledged::kind:
        return acknowledge(step.subject, *step.as<model::Acknowledged>());
    case model::EntryRemoved::kind: return remove(step.subject, *step.as<model::EntryRemoved>());
    case model::PendingDropped::kind: return drop(step.subject, *step.as<model::PendingDropped>());
    case model::DeadLettered::kind: return bury(step.subject, *step.as<model::DeadLettered>());
    case BrokerForgot::kind: return forget(step.subject, *step.as<BrokerForgot>());
    default: return;
    }
}

void Streams::clear() {
    heads_.clear();
    without_run_ = {};
    entries_.clear();
    rows_.clear();
    streams_.clear();
    groups_.clear();
    nodes_.clear();
    pending_rows_ = unread_ = dead_letters_ = strays_ = 0;
}

// ------------------------------------------------------------------ finding

std::uint64_t Streams::length(Name name) const {
    for (const Stream& stream : streams_)
        if (stream.name == name) return stream.length;
    return 0;
}

bool Streams::is_pending(Subject run) const {
    bool found = false;
    for_each_entry(run, [&](const Entry& entry) {
        for_each_row(entry, [&](const Row& row) { found |= row.is_pending; });
    });
    return found;
}

std::uint32_t Streams::delivery_count(Subject run) const {
    std::uint32_t most = 0;
    for_each_entry(run, [&](const Entry& entry) {
        for_each_row(entry, [&](const Row& row) { most = std::max(most, row.delivery_count); });
    });
    return most;
}

const Streams::Row* Streams::pending_row(Subject run, const EntryKey& key, Name owner) const {
    for (std::uint32_t index = head_of(run); index != nothing; index = entries_[index].next)
        if (entries_[index].key == key) return row_of_owner(entries_[index], owner);
    return nullptr;
}

std::uint32_t Streams::head_of(Subject run) const {
    if (!model::is_run(run)) return without_run_.first;
    const Head* const head = heads_.find(run);
    return head == nullptr ? nothing : head->first;
}

Streams::Head& Streams::head(Subject run) {
    return model::is_run(run) ? heads_[run] : without_run_;
}

Streams::Stream& Streams::stream(Name name) {
    for (Stream& stream : streams_)
        if (stream.name == name) return stream;
    return streams_.emplace_back(Stream{.name = name});
}

Streams::Entry* Streams::find(Subject run, const EntryKey& key) {
    for (std::uint32_t index = head_of(run); index != nothing; index = entries_[index].next)
        if (entries_[index].key == key) return &entries_[index];
    return model::is_run(run) ? nullptr : find_anywhere(key);
}

Streams::Entry* Streams::find_anywhere(const EntryKey& key) {
    for (Entry& entry : entries_)
        if (entry.key == key) return &entry;
    return nullptr;
}

Streams::Entry& Streams::make(Subject run, const EntryKey& key) {
    Head& list = head(run);
    Entry& entry = entries_.emplace_back(Entry{.key = key, .next = list.first});
    list.first = static_cast<std::uint32_t>(entries_.size() - 1);
    return entry;
}

Streams::Entry& Streams::delivered_entry(Subject run, const EntryKey& key) {
    if (Entry* const entry = find(run, key)) return *entry;
    ++strays_;
    Entry& entry = make(run, key);
    appear(entry);
    return entry;
}

Streams::Row* Streams::row(const Entry& entry, Name group) {
    for (std::uint32_t index = entry.rows; index != nothing; index = rows_[index].next)
        if (rows_[index].group == group) return &rows_[index];
    return nullptr;
}

const Streams::Row* Streams::row_of_owner(const Entry& entry, Name owner) const {
    // Two groups may both have a consumer of this name; which row is meant then cannot be told.
    const Row* any = nullptr;
    for (std::uint32_t index = entry.rows; index != nothing; index = rows_[index].next) {
        if (!rows_[index].is_pending) continue;
        if (rows_[index].owner == owner) return &rows_[index];
        any = &rows_[index];
    }
    return any;
}

Streams::Row* Streams::row_of_owner(const Entry& entry, Name owner) {
    return const_cast<Row*>(std::as_const(*this).row_of_owner(entry, owner));
}

Streams::Row& Streams::make_row(Entry& entry, Name group) {
    Row& row = rows_.emplace_back(Row{.group = group, .next = entry.rows});
    entry.rows = static_cast<std::uint32_t>(rows_.size() - 1);
    return row;
}

Name Streams::group_of(Name stream) const {
    const auto group = std::ranges::find(groups_, stream, &Group::stream);
    return group == groups_.end() ? Name::none : group->name;
}

NodeId Streams::node_of(Name consumer) const {
    const auto number = static_cast<std::size_t>(consumer);
    return number < nodes_.size() ? nodes_[number] : NodeId::none;
}

// ------------------------------------------------------------------ changing

void Streams::appear(Entry& entry) {
    if (entry.is_present) return;
    entry.is_present = true;
    if (entry.is_dead_letter) {
        ++dead_letters_;
        return;
    }
    Stream& in = stream(entry.key.stream);
    ++in.length;
    unread_ += in.readers() - deliveries_of(entry);
}

void Streams::disappear(Entry& entry) {
    if (!entry.is_present) return;
    entry.is_present = false;
    if (entry.is_dead_letter) {
        sim::ensure(dead_letters_ > 0, "a dead letter that goes was there");
        --dead_letters_;
        return;
    }
    Stream& in = stream(entry.key.stream);
    const std::uint64_t missed = in.readers() - deliveries_of(entry);
    sim::ensure(in.length > 0, "an entry that goes was in its stream");
    sim::ensure(unread_ >= missed, "whoever had not read an entry was counted");
    --in.length;
    unread_ -= missed;
}

std::uint64_t Streams::deliveries_of(const Entry& entry) const {
    std::uint64_t delivered = 0;
    for_each_row(entry, [&](const Row& row) { delivered += row.is_delivered ? 1 : 0; });
    return delivered;
}

void Streams::set_pending(Row& row) {
    if (!row.is_pending) ++pending_rows_;
    row.is_pending = true;
}

void Streams::set_settled(Row& row) {
    if (!row.is_pending) return;
    sim::ensure(pending_rows_ > 0, "a row that is settled was pending");
    --pending_rows_;
    row.is_pending = false;
}

void Streams::first_delivery(Entry& entry, Row& row) {
    row.is_delivered = true;
    Stream& in = stream(entry.key.stream);
    const Group group{entry.key.stream, row.group};
    if (std::ranges::find(groups_, group) == groups_.end()) {
        // The first group is the one that was counted as reading all along.
        if (++in.groups > 1) unread_ += in.length;
        groups_.push_back(group);
    }
    if (!entry.is_present || entry.is_dead_letter) return;
    sim::ensure(unread_ > 0, "an entry that is delivered for the first time was unread");
    --unread_;
}

void Streams::hand_over(const Step& step, Row& row, Name consumer, std::uint32_t count) {
    row.owner = consumer;
    row.holder = step.actor;
    row.since = step.number;
    row.delivery_count = count;
    set_pending(row);
    const auto number = static_cast<std::size_t>(consumer);
    sim::ensure(number <= sim::max_subject_number, "names are numbered without gaps");
    if (number >= nodes_.size()) nodes_.resize(number + 1, NodeId::none);
    nodes_[number] = step.actor;
}

void Streams::add(Subject run, const EntryKey& key) {
    Entry* const known = find(run, key);  // A loss may have made the id free again.
    appear(known != nullptr ? *known : make(run, key));
}

void Streams::deliver(const Step& step, const EntryKey& key, Name group, Name consumer,
                      std::uint32_t count) {
    Entry& entry = delivered_entry(step.subject, key);
    Row* const known = row(entry, group);
    Row& row = known != nullptr ? *known : make_row(entry, group);
    if (!row.is_delivered) first_delivery(entry, row);
    hand_over(step, row, consumer, count);
}

void Streams::claim(const Step& step, const model::Claimed& claimed) {
    Entry& entry = delivered_entry(step.subject, claimed.entry);
    Row* row = row_of_owner(entry, claimed.from);
    if (row == nullptr) {  // XCLAIM FORCE makes a row of its own.
        const auto group = group_of(claimed.entry.stream);
        row = this->row(entry, group);
        if (row == nullptr) row = &make_row(entry, group);
        if (!row->is_delivered) first_delivery(entry, *row);
    }
    hand_over(step, *row, claimed.to, claimed.delivery_count);
}

void Streams::acknowledge(Subject run, const model::Acknowledged& acknowledged) {
    Entry* const entry = find(run, acknowledged.entry);
    if (entry == nullptr) return;
    Row* const row = this->row(*entry, acknowledged.group);
    if (row != nullptr) set_settled(*row);
}

void Streams::remove(Subject run, const model::EntryRemoved& removed) {
    if (Entry* const entry = find(run, removed.entry)) disappear(*entry);
}

void Streams::drop(Subject run, const model::PendingDropped& dropped) {
    Entry* const entry = find(run, dropped.entry);
    if (entry == nullptr) return;
    if (Row* const row = row_of_owner(*entry, dropped.owner)) set_settled(*row);
}

void Streams::bury(Subject run, const model::DeadLettered& dead_lettered) {
    Entry* const known = find(run, dead_lettered.entry);
    Entry& entry = known != nullptr ? *known : make(run, dead_lettered.entry);
    entry.is_dead_letter = true;
    appear(entry);
}

// ------------------------------------------------------------------ losses

void Streams::forget(Subject run, const BrokerForgot& forgot) {
    using What = BrokerForgot::What;
    Entry* const entry = find(run, forgot.entry);
    if (entry == nullptr) return;
    switch (forgot.what) {
    case What::entry:
    case What::dead_letter: forget_rows(*entry); return disappear(*entry);
    case What::removal: return appear(*entry);
    case What::acknowledgement: return pend_again(*entry, forgot.consumer);
    case What::delivery: return forget_delivery(*entry, forgot.consumer);
    case What::claim: return give_back(*entry, forgot.consumer);
    case What::other: return;
    }
}

void Streams::forget_rows(Entry& entry) {
    const std::uint64_t readers = entry.is_dead_letter ? 0 : stream(entry.key.stream).readers();
    const std::uint64_t delivered = deliveries_of(entry);
    for (std::uint32_t index = entry.rows; index != nothing; index = rows_[index].next) {
        set_settled(rows_[index]);
        rows_[index].is_delivered = false;
    }
    // Nobody has been given it now; should it go, as many will not miss it.
    if (entry.is_present && readers > 0) unread_ += delivered;
}

void Streams::forget_delivery(Entry& entry, Name consumer) {
    // Pending with this consumer; else settled, whoever had it; else whatever was delivered.
    Row* forgotten = nullptr;
    int likeness = 0;
    for (std::uint32_t index = entry.rows; index != nothing; index = rows_[index].next) {
        Row& row = rows_[index];
        if (!row.is_delivered) continue;
        const int its_likeness = !row.is_pending ? 2 : row.owner == consumer ? 3 : 1;
        if (its_likeness <= likeness) continue;
        forgotten = &row;
        likeness = its_likeness;
    }
    if (forgotten == nullptr) return;
    set_settled(*forgotten);
    forgotten->is_delivered = false;
    if (entry.is_present && !entry.is_dead_letter) ++unread_;
}

void Streams::pend_again(const Entry& entry, Name consumer) {
    Row* settled = nullptr;
    for (std::uint32_t index = entry.rows; index != nothing; index = rows_[index].next) {
        Row& row = rows_[index];
        if (row.is_pending || !row.is_delivered) continue;
        if (settled == nullptr || row.owner == consumer) settled = &row;
    }
    if (settled == nullptr) return;
    set_pending(*settled);
    settled->owner = consumer;
    settled->holder = node_of(consumer);
}

void Streams::give_back(const Entry& entry, Name consumer) {
    Row* const row = row_of_owner(entry, Name::none);
    if (row == nullptr) return;
    row->owner = consumer;
    row->holder = node_of(consumer);
}

}  // namespace redeliver::properties
