#include "model/redis/names.h"

#include "sim/ensure.h"

namespace redeliver::model::redis {

Name Names::intern(std::string_view text) {
    const auto known = known_.find(text);
    if (known != known_.end()) return known->second;
    const auto name = static_cast<Name>(texts_.size());
    known_.emplace(texts_.emplace_back(text), name);
    return name;
}

std::string_view Names::text(Name name) const {
    const auto index = static_cast<std::size_t>(name);
    sim::ensure(index < texts_.size(), "a name is asked of the server that gave it");
    return texts_[index];
}

}  // namespace redeliver::model::redis
