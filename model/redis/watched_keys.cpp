#include "model/redis/watched_keys.h"

#include "sim/ensure.h"

namespace redeliver::model::redis {

void WatchedKeys::watch(SessionId session, const std::string& key) {
    by_key_[key].insert(session);
    by_session_[session].insert(key);
}

void WatchedKeys::unwatch(SessionId session) {
    const auto watches = by_session_.find(session);
    if (watches == by_session_.end()) return;
    for (const std::string& key : watches->second) {
        const auto watchers = by_key_.find(key);
        sim::ensure(watchers != by_key_.end() && watchers->second.erase(session) == 1,
                    "a watch is known by its key and by its session");
        if (watchers->second.empty()) by_key_.erase(watchers);
    }
    by_session_.erase(watches);
    broken_.erase(session);
}

void WatchedKeys::written(std::string_view key) {
    if (by_key_.empty()) return;
    const auto watchers = by_key_.find(key);
    if (watchers != by_key_.end()) broken_.insert(watchers->second.begin(), watchers->second.end());
}

}  // namespace redeliver::model::redis
