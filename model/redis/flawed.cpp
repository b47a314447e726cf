// What a request is answered that the server refuses as it stands.

#include "model/redis/call.h"
#include "sim/ensure.h"

namespace redeliver::model::redis {
namespace {

using Lookup = Flawed::Lookup;

std::optional<Reply> answer_to_missing(const Lookup& lookup) {
    using If = Lookup::IfMissing;
    switch (lookup.if_missing) {
    case If::go_on: return std::nullopt;
    case If::zero: return std::int64_t{0};
    case If::nil: return Nil{};
    case If::no_such_key: return Refused{Refusal::no_such_key};
    case If::stream_required: return Refused{Refusal::stream_required};
    case If::no_group_for_read: return no_group_for_read(lookup.key, lookup.group.value_or(""));
    case If::no_group_for_pending:
        return no_group_for_pending(lookup.key, lookup.group.value_or(""));
    case If::no_group_of_key: return no_group_of_key(lookup.key, lookup.group.value_or(""));
    }
    sim::fail_harness("every lookup knows its answer", std::source_location::current());
}

bool has_type(const Value& value, Lookup::Type type) {
    switch (type) {
    case Lookup::Type::stream: return std::holds_alternative<Stream>(value.held);
    case Lookup::Type::string: return std::holds_alternative<std::string>(value.held);
    case Lookup::Type::sorted_set: return std::holds_alternative<SortedSet>(value.held);
    case Lookup::Type::list: return std::holds_alternative<StringList>(value.held);
    case Lookup::Type::set: return std::holds_alternative<StringSet>(value.held);
    }
    sim::fail_harness("every type is known", std::source_location::current());
}

/// What the server says of this lookup alone; nothing when it goes on.
std::optional<Reply> answer(Call& call, const Lookup& lookup) {
    Value* const value = call.keys.find(lookup.key);
    if (!value) return answer_to_missing(lookup);
    if (!has_type(*value, lookup.type)) return Refused{Refusal::wrong_type};
    if (!lookup.group || value->stream()->find_group(*lookup.group)) return std::nullopt;
    return answer_to_missing(lookup);
}

}  // namespace

Reply execute(Call& call, const Flawed& command) {
    for (const Lookup& lookup : command.lookups)
        if (auto reply = answer(call, lookup)) return std::move(*reply);
    return Refused{Refusal::as_worded, command.error};
}

}  // namespace redeliver::model::redis
