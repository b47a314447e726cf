// Server::digest(): every field of the state, in a fixed order.

#include "model/redis/arguments.h"
#include "model/redis/hasher.h"
#include "model/redis/server_state.h"

namespace redeliver::model::redis {
namespace {

/// Folds state into a Hasher. Names enter as text, because their numbers depend on the past.
class Digest {
public:
    explicit Digest(Configuration::Version version) : version_(version) {}

    std::uint64_t value() const { return hasher_.value(); }

    template <typename Number>
    void number(Number value) {
        hasher_.add(value);
    }
    void text(std::string_view text) { hasher_.add(text); }
    void id(EntryId id) {
        hasher_.add(id.ms);
        hasher_.add(id.seq);
    }
    void time(WallMillis time) { hasher_.add(time.time_since_epoch().count()); }
    void time(sim::WallTime time) { hasher_.add(time.time_since_epoch().count()); }
    template <typename Time>
    void time(std::optional<Time> when) {
        hasher_.add(when.has_value());
        if (when) time(*when);
    }

    void command(const Command& command) {
        const auto words = arguments(command);
        hasher_.add(std::uint64_t{words.size()});
        for (const std::string& word : words) text(word);
        if (const auto* const xadd = std::get_if<Xadd>(&command)) hasher_.add(xadd->label);
    }

    void keyspace(const Keyspace& keys) {
        hasher_.add(std::uint64_t{keys.keys().size()});
        for (const auto& [key, value] : keys.keys()) {
            text(key);
            time(value.expires_at);
            hasher_.add(value.stream() != nullptr);
            if (value.stream())
                stream(*value.stream());
            else
                std::visit([this](const auto& held) { other(held); }, value.held);
        }
    }

private:
    void other(const Stream&) {}
    void other(const std::string& held) { text(held); }
    void other(const SortedSet& set) {
        text("zset");
        hasher_.add(std::uint64_t{set.size()});
        for (const auto& [score, member] : set.members()) {
            text(to_text(score, Configuration::Version::v7_0));
            text(member);
        }
    }
    void other(const StringList& list) { strings("list", list); }
    void other(const StringSet& set) { strings("set", set); }
    template <typename Strings>
    void strings(std::string_view type, const Strings& all) {
        text(type);
        hasher_.add(std::uint64_t{all.size()});
        for (const std::string& one : all) text(one);
    }

    void stream(const Stream& stream) {
        id(stream.last_id);
        id(stream.max_deleted_id);
        hasher_.add(stream.entries_added);
        stream.entries.digest(hasher_);
        hasher_.add(std::uint64_t{stream.groups.size()});
        for (const auto& [name, group] : stream.groups) {
            text(name);
            this->group(group);
        }
    }

    void group(const ConsumerGroup& group) {
        id(group.last_delivered_id);
        hasher_.add(group.entries_read.has_value());
        hasher_.add(group.entries_read.value_or(0));
        hasher_.add(std::uint64_t{group.consumers.size()});
        for (const ConsumerSlot slot : group.consumers.by_text()) {
            const Consumer& consumer = group.consumers.at(slot);
            text(consumer.text);
            time(consumer.seen_at);
            // Nobody can see it in earlier versions.
            if (version_ >= Configuration::Version::v7_2) time(consumer.active_at);
            hasher_.add(consumer.pending);
        }
        const PendingList& rows = group.pending;
        hasher_.add(std::uint64_t{rows.size()});
        for (auto at = rows.begin(); at != rows.end(); at = rows.after(at)) {
            const PendingEntry& row = rows.at(at);
            id(row.id);
            text(group.consumers.at(row.owner).text);
            time(row.delivered_at);
            hasher_.add(row.delivery_count);
            hasher_.add(row.label);
        }
    }

    Configuration::Version version_;
    Hasher hasher_;
};

void add_sessions(Digest& digest, const std::map<SessionId, Session>& sessions) {
    digest.number(std::uint64_t{sessions.size()});
    for (const auto& [session, state] : sessions) {
        digest.number(session);
        digest.number(state.transaction.has_value());
        if (state.transaction) {
            digest.number(state.transaction->health);
            digest.number(std::uint64_t{state.transaction->queued.size()});
            for (const Command& command : state.transaction->queued) digest.command(command);
        }
        digest.number(std::uint64_t{state.waiting.size()});
        for (const Command& command : state.waiting) digest.command(command);
    }
}

void add_watches(Digest& digest, const WatchedKeys& watched) {
    digest.number(std::uint64_t{watched.by_key().size()});
    for (const auto& [key, sessions] : watched.by_key()) {
        digest.text(key);
        digest.number(std::uint64_t{sessions.size()});
        for (const SessionId session : sessions) {
            digest.number(session);
            digest.number(watched.is_broken(session));
        }
    }
}

/// In order of arrival, which is what decides who is served; not by the numbers themselves.
void add_blocked(Digest& digest, const BlockedReads& blocked) {
    digest.number(std::uint64_t{blocked.size()});
    for (const BlockedRead* const read : blocked.by_arrival()) {
        digest.number(read->session);
        digest.time(read->deadline);
        std::visit([&digest](const auto& command) { digest.command(command); }, read->command);
    }
}

void add_journal(Digest& digest, const std::optional<Journal>& journal) {
    digest.number(journal.has_value());
    if (!journal) return;
    digest.keyspace(journal->base());
    digest.number(journal->synced());
    digest.time(journal->sync_due());
    if (const auto& rewritten = journal->rewritten()) {
        digest.number(rewritten->form);
        digest.number(rewritten->covered);
        digest.keyspace(rewritten->keys);
    }
    digest.number(journal->last_sync_tick());
    digest.number(std::uint64_t{journal->tail().size()});
    for (const Journal::Record& record : journal->tail()) {
        digest.time(record.at);
        digest.number(std::uint64_t{record.commands.size()});
        for (const Command& command : record.commands) digest.command(command);
    }
}

}  // namespace

std::uint64_t Server::digest() const {
    const State& state = *state_;
    Digest digest(state.configuration.version);
    digest.number(state.role);
    digest.keyspace(state.keys);
    add_sessions(digest, state.sessions);
    add_watches(digest, state.watched);
    add_blocked(digest, state.blocked);
    add_journal(digest, state.journal);
    return digest.value();
}

}  // namespace redeliver::model::redis
