#include <benchmark/benchmark.h>

#include <optional>
#include <string>

#include "model/database/chat_schema.h"
#include "model/database/server.h"

// What one statement costs the database model, with as many runs as the argument says. Statements
// are made once and patched, as a client does; the row is another one each time, spread over all.
namespace redeliver::model::database {
namespace {

constexpr SessionId session{1};

Insert insert_run() {
    return {.table = chat::runs,
            .row = {0, "", 1, chat::RunStatus::pending, nullptr, now(), nullptr, nullptr},
            .on_conflict = Insert::OnConflict::do_nothing};
}

void name_run(Insert& insert, std::int64_t run) {
    insert.row[0].constant = run;
    insert.row[1].constant = "intention-" + std::to_string(run);
}

class Filled : public benchmark::Fixture {
public:
    void SetUp(const benchmark::State& state) override {
        runs_ = state.range(0);
        server_.emplace(chat::schema({}), Configuration{});
        Statement statement = insert_run();
        for (std::int64_t run = 0; run < runs_; ++run) {
            name_run(std::get<Insert>(statement), run);
            submit(statement);
        }
    }
    void TearDown(const benchmark::State&) override { server_.reset(); }

    void submit(const Statement& statement) {
        out_.clear();
        now_ += std::chrono::microseconds{1};
        server_->submit(session, statement, now_, out_);
        benchmark::DoNotOptimize(out_.replies.data());
    }
    /// Each run in turn, far from the one before, as 7,919 is a prime.
    std::int64_t next_run() { return turn_ = (turn_ + 7919) % runs_; }

protected:
    std::int64_t runs_ = 0;
    std::int64_t turn_ = 0;
    std::optional<Server> server_;
    Output out_;
    sim::WallTime now_ = sim::wall_start;
};

BENCHMARK_DEFINE_F(Filled, InsertNew)(benchmark::State& state) {
    Statement statement = insert_run();
    std::int64_t run = runs_;
    for (auto _ : state) {
        name_run(std::get<Insert>(statement), run++);
        submit(statement);
    }
}

BENCHMARK_DEFINE_F(Filled, InsertAbsorbed)(benchmark::State& state) {
    Statement statement = insert_run();
    for (auto _ : state) {
        name_run(std::get<Insert>(statement), next_run());
        std::get<Insert>(statement).row[0].constant = -1;
        submit(statement);
    }
}

BENCHMARK_DEFINE_F(Filled, SelectByPrimaryKey)(benchmark::State& state) {
    Statement statement = Select{.table = chat::runs, .where = {eq(chat::run::run_id, 0)}};
    for (auto _ : state) {
        std::get<Select>(statement).where[0].value.constant = next_run();
        submit(statement);
    }
}

BENCHMARK_DEFINE_F(Filled, SelectByPrimaryKeyOfARecentRun)(benchmark::State& state) {
    Statement statement = Select{.table = chat::runs, .where = {eq(chat::run::run_id, 0)}};
    std::int64_t turn = 0;
    for (auto _ : state) {
        std::get<Select>(statement).where[0].value.constant =
            turn++ * 37 % std::min<std::int64_t>(runs_, 1'000);
        submit(statement);
    }
}

BENCHMARK_DEFINE_F(Filled, SelectByIdempotencyKey)(benchmark::State& state) {
    Statement statement =
        Select{.table = chat::runs, .where = {eq(chat::run::idempotency_key, "")}};
    for (auto _ : state) {
        std::get<Select>(statement).where[0].value.constant =
            "intention-" + std::to_string(next_run());
        submit(statement);
    }
}

BENCHMARK_DEFINE_F(Filled, UpdateNoIndexedColumnByPrimaryKey)(benchmark::State& state) {
    Statement statement = Update{.table = chat::runs,
                                 .where = {eq(chat::run::run_id, 0)},
                                 .set = {{chat::run::worker, "worker-1"}}};
    for (auto _ : state) {
        std::get<Update>(statement).where[0].value.constant = next_run();
        submit(statement);
    }
}

BENCHMARK_DEFINE_F(Filled, UpdateStatusByPrimaryKey)(benchmark::State& state) {
    Statement statement = Update{.table = chat::runs,
                                 .where = {eq(chat::run::run_id, 0)},
                                 .set = {{chat::run::status, chat::RunStatus::done}}};
    std::int64_t status = 0;
    for (auto _ : state) {
        std::get<Update>(statement).where[0].value.constant = next_run();
        std::get<Update>(statement).set[0].value.constant = ++status & 3;
        submit(statement);
    }
}

// begin; insert a reply on conflict do nothing; set the run done; commit.
BENCHMARK_DEFINE_F(Filled, ReplyInATransaction)(benchmark::State& state) {
    const Statement begin = Begin{};
    Statement reply = Insert{.table = chat::messages,
                             .row = {0, 0, 1, 1, "a reply"},
                             .on_conflict = Insert::OnConflict::do_nothing};
    Statement done = Update{.table = chat::runs,
                            .where = {eq(chat::run::run_id, 0)},
                            .set = {{chat::run::status, chat::RunStatus::done}}};
    const Statement commit = Commit{};
    std::int64_t message = 0;
    for (auto _ : state) {
        const std::int64_t run = next_run();
        std::get<Insert>(reply).row[0].constant = message++;
        std::get<Insert>(reply).row[1].constant = run;
        std::get<Update>(done).where[0].value.constant = run;
        submit(begin);
        submit(reply);
        submit(done);
        submit(commit);
    }
    state.SetItemsProcessed(state.iterations() * 4);
}

// What a run costs in all, a thousand runs being under way at once, as in life: insert it; set it
// running; begin, insert the reply, set it done, commit.
BENCHMARK_DEFINE_F(Filled, LifeOfARun)(benchmark::State& state) {
    constexpr std::int64_t under_way = 1'000;
    Statement accept = insert_run();
    const Statement begin = Begin{};
    Statement reply = Insert{.table = chat::messages,
                             .row = {0, 0, 1, 1, "a reply"},
                             .on_conflict = Insert::OnConflict::do_nothing};
    Statement set = Update{.table = chat::runs,
                           .where = {eq(chat::run::run_id, 0)},
                           .set = {{chat::run::status, chat::RunStatus::running}}};
    const Statement commit = Commit{};
    const auto set_status = [&](std::int64_t run, chat::RunStatus status) {
        std::get<Update>(set).where[0].value.constant = run;
        std::get<Update>(set).set[0].value.constant = status;
        submit(set);
    };
    std::int64_t run = runs_;
    for (auto _ : state) {
        name_run(std::get<Insert>(accept), run);
        submit(accept);
        set_status(run - under_way / 2, chat::RunStatus::running);
        submit(begin);
        std::get<Insert>(reply).row[0].constant = run;
        std::get<Insert>(reply).row[1].constant = run - under_way;
        submit(reply);
        set_status(run - under_way, chat::RunStatus::done);
        submit(commit);
        ++run;
    }
    state.SetItemsProcessed(state.iterations() * 6);
}

// The oldest ten pending runs: what a poller asks.
BENCHMARK_DEFINE_F(Filled, PollTenOldestPendingSkipLocked)(benchmark::State& state) {
    const Statement statement = Select{.table = chat::runs,
                                       .where = {eq(chat::run::status, chat::RunStatus::pending),
                                                 lt(chat::run::created_at, now())},
                                       .lock = Select::Lock::for_update_skip_locked,
                                       .order = {{chat::run::created_at}},
                                       .limit = 10};
    for (auto _ : state) submit(statement);
}

#define ON_SIZES(name) BENCHMARK_REGISTER_F(Filled, name)->Arg(100)->Arg(1'000'000)
ON_SIZES(InsertNew);
ON_SIZES(InsertAbsorbed);
ON_SIZES(SelectByPrimaryKey);
ON_SIZES(SelectByPrimaryKeyOfARecentRun);
ON_SIZES(SelectByIdempotencyKey);
ON_SIZES(UpdateNoIndexedColumnByPrimaryKey);
ON_SIZES(UpdateStatusByPrimaryKey);
ON_SIZES(ReplyInATransaction);
ON_SIZES(LifeOfARun);
ON_SIZES(PollTenOldestPendingSkipLocked);

// A trial has its own server: it is made, used for a dozen runs, and thrown away.
void MakeAndFillWithTwelveRuns(benchmark::State& state) {
    const Schema schema = chat::schema({});
    Output out;
    Statement statement = insert_run();
    for (auto _ : state) {
        Server server(schema, {});
        for (std::int64_t run = 0; run < 12; ++run) {
            out.clear();
            name_run(std::get<Insert>(statement), run);
            server.submit(session, statement, sim::wall_start, out);
        }
    }
}
BENCHMARK(MakeAndFillWithTwelveRuns);

}  // namespace
}  // namespace redeliver::model::database
