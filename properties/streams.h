#pragma once

#include <cstdint>
#include <vector>

#include "model/steps.h"
#include "properties/run_table.h"
#include "sim/recorder.h"
#include "sim/step.h"

namespace redeliver::properties {

/// The broker's streams, groups and pending lists, as the steps tell them.
///
/// At the end of a trial it equals what the broker holds: it follows deliveries, claims and
/// acknowledgements, trimming and deleted consumers, and whatever a loss of the broker undid.
/// Groups are known from the first delivery to one of them on; until then a stream counts as having
/// one, and every group counts as wanting all that is in the stream.
class Streams {
public:
    /// What a group knows of an entry once it has been delivered.
    struct Row {
        sim::Name group{};
        sim::Name owner{};
        /// The step and the node of the last delivery or claim.
        sim::StepNumber since = sim::no_step;
        std::uint32_t delivery_count = 0;
        std::uint32_t next = nothing;
        sim::NodeId holder = sim::NodeId::none;
        bool is_pending = false;
        /// False when a loss undid the delivery: the group will be given the entry as if new.
        bool is_delivered = false;
    };
    struct Entry {
        model::EntryKey key{};
        std::uint32_t next = nothing;
        std::uint32_t rows = nothing;
        bool is_present = false;
        bool is_dead_letter = false;
    };

    static constexpr sim::KindMask kinds =
        sim::kinds_of<model::Added, model::Delivered, model::Reread, model::Claimed,
                      model::Acknowledged, model::EntryRemoved, model::PendingDropped,
                      model::DeadLettered, model::BrokerForgot>;

    /// Follows one step; other kinds than those above leave everything as it is.
    void observe(const sim::Step& step);
    void clear();

    /// Rows on the pending lists of all groups.
    std::uint64_t pending_rows() const { return pending_rows_; }
    /// Deliveries of new entries still to come: present entries times groups that lack them.
    std::uint64_t unread() const { return unread_; }
    /// Entries in the dead-letter streams.
    std::uint64_t dead_letters() const { return dead_letters_; }
    /// Deliveries and claims of entries that were never seen to be added.
    std::uint64_t strays() const { return strays_; }
    /// Entries in a stream that workers read.
    std::uint64_t length(sim::Name stream) const;

    bool is_pending(sim::Subject run) const;
    /// The highest delivery count among the run's entries, settled ones too; 0 before any delivery.
    std::uint32_t delivery_count(sim::Subject run) const;
    /// The pending row that a step means which says an entry and an owner but no group; nullptr
    /// when there is none.
    const Row* pending_row(sim::Subject run, const model::EntryKey& key, sim::Name owner) const;

    /// Visits the entries made for a run, gone ones too, the newest first.
    template <class Visit>
    void for_each_entry(sim::Subject run, Visit visit) const {
        for (std::uint32_t index = head_of(run); index != nothing; index = entries_[index].next)
            visit(entries_[index]);
    }
    /// Visits every run that may have entries, and `Subject::none` for entries without one.
    template <class Visit>
    void for_each_run(Visit visit) const {
        heads_.for_each([&](sim::Subject run, const Head&) { visit(run); });
        visit(sim::Subject::none);
    }
    template <class Visit>
    void for_each_row(const Entry& entry, Visit visit) const {
        for (std::uint32_t index = entry.rows; index != nothing; index = rows_[index].next)
            visit(rows_[index]);
    }

private:
    static constexpr std::uint32_t nothing = 0xffff'ffff;
    struct Head {
        std::uint32_t first = nothing;
    };
    struct Stream {
        sim::Name name{};
        std::uint32_t groups = 0;  // That have been given something.
        std::uint64_t length = 0;
        std::uint64_t readers() const { return groups == 0 ? 1 : groups; }
    };
    struct Group {
        sim::Name stream{};
        sim::Name name{};
        friend bool operator==(const Group&, const Group&) = default;
    };

    std::uint32_t head_of(sim::Subject run) const;
    Head& head(sim::Subject run);
    Stream& stream(sim::Name name);
    Entry* find(sim::Subject run, const model::EntryKey& key);
    /// For steps that do not say the run, because the broker no longer knew it.
    Entry* find_anywhere(const model::EntryKey& key);
    Entry& make(sim::Subject run, const model::EntryKey& key);
    /// The entry that a delivery is of: a stray when it was never added.
    Entry& delivered_entry(sim::Subject run, const model::EntryKey& key);
    Row* row(const Entry& entry, sim::Name group);
    const Row* row_of_owner(const Entry& entry, sim::Name owner) const;
    Row* row_of_owner(const Entry& entry, sim::Name owner);
    Row& make_row(Entry& entry, sim::Name group);

    void appear(Entry& entry);
    void disappear(Entry& entry);
    /// To how many groups the entry has been delivered.
    std::uint64_t deliveries_of(const Entry& entry) const;
    void first_delivery(Entry& entry, Row& row);
    void set_pending(Row& row);
    void set_settled(Row& row);
    void hand_over(const sim::Step& step, Row& row, sim::Name consumer, std::uint32_t count);

    void add(sim::Subject run, const model::EntryKey& key);
    void deliver(const sim::Step& step, const model::EntryKey& key, sim::Name group,
                 sim::Name consumer, std::uint32_t count);
    void claim(const sim::Step& step, const model::Claimed& claimed);
    void acknowledge(sim::Subject run, const model::Acknowledged& acknowledged);
    void remove(sim::Subject run, const model::EntryRemoved& removed);
    void drop(sim::Subject run, const model::PendingDropped& dropped);
    void bury(sim::Subject run, const model::DeadLettered& dead_lettered);
    void forget(sim::Subject run, const model::BrokerForgot& forgot);
    void forget_delivery(Entry& entry, sim::Name consumer);
    void forget_rows(Entry& entry);
    void pend_again(const Entry& entry, sim::Name consumer);
    void give_back(const Entry& entry, sim::Name consumer);
    /// The first group that was given something of this stream.
    sim::Name group_of(sim::Name stream) const;
    sim::NodeId node_of(sim::Name consumer) const;

    RunTable<Head> heads_;
    Head without_run_;  // Entries that carry no run's id.
    std::vector<Entry> entries_;
    std::vector<Row> rows_;
    std::vector<Stream> streams_;
    std::vector<Group> groups_;
    std::vector<sim::NodeId> nodes_;  // Of consumers, by name: who used it last.
    std::uint64_t pending_rows_ = 0;
    std::uint64_t unread_ = 0;
    std::uint64_t dead_letters_ = 0;
    std::uint64_t strays_ = 0;
};

}  // namespace redeliver::properties
