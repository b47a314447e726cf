#include "model/redis/blocked_reads.h"

#include <algorithm>

#include "sim/ensure.h"

namespace redeliver::model::redis {

std::vector<std::string_view> keys_of(const std::variant<Xread, Xreadgroup>& command) {
    std::vector<std::string_view> keys;
    std::visit(
        [&keys](const auto& read) {
            for (const auto& position : read.streams) keys.push_back(position.key);
        },
        command);
    return keys;
}

void BlockedReads::add(BlockedRead read) {
    read.number = next_number_++;
    for (const std::string_view key : keys_of(read.command)) {
        auto queue = queues_.find(key);
        if (queue == queues_.end()) queue = queues_.emplace(key, std::deque<SessionId>{}).first;
        // A key named twice queues once, as in blockForKeys().
        if (queue->second.empty() || queue->second.back() != read.session)
            queue->second.push_back(read.session);
    }
    if (read.deadline) deadlines_.emplace(*read.deadline, read.number, read.session);
    const auto session = read.session;
    const bool is_new = by_session_.emplace(session, std::move(read)).second;
    sim::ensure(is_new, "a session waits in one read at a time");
}

BlockedRead BlockedReads::remove(SessionId session) {
    const auto found = by_session_.find(session);
    sim::ensure(found != by_session_.end(), "a session that stops waiting was waiting");
    BlockedRead read = std::move(found->second);
    by_session_.erase(found);
    if (read.deadline) deadlines_.erase({*read.deadline, read.number, session});
    for (const std::string_view key : keys_of(read.command)) {
        const auto queue = queues_.find(key);
        if (queue == queues_.end()) continue;  // The key was named twice.
        std::erase(queue->second, session);
        if (queue->second.empty()) queues_.erase(queue);
    }
    return read;
}

const BlockedRead* BlockedReads::find(SessionId session) const {
    const auto found = by_session_.find(session);
    return found == by_session_.end() ? nullptr : &found->second;
}

std::vector<const BlockedRead*> BlockedReads::by_arrival() const {
    std::vector<const BlockedRead*> reads;
    for (const auto& [session, read] : by_session_) reads.push_back(&read);
    std::sort(reads.begin(), reads.end(), [](const BlockedRead* one, const BlockedRead* other) {
        return one->number < other->number;
    });
    return reads;
}

std::vector<SessionId> BlockedReads::waiting_for(std::string_view key) const {
    const auto queue = queues_.find(key);
    if (queue == queues_.end()) return {};
    return {queue->second.begin(), queue->second.end()};
}

void BlockedReads::signal(std::string_view key) {
    if (by_session_.empty() || !queues_.contains(key)) return;
    if (std::find(signalled_.begin(), signalled_.end(), key) != signalled_.end()) return;
    signalled_.emplace_back(key);
}

std::optional<std::string> BlockedReads::take_signalled() {
    if (signalled_.empty()) return std::nullopt;
    std::string key = std::move(signalled_.front());
    signalled_.pop_front();
    return key;
}

std::optional<sim::WallTime> BlockedReads::next_deadline() const {
    if (deadlines_.empty()) return std::nullopt;
    return std::get<sim::WallTime>(*deadlines_.begin());
}

SessionId BlockedReads::next_to_time_out() const {
    sim::ensure(!deadlines_.empty(), "somebody waits with a deadline");
    return std::get<SessionId>(*deadlines_.begin());
}

}  // namespace redeliver::model::redis
