#include "tests/conformance/lab_check/hiredis_broker.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <hiredis/hiredis.h>
#include <sys/time.h>

#include <deque>
#include <stdexcept>
#include <utility>

#include "model/redis/arguments.h"
#include "sim/ensure.h"
#include "tests/conformance/lab_check/read_reply.h"

namespace redeliver::conformance {

namespace redis = model::redis;

namespace {

/// What the harness knows of an entry and no server tells.
void forget_labels(std::vector<redis::Entry>& entries) {
    for (redis::Entry& entry : entries) entry.label = 0;
}

redis::Reply without_labels(redis::Reply reply) {
    if (auto* const read = std::get_if<redis::ReadReply>(&reply))
        for (redis::StreamEntries& stream : read->streams) forget_labels(stream.entries);
    if (auto* const claimed = std::get_if<redis::Autoclaimed>(&reply))
        forget_labels(claimed->claimed);
    return reply;
}

}  // namespace

struct HiredisBroker::Connection {
    std::unique_ptr<redisContext, void (*)(redisContext*)> context;
    std::deque<redis::Command> unanswered;
    std::vector<redis::Command> queued;  ///< Since MULTI.

    explicit Connection(const std::string& path)
        : context(redisConnectUnix(path.c_str()), &redisFree) {
        if (!context || context->err) throw std::runtime_error("no redis-server at " + path);
        // A reply that does not come is a failure, not a wait.
        redisSetTimeout(context.get(), {.tv_sec = 10, .tv_usec = 0});
    }

    void send(const redis::Command& command) {
        std::vector<const char*> texts;
        std::vector<std::size_t> sizes;
        const std::vector<std::string> words = arguments(command);
        for (const std::string& word : words) {
            texts.push_back(word.data());
            sizes.push_back(word.size());
        }
        redisAppendCommandArgv(context.get(), static_cast<int>(words.size()), texts.data(),
                               sizes.data());
        for (int written = 0; written == 0;)
            if (redisBufferWrite(context.get(), &written) != REDIS_OK)
                throw std::runtime_error("redis-server closed the connection");
        unanswered.push_back(command);
    }

    redis::Reply receive(const redis::Reply& modelled) {
        sim::ensure(!unanswered.empty(), "the model replies only to what was sent");
        void* raw = nullptr;
        if (redisGetReply(context.get(), &raw) != REDIS_OK)
            throw std::runtime_error(fmt::format("no reply from redis-server to {}",
                                                 fmt::join(arguments(unanswered.front()), " ")));
        const std::unique_ptr<redisReply, void (*)(void*)> reply(static_cast<redisReply*>(raw),
                                                                 &freeReplyObject);
        const redis::Command command = std::move(unanswered.front());
        unanswered.pop_front();
        redis::Reply typed = read_reply(*reply, command, queued, modelled);
        if (std::holds_alternative<redis::Exec>(command)) queued.clear();
        if (std::holds_alternative<redis::Queued>(typed)) queued.push_back(command);
        return typed;
    }
};

HiredisBroker::HiredisBroker(std::string socket_path, SetClock set_clock)
    : socket_path_(std::move(socket_path)), set_clock_(std::move(set_clock)) {}

HiredisBroker::~HiredisBroker() = default;

HiredisBroker::Connection& HiredisBroker::connection(redis::SessionId session) {
    auto& connection = connections_[session];
    if (!connection) connection = std::make_unique<Connection>(socket_path_);
    return *connection;
}

void HiredisBroker::send(redis::SessionId session, const redis::Command& command,
                         sim::WallTime now) {
    set_clock_(now);
    connection(session).send(command);
    // Its deadline counts from when the server reads it, so it has to read it before time goes on.
    if (const auto* const read = std::get_if<redis::Xreadgroup>(&command); read && read->block)
        ask(redis::Xlen{read->streams.front().key});
}

redis::Reply HiredisBroker::receive(redis::SessionId session, sim::WallTime now,
                                    const redis::Reply& modelled) {
    set_clock_(now);
    Connection& from = connection(session);
    const redis::Command command = from.unanswered.front();
    redis::Reply reply = from.receive(modelled);
    ++replies_;
    if (reply != without_labels(modelled) && disagreements_++ == 0)
        first_disagreement_ = fmt::format("{}", fmt::join(arguments(command), " "));
    return reply;
}

void HiredisBroker::disconnect(redis::SessionId session) { connections_.erase(session); }

redis::Reply HiredisBroker::ask(const redis::Command& command) {
    Connection connection(socket_path_);
    connection.send(command);
    return connection.receive(redis::Nil{});
}

}  // namespace redeliver::conformance
