#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "model/redis/session.h"

namespace redeliver::model::redis {

/// Who watches what, and whose watch has been broken.
class WatchedKeys {
public:
    void watch(SessionId session, const std::string& key);
    void unwatch(SessionId session);

    /// `key` was written, removed, or expired.
    void written(std::string_view key);

    bool is_broken(SessionId session) const { return broken_.contains(session); }
    bool empty() const { return by_key_.empty() && broken_.empty(); }

    const std::map<std::string, std::set<SessionId>, std::less<>>& by_key() const {
        return by_key_;
    }

private:
    std::map<std::string, std::set<SessionId>, std::less<>> by_key_;
    std::map<SessionId, std::set<std::string>> by_session_;
    std::set<SessionId> broken_;
};

}  // namespace redeliver::model::redis
