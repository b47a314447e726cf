#include "model/redis/arguments.h"

#include <type_traits>
#include <utility>

namespace redeliver::model::redis {
namespace {

/// Collects the words of one command.
class Words {
public:
    Words& operator<<(std::string word) {
        words_.push_back(std::move(word));
        return *this;
    }
    Words& operator<<(std::string_view word) { return *this << std::string(word); }
    Words& operator<<(const char* word) { return *this << std::string(word); }
    Words& operator<<(std::int64_t number) { return *this << std::to_string(number); }
    Words& operator<<(EntryId id) { return *this << to_string(id); }
    Words& operator<<(Milliseconds time) { return *this << time.count(); }
    Words& operator<<(WallMillis time) { return *this << time.time_since_epoch().count(); }
    Words& operator<<(const Ids& ids) {
        for (const EntryId id : ids) *this << id;
        return *this;
    }
    Words& operator<<(const std::vector<std::string>& keys) {
        for (const std::string& key : keys) *this << key;
        return *this;
    }

    template <typename Value>
    Words& option(const char* name, const std::optional<Value>& value) {
        if (value) *this << name << *value;
        return *this;
    }

    std::vector<std::string> take() { return std::move(words_); }

private:
    std::vector<std::string> words_;
};

std::string text_of(Bound bound) {
    const std::string id = bound.id == min_entry_id   ? "-"
                           : bound.id == max_entry_id ? "+"
                                                      : to_string(bound.id);
    return bound.edge == Bound::Edge::exclusive ? "(" + to_string(bound.id) : id;
}

std::string text_of(std::optional<EntryId> position) {
    return position ? to_string(*position) : "$";
}

/// With all its digits, so that it reads back as the same number.
std::string text_of(Score score) { return to_text(score, Configuration::Version::v7_0); }

std::string text_of(ScoreBound bound) {
    return (bound.edge == ScoreBound::Edge::exclusive ? "(" : "") + text_of(bound.score);
}

void add_trim(Words& words, const Trim& trim) {
    const char* const sign = trim.precision == Trim::Precision::exact ? "=" : "~";
    if (const auto* const max_len = std::get_if<MaxLen>(&trim.keep))
        words << "MAXLEN" << sign << max_len->entries;
    else
        words << "MINID" << sign << std::get<MinId>(trim.keep).id;
    words.option("LIMIT", trim.limit);
}

std::string text_of(const std::variant<AutoId, AutoSeq, EntryId>& id) {
    if (std::holds_alternative<AutoId>(id)) return "*";
    if (const auto* const seq = std::get_if<AutoSeq>(&id)) return std::to_string(seq->ms) + "-*";
    return to_string(std::get<EntryId>(id));
}

void add_expiry(Words& words, const Set& set) {
    if (const auto* const in = std::get_if<ExpireIn>(&set.expiry)) words << "PX" << in->after;
    if (const auto* const at = std::get_if<ExpireAt>(&set.expiry)) words << "PXAT" << at->when;
    if (std::holds_alternative<KeepTtl>(set.expiry)) words << "KEEPTTL";
}

constexpr std::int64_t milliseconds_per_second = 1000;

void add_condition(Words& words, IfExpiry condition) {
    switch (condition) {
    case IfExpiry::whatever: return;
    case IfExpiry::is_absent: words << "NX"; return;
    case IfExpiry::is_present: words << "XX"; return;
    case IfExpiry::is_sooner: words << "GT"; return;
    case IfExpiry::is_later: words << "LT"; return;
    case IfExpiry::is_present_and_later:
        words << "XX"
              << "LT";
        return;
    }
}

/// Spells each command out.
struct Spell {
    Words& words;

    void operator()(const Xadd& c) const {
        words << "XADD" << c.key;
        if (c.if_missing == Xadd::IfMissing::skip) words << "NOMKSTREAM";
        if (c.trim) add_trim(words, *c.trim);
        words << text_of(c.id);
        for (std::size_t i = 0; i < c.body.size(); ++i) words << c.body.field(i) << c.body.value(i);
    }
    void operator()(const Xlen& c) const { words << "XLEN" << c.key; }
    void operator()(const Xdel& c) const { words << "XDEL" << c.key << c.ids; }
    void operator()(const Xtrim& c) const {
        words << "XTRIM" << c.key;
        add_trim(words, c.trim);
    }
    void operator()(const Xsetid& c) const {
        words << "XSETID" << c.key << c.last_id;
        words.option("ENTRIESADDED", c.entries_added).option("MAXDELETEDID", c.max_deleted_id);
    }
    void operator()(const Xrange& c) const {
        const bool forward = c.order == Xrange::Order::oldest_first;
        words << (forward ? "XRANGE" : "XREVRANGE") << c.key;
        words << text_of(forward ? c.start : c.end) << text_of(forward ? c.end : c.start);
        words.option("COUNT", c.count);
    }
    void operator()(const Xread& c) const {
        words << "XREAD";
        if (c.count != 0) words << "COUNT" << c.count;
        words.option("BLOCK", c.block) << "STREAMS";
        for (const auto& position : c.streams) words << position.key;
        for (const auto& position : c.streams)
            words << (position.from == Xread::Position::From::last_entry ? "+"
                                                                         : text_of(position.after));
    }
    void operator()(const Xreadgroup& c) const {
        words << "XREADGROUP"
              << "GROUP" << c.group << c.consumer;
        if (c.count != 0) words << "COUNT" << c.count;
        words.option("BLOCK", c.block);
        if (c.acknowledgement == Xreadgroup::Acknowledgement::none) words << "NOACK";
        words << "STREAMS";
        for (const auto& position : c.streams) words << position.key;
        for (const auto& position : c.streams)
            words << (position.after == undelivered ? ">" : to_string(position.after));
    }
    void operator()(const XgroupCreate& c) const {
        words << "XGROUP"
              << "CREATE" << c.key << c.group << text_of(c.start);
        if (c.if_missing == XgroupCreate::IfMissing::create_stream) words << "MKSTREAM";
        words.option("ENTRIESREAD", c.entries_read);
    }
    void operator()(const XgroupSetid& c) const {
        words << "XGROUP"
              << "SETID" << c.key << c.group << text_of(c.last_delivered_id);
        words.option("ENTRIESREAD", c.entries_read);
    }
    void operator()(const XgroupDestroy& c) const {
        words << "XGROUP"
              << "DESTROY" << c.key << c.group;
    }
    void operator()(const XgroupCreateconsumer& c) const {
        words << "XGROUP"
              << "CREATECONSUMER" << c.key << c.group << c.consumer;
    }
    void operator()(const XgroupDelconsumer& c) const {
        words << "XGROUP"
              << "DELCONSUMER" << c.key << c.group << c.consumer;
    }
    void operator()(const Xack& c) const { words << "XACK" << c.key << c.group << c.ids; }
    void operator()(const XpendingSummary& c) const { words << "XPENDING" << c.key << c.group; }
    void operator()(const XpendingRange& c) const {
        words << "XPENDING" << c.key << c.group;
        if (c.min_idle_time != Milliseconds{0}) words << "IDLE" << c.min_idle_time;
        words << text_of(c.start) << text_of(c.end) << c.count;
        if (c.consumer) words << *c.consumer;
    }
    void operator()(const Xclaim& c) const {
        words << "XCLAIM" << c.key << c.group << c.consumer << c.min_idle_time << c.ids;
        if (const auto* const idle = std::get_if<Milliseconds>(&c.delivered))
            words << "IDLE" << *idle;
        if (const auto* const time = std::get_if<WallMillis>(&c.delivered))
            words << "TIME" << *time;
        words.option("RETRYCOUNT", c.delivery_count);
        const bool forces = c.if_not_pending == Xclaim::IfNotPending::create;
        // In this order where a row is propagated; a rewritten log, which says no LASTID, has the
        // other.
        if (forces && c.last_delivered_id) words << "FORCE";
        if (c.reply == ClaimReply::ids_only) words << "JUSTID";
        if (forces && !c.last_delivered_id) words << "FORCE";
        words.option("LASTID", c.last_delivered_id);
    }
    void operator()(const Xautoclaim& c) const {
        words << "XAUTOCLAIM" << c.key << c.group << c.consumer << c.min_idle_time;
        words << text_of(c.start) << "COUNT" << c.count;
        if (c.reply == ClaimReply::ids_only) words << "JUSTID";
    }
    void operator()(const XinfoStream& c) const {
        words << "XINFO"
              << "STREAM" << c.key;
    }
    void operator()(const XinfoStreamFull& c) const {
        words << "XINFO"
              << "STREAM" << c.key << "FULL"
              << "COUNT" << c.count;
    }
    void operator()(const XinfoGroups& c) const {
        words << "XINFO"
              << "GROUPS" << c.key;
    }
    void operator()(const XinfoConsumers& c) const {
        words << "XINFO"
              << "CONSUMERS" << c.key << c.group;
    }
    void operator()(const Set& c) const {
        words << "SET" << c.key << c.value;
        if (c.condition == Set::Condition::if_absent) words << "NX";
        if (c.condition == Set::Condition::if_present) words << "XX";
        if (c.answer == Set::Answer::old_value) words << "GET";
        add_expiry(words, c);
    }
    void operator()(const Get& c) const { words << "GET" << c.key; }
    void operator()(const Del& c) const { words << "DEL" << c.keys; }
    void operator()(const Exists& c) const { words << "EXISTS" << c.keys; }
    void operator()(const Pexpireat& c) const {
        words << "PEXPIREAT" << c.key << c.when;
        add_condition(words, c.condition);
    }
    void operator()(const Pexpire& c) const {
        if (c.unit == Unit::seconds)
            words << "EXPIRE" << c.key << c.after.count() / milliseconds_per_second;
        else
            words << "PEXPIRE" << c.key << c.after;
        add_condition(words, c.condition);
    }
    void operator()(const Pttl& c) const {
        words << (c.unit == Unit::seconds ? "TTL" : "PTTL") << c.key;
    }
    void operator()(const Persist& c) const { words << "PERSIST" << c.key; }
    void operator()(const Rename& c) const {
        words << (c.if_taken == Rename::IfTaken::overwrite ? "RENAME" : "RENAMENX") << c.from
              << c.to;
    }
    void operator()(const Type& c) const { words << "TYPE" << c.key; }
    void operator()(const Flushall&) const { words << "FLUSHALL"; }
    void operator()(const Restore& c) const {
        words << "RESTORE" << c.key << c.ttl_ms << c.payload;
        if (c.if_taken == Restore::IfTaken::replace) words << "REPLACE";
        if (c.from == Restore::From::epoch) words << "ABSTTL";
    }
    void operator()(const Ping& c) const {
        words << "PING";
        if (c.message) words << *c.message;
    }
    void operator()(const Echo& c) const { words << "ECHO" << c.message; }
    void operator()(const Help& c) const {
        words << (c.about == Help::About::xgroup ? "XGROUP" : "XINFO") << "HELP";
    }
    void operator()(const Watch& c) const { words << "WATCH" << c.keys; }
    void operator()(const Unwatch&) const { words << "UNWATCH"; }
    void operator()(const Multi&) const { words << "MULTI"; }
    void operator()(const Exec&) const { words << "EXEC"; }
    void operator()(const Discard&) const { words << "DISCARD"; }
    void operator()(const Flawed& c) const { words << c.words; }
    void operator()(const Hosted& c) const { words << c.words; }
    void operator()(const Zadd& c) const {
        words << "ZADD" << c.key;
        if (c.condition == Zadd::Condition::if_absent) words << "NX";
        if (c.condition == Zadd::Condition::if_present) words << "XX";
        if (c.moves == Zadd::Moves::upwards) words << "GT";
        if (c.moves == Zadd::Moves::downwards) words << "LT";
        if (c.answer == Zadd::Answer::changed) words << "CH";
        if (c.mode == Zadd::Mode::increment) words << "INCR";
        for (const auto& [score, member] : c.members) words << text_of(score) << member;
    }
    void operator()(const Zrem& c) const { words << "ZREM" << c.key << c.members; }
    void operator()(const Zcard& c) const { words << "ZCARD" << c.key; }
    void operator()(const Zscore& c) const { words << "ZSCORE" << c.key << c.member; }
    void operator()(const Zcount& c) const {
        words << "ZCOUNT" << c.key << text_of(c.min) << text_of(c.max);
    }
    void operator()(const Zrange& c) const {
        const bool reversed = c.order == Zrange::Order::descending;
        words << "ZRANGE" << c.key;
        if (const auto* const ranks = std::get_if<RankRange>(&c.range)) {
            words << ranks->first << ranks->last;
            if (reversed) words << "REV";
        } else {
            const auto& scores = std::get<ScoreRange>(c.range);
            words << text_of(reversed ? scores.max : scores.min);
            words << text_of(reversed ? scores.min : scores.max) << "BYSCORE";
            if (reversed) words << "REV";
            words << "LIMIT" << scores.offset << scores.count;
        }
        if (c.answer == Zrange::Answer::with_scores) words << "WITHSCORES";
    }
    void operator()(const Zpopmin& c) const {
        words << "ZPOPMIN" << c.key;
        if (c.count) words << std::to_string(*c.count);
    }
    void operator()(const Zremrangebyscore& c) const {
        words << "ZREMRANGEBYSCORE" << c.key << text_of(c.min) << text_of(c.max);
    }
    void operator()(const Push& c) const {
        words << (c.end == Push::End::head ? "LPUSH" : "RPUSH") << c.key << c.elements;
    }
    void operator()(const Sadd& c) const { words << "SADD" << c.key << c.members; }
};

}  // namespace

std::vector<std::string> arguments(const Command& command) {
    Words words;
    std::visit(Spell{words}, command);
    return words.take();
}

}  // namespace redeliver::model::redis
