#include "model/redis/access.h"

#include <type_traits>

namespace redeliver::model::redis {
namespace {

template <typename... Types>
bool is_any_of(const Command& command) {
    return (std::holds_alternative<Types>(command) || ...);
}

bool is_flawed(const Command& command, Access access) {
    const auto* const flawed = std::get_if<Flawed>(&command);
    return flawed && flawed->access >= access;
}

}  // namespace

bool is_write(const Command& command) {
    return is_any_of<Xadd, Xdel, Xtrim, Xsetid, Xreadgroup, XgroupCreate, XgroupSetid,
                     XgroupDestroy, XgroupCreateconsumer, XgroupDelconsumer, Xack, Xclaim,
                     Xautoclaim, Set, Del, Pexpireat, Pexpire, Persist, Rename, Flushall, Restore,
                     Zadd, Zrem, Zpopmin, Zremrangebyscore, Push, Sadd>(command) ||
           is_flawed(command, Access::writes);
}

bool may_grow_memory(const Command& command) {
    return is_any_of<Xadd, Xsetid, XgroupCreate, XgroupCreateconsumer, Set, Restore, Zadd, Push,
                     Sadd>(command) ||
           is_flawed(command, Access::grows);
}

}  // namespace redeliver::model::redis
