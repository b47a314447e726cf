#include "model/redis/access.h"

#include <type_traits>

namespace redeliver::model::redis {
namespace {

template <typename... Types>
bool is_any_of(const Command& command) {
    return (std::holds_alternative<Types>(command) || ...);
}

}  // namespace

bool is_write(const Command& command) {
    return is_any_of<Xadd, Xdel, Xtrim, Xsetid, Xreadgroup, XgroupCreate, XgroupSetid,
                     XgroupDestroy, XgroupCreateconsumer, XgroupDelconsumer, Xack, Xclaim,
                     Xautoclaim, Set, Del, Pexpireat, Persist, Rename, Flushall, Zadd, Zrem,
                     Zpopmin, Zremrangebyscore, Push, Sadd>(command);
}

bool may_grow_memory(const Command& command) {
    return is_any_of<Xadd, Xsetid, XgroupCreate, XgroupCreateconsumer, Set, Zadd, Push, Sadd>(
        command);
}

}  // namespace redeliver::model::redis
