#include "tests/conformance/lab_check/read_reply.h"

#include <hiredis/hiredis.h>

#include <stdexcept>
#include <string_view>

#include "sim/overloaded.h"

namespace redeliver::conformance {

namespace redis = model::redis;

namespace {

[[noreturn]] void refuse(const redisReply& reply) {
    throw std::runtime_error("a reply of an unexpected type " + std::to_string(reply.type));
}

bool is_nil(const redisReply& reply) { return reply.type == REDIS_REPLY_NIL; }

std::string_view text_of(const redisReply& reply) {
    if (reply.type != REDIS_REPLY_STRING && reply.type != REDIS_REPLY_STATUS) refuse(reply);
    return {reply.str, reply.len};
}

std::int64_t number_of(const redisReply& reply) {
    if (reply.type != REDIS_REPLY_INTEGER) refuse(reply);
    return reply.integer;
}

const redisReply& element(const redisReply& reply, std::size_t index) {
    if (reply.type != REDIS_REPLY_ARRAY || index >= reply.elements) refuse(reply);
    return *reply.element[index];
}

/// The value of a field in a flat list of fields and values.
const redisReply& field(const redisReply& reply, std::string_view name) {
    for (std::size_t i = 0; i + 1 < reply.elements; i += 2)
        if (text_of(element(reply, i)) == name) return element(reply, i + 1);
    throw std::runtime_error("no field " + std::string(name));
}

redis::EntryId id_of(const redisReply& reply) {
    const auto id = redis::parse_entry_id(text_of(reply), 0);
    if (!id) refuse(reply);
    return *id;
}

redis::Entry entry_of(const redisReply& reply) {
    redis::Entry entry{.id = id_of(element(reply, 0))};
    const redisReply& fields = element(reply, 1);
    if (is_nil(fields)) return entry;
    std::vector<redis::FieldView> pairs;
    for (std::size_t i = 0; i + 1 < fields.elements; i += 2)
        pairs.emplace_back(text_of(element(fields, i)), text_of(element(fields, i + 1)));
    entry.body = redis::Body(pairs);
    return entry;
}

template <typename Read>
auto list_of(const redisReply& reply, Read read) {
    std::vector<decltype(read(reply))> list;
    if (reply.type != REDIS_REPLY_ARRAY) refuse(reply);
    for (std::size_t i = 0; i < reply.elements; ++i) list.push_back(read(*reply.element[i]));
    return list;
}

redis::Reply ok_of(const redisReply& reply) {
    if (is_nil(reply)) return redis::Nil{};
    if (text_of(reply) != "OK") refuse(reply);
    return redis::Ok{};
}

redis::ReadReply read_of(const redisReply& reply) {
    redis::ReadReply read;
    for (std::size_t i = 0; i < reply.elements; ++i) {
        const redisReply& stream = element(reply, i);
        read.streams.push_back(
            {std::string(text_of(element(stream, 0))), list_of(element(stream, 1), &entry_of)});
    }
    return read;
}

redis::PendingRow row_of(const redisReply& reply) {
    return {.id = id_of(element(reply, 0)),
            .consumer = std::string(text_of(element(reply, 1))),
            .idle_time = redis::Milliseconds{number_of(element(reply, 2))},
            .delivery_count = static_cast<std::uint64_t>(number_of(element(reply, 3)))};
}

redis::PendingSummary::Row holder_of(const redisReply& reply) {
    return {.consumer = std::string(text_of(element(reply, 0))),
            .count = std::stoull(std::string(text_of(element(reply, 1))))};
}

redis::ConsumerInfo consumer_of(const redisReply& reply) {
    return {.name = std::string(text_of(field(reply, "name"))),
            .pending = static_cast<std::uint64_t>(number_of(field(reply, "pending"))),
            .idle_time = redis::Milliseconds{number_of(field(reply, "idle"))}};
}

std::optional<std::int64_t> known_number(const redisReply& reply) {
    return is_nil(reply) ? std::nullopt : std::optional(number_of(reply));
}

redis::GroupInfo group_of(const redisReply& reply) {
    return {.name = std::string(text_of(field(reply, "name"))),
            .consumers = static_cast<std::uint64_t>(number_of(field(reply, "consumers"))),
            .pending = static_cast<std::uint64_t>(number_of(field(reply, "pending"))),
            .last_delivered_id = id_of(field(reply, "last-delivered-id")),
            .entries_read = known_number(field(reply, "entries-read")),
            .lag = known_number(field(reply, "lag"))};
}

/// By the command that was answered. Errors have been dealt with.
struct Read {
    const redisReply& reply;

    redis::Reply operator()(const redis::Xadd&) const {
        return is_nil(reply) ? redis::Reply(redis::Nil{}) : redis::Reply(id_of(reply));
    }
    redis::Reply operator()(const redis::Xreadgroup&) const {
        return is_nil(reply) ? redis::Reply(redis::NilArray{}) : redis::Reply(read_of(reply));
    }
    redis::Reply operator()(const redis::Xautoclaim& command) const {
        if (command.reply != redis::ClaimReply::entries) refuse(reply);
        return redis::Autoclaimed{.cursor = id_of(element(reply, 0)),
                                  .claimed = list_of(element(reply, 1), &entry_of),
                                  .deleted = list_of(element(reply, 2), &id_of)};
    }
    redis::Reply operator()(const redis::XpendingRange&) const {
        return redis::PendingRows{list_of(reply, &row_of)};
    }
    redis::Reply operator()(const redis::XpendingSummary&) const {
        // The ends of an empty list are nulls, and its consumers one null.
        redis::PendingSummary summary{.count =
                                          static_cast<std::uint64_t>(number_of(element(reply, 0)))};
        if (summary.count == 0) return summary;
        summary.least = id_of(element(reply, 1));
        summary.greatest = id_of(element(reply, 2));
        summary.consumers = list_of(element(reply, 3), &holder_of);
        return summary;
    }
    redis::Reply operator()(const redis::XinfoConsumers&) const {
        return redis::ConsumerInfos{list_of(reply, &consumer_of)};
    }
    redis::Reply operator()(const redis::XinfoGroups&) const {
        return redis::GroupInfos{list_of(reply, &group_of)};
    }
    redis::Reply operator()(const redis::Get&) const {
        if (is_nil(reply)) return redis::Nil{};
        return redis::Text{std::string(text_of(reply))};
    }
    redis::Reply operator()(const redis::Xack&) const { return number_of(reply); }
    redis::Reply operator()(const redis::Xlen&) const { return number_of(reply); }
    redis::Reply operator()(const redis::XgroupDelconsumer&) const { return number_of(reply); }
    redis::Reply operator()(const redis::XgroupCreate&) const { return ok_of(reply); }
    redis::Reply operator()(const redis::Set&) const { return ok_of(reply); }
    redis::Reply operator()(const redis::Watch&) const { return ok_of(reply); }
    redis::Reply operator()(const redis::Multi&) const { return ok_of(reply); }

    template <typename Other>
    redis::Reply operator()(const Other&) const {
        throw std::runtime_error("a command that the cast does not send");
    }
};

redis::Reply error_of(const redisReply& reply, const redis::Reply& modelled) {
    const std::string_view words(reply.str, reply.len);
    const auto* const expected = std::get_if<redis::Refused>(&modelled);
    if (expected && redis::text(*expected) == words) return *expected;
    throw std::runtime_error("an error that the model did not expect: " + std::string(words));
}

redis::Reply transaction_of(const redisReply& reply, const std::vector<redis::Command>& queued,
                            const redis::Reply& modelled) {
    if (is_nil(reply)) return redis::NilArray{};
    const auto* const expected = std::get_if<redis::Array>(&modelled);
    if (!expected || reply.elements != queued.size() || expected->elements.size() != queued.size())
        refuse(reply);
    redis::Array replies;
    for (std::size_t i = 0; i < queued.size(); ++i)
        replies.elements.push_back(
            read_reply(element(reply, i), queued[i], {}, expected->elements[i]));
    return replies;
}

}  // namespace

redis::Reply read_reply(const redisReply& reply, const redis::Command& command,
                        const std::vector<redis::Command>& queued, const redis::Reply& modelled) {
    if (reply.type == REDIS_REPLY_ERROR) return error_of(reply, modelled);
    if (reply.type == REDIS_REPLY_STATUS && text_of(reply) == "QUEUED") return redis::Queued{};
    if (std::holds_alternative<redis::Exec>(command))
        return transaction_of(reply, queued, modelled);
    return std::visit(Read{reply}, command);
}

}  // namespace redeliver::conformance
