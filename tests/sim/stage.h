#pragma once

#include <fmt/format.h>

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "sim/exchange.h"
#include "sim/world.h"

/// The smallest world in which messages can be lost: `alice` asks, `broker` answers, `carol` looks
/// on. Every message takes a millisecond, so that every instant in a test can be worked out.
namespace redeliver::sim::stage {

using namespace std::chrono_literals;

inline constexpr OperationKind ask = 0;
inline constexpr OperationKind poll = 1;
inline constexpr OperationKind toil = 2;
inline constexpr Subject run_1 = subject_of(first_free_series, 1);
inline constexpr Subject run_2 = subject_of(first_free_series, 2);
inline constexpr Duration no_faults_after = 1h;

struct NeverEnds : Supervisor {
    std::optional<Ending> ending(Instant) const override { return {}; }
};

/// Everything that a world reported.
struct Record : StepSink {
    std::vector<Step> steps;

    void observe(const Step& step) override { steps.push_back(step); }

    template <Payload P>
    std::vector<Step> all() const {
        std::vector<Step> found;
        for (const Step& step : steps)
            if (step.kind == P::kind) found.push_back(step);
        return found;
    }
    /// The only step of its kind; an empty one of kind 0 otherwise.
    template <Payload P>
    Step only() const {
        const auto found = all<P>();
        return found.size() == 1 ? found[0] : Step{};
    }
};

inline std::string told(Instant now, std::string_view what) {
    return fmt::format("{}ms {}", now.time_since_epoch() / 1ms, what);
}

/// Answers a number with the same number, after `thinks` of its own wall clock, and forgets what
/// it is thinking about when it crashes.
class Echo : public Service {
public:
    explicit Echo(World& world) : world_(world) {}

    NodeId node{};
    Duration thinks{};
    Exchanges<int, int> exchanges;
    std::vector<std::string> log;
    int rings = 0;  // How often its timer rang.

    void on_request(ExchangeId id) override {
        say(fmt::format("applies {}", exchanges[id].request));
        if (thinks == 0ms) return answer(id);
        thinking_.push_back({world_.wall_now(node) + thinks, id});
        arm_timer();
    }
    void on_disconnect(SessionNumber session) override { say(fmt::format("ends {}", session)); }
    void on_timer() override {
        ++rings;
        while (!thinking_.empty() && thinking_.front().due <= world_.wall_now(node)) {
            const ExchangeId id = thinking_.front().exchange;
            thinking_.pop_front();
            if (world_.network().is_owed(id)) answer(id);
        }
        arm_timer();
    }
    void on_crash(CrashOf) override { thinking_.clear(); }
    void on_restart() override { say("restarts"); }
    void on_clock_step() override {
        say("clock stepped");
        arm_timer();
    }
    void on_failover(Duration lag) override { say(fmt::format("fails over, {}ms", lag / 1ms)); }

private:
    struct Thought {
        WallTime due;
        ExchangeId exchange;
    };

    void say(std::string_view what) { log.push_back(told(world_.now(), what)); }
    void answer(ExchangeId id) {
        exchanges[id].reply = exchanges[id].request;
        world_.network().reply(id, static_cast<std::uint64_t>(exchanges[id].reply));
    }
    void arm_timer() {
        if (thinking_.empty()) return world_.set_timer(node, {});
        world_.set_timer(node, world_.instant_of(node, thinking_.front().due));
    }

    World& world_;
    std::deque<Thought> thinking_;
};

inline World::Configuration configuration(std::uint64_t seed = 1) {
    return {.seed = seed,
            .operations = {"ask", "poll", "toil"},
            .series = {{"run-", ""}},
            .network = {.latency = fixed(1ms), .connect_timeout = 1s, .keepalive = 60s},
            .budget = {}};
}

class Stage {
public:
    explicit Stage(const World::Configuration& how = configuration()) : Stage(how, stacks_) {}
    /// On stacks that other worlds have used before.
    Stage(const World::Configuration& how, StackPool& stacks) : world(how, stacks) {
        world.recorder().add_sink(record);
        const auto boot = [this](World&, NodeId id) {
            if (scripts.contains(id)) world.spawn(id, scripts[id]);
        };
        alice = world.add_node({.name = "alice", .boot = boot});
        broker = world.add_node({.name = "broker", .boot = boot, .service = &echo});
        carol = world.add_node({.name = "carol", .boot = boot});
        echo.node = broker;
        line = world.network().connect(alice, broker);
    }

private:
    StackPool stacks_;

public:
    // What processes use while they are unwound outlives the world.
    Record record;
    std::map<NodeId, Body> scripts;  // What each node does whenever it boots.
    std::vector<std::string> log;    // What alice and carol say.
    World world;
    Echo echo{world};
    NodeId alice{}, broker{}, carol{};
    ConnectionId line{};

    void say(Process& self, std::string_view what) { log.push_back(told(self.now(), what)); }

    /// Asks about run-1 and says what came of it.
    Fate ask_for(Process& self, int number, Duration timeout = 1s,
                 Network::Continuity continuity = Network::Continuity::any_session) {
        const auto outcome = request(self, echo.exchanges,
                                     {.connection = line,
                                      .operation = ask,
                                      .subject = run_1,
                                      .timeout = timeout,
                                      .continuity = continuity},
                                     number);
        say(self, outcome.arrived()
                      ? fmt::format("gets {}", outcome.value())
                      : fmt::format("{} {}", outcome.lost() ? "loses" : "refused", number));
        return outcome.fate();
    }

    /// Asks once, in alice's first life only.
    void alice_asks_once(Duration timeout = 1s) {
        scripts[alice] = [this, timeout](Process& self) {
            if (self.incarnation() == 0) ask_for(self, 7, timeout);
        };
    }

    Ending run(const FaultPlan& plan = {}, Duration faults_until = no_faults_after) {
        world.arm(plan, at(faults_until));
        return world.run(NeverEnds{});
    }
};

/// A fault within the first `ask` about run-1.
inline Fault while_asking(Point point, const What& what, const std::string& target = {}) {
    return {.when = AtStep{.operation = "ask", .subject = "run-1", .point = point},
            .what = what,
            .target = target};
}
inline Fault at_instant(Duration when, const What& what, const std::string& target) {
    return {.when = AtInstant{at(when)}, .what = what, .target = target};
}

}  // namespace redeliver::sim::stage
