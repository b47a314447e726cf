// What one message costs in the Redis model alone: XADD, its share of an XREADGROUP COUNT 10, XACK.

#include <benchmark/benchmark.h>

#include <cstdint>
#include <utility>
#include <variant>

#include "model/redis/server.h"

namespace redeliver::model::redis {
namespace {

constexpr SessionId writer{1};
constexpr SessionId reader{2};
constexpr std::int64_t batch = 10;

/// A stream that already holds `entries`, and a group that has `pending` of them unacknowledged
/// and has read everything else.
class Scene {
public:
    Scene(std::int64_t entries, std::int64_t pending, Configuration configuration)
        : server_(configuration) {
        tell(writer, XgroupCreate{.key = key,
                                  .group = group,
                                  .start = min_entry_id,
                                  .if_missing = XgroupCreate::IfMissing::create_stream});
        for (std::int64_t i = 0; i < entries - pending; ++i) tell(writer, addition());
        tell(writer, XgroupSetid{.key = key, .group = group, .last_delivered_id = std::nullopt});
        for (std::int64_t i = 0; i < pending; ++i) tell(writer, addition());
        if (pending > 0) {
            Xreadgroup all = read_;
            all.count = 0;
            tell(reader, all);
        }
    }

    /// Ten messages from XADD to XACK.
    void pass_one_batch() {
        for (std::int64_t i = 0; i < batch; ++i) tell(writer, addition());
        tell(reader, read_);
        const ReadReply reply = std::get<ReadReply>(std::move(out_.replies.back().reply));
        for (const Entry& entry : reply.streams.front().entries) {
            acknowledgement_.ids.assign(1, entry.id);
            tell(reader, acknowledgement_);
        }
    }

private:
    static constexpr const char* key = "koda:runs";
    static constexpr const char* group = "workers";

    /// As an actor would: a fresh body and a fresh command for every message.
    Xadd addition() const {
        return {.key = key, .body = {{"runId", "run-123456"}, {"sessionId", "session-12"}}};
    }

    void tell(SessionId session, const Command& command) {
        out_.clear();
        now_ += std::chrono::microseconds{100};
        server_.submit(session, command, now_, out_);
    }

    Server server_;
    sim::WallTime now_ = sim::wall_start;
    Output out_;
    Xreadgroup read_{
        .group = group, .consumer = "worker-1", .streams = {{key, undelivered}}, .count = batch};
    Xack acknowledgement_{.key = key, .group = group, .ids = {}};
};

void pass_messages(benchmark::State& state, Configuration configuration) {
    Scene scene(state.range(0), state.range(1), configuration);
    for (auto step : state) {
        static_cast<void>(step);
        scene.pass_one_batch();
    }
    state.SetItemsProcessed(state.iterations() * batch);
}

void redis_message(benchmark::State& state) { pass_messages(state, {}); }

void redis_message_recorded(benchmark::State& state) {
    pass_messages(state, {.record = Configuration::Record::propagated});
}

BENCHMARK(redis_message)
    ->ArgNames({"entries", "pending"})
    ->Args({1'000, 0})
    ->Args({1'000'000, 0})
    ->Args({1'000'000, 10'000});
BENCHMARK(redis_message_recorded)->ArgNames({"entries", "pending"})->Args({1'000, 0});

}  // namespace
}  // namespace redeliver::model::redis
