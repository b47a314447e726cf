// A worker of one's own, a promise of one's own, and the crash that tells right from wrong.
#include <redeliver/properties/promise.h>
#include <redeliver/scenarios/own_world.h>

#include <cstdio>
#include <set>

using namespace redeliver;
using namespace std::chrono_literals;
using Mailed = scenarios::OwnStep<0>;  // What our worker reports: a mail about an order has left.

struct EveryOrderIsMailed final : properties::Promise {
    EveryOrderIsMailed()
        : Promise({"every_order_is_mailed", "Every order in the stream is mailed.",
                   sim::kinds_of<model::Added, Mailed>, properties::PromiseCard::About::the_end},
                  {}) {}
    void observe(const sim::Step& step) override {
        matters();
        if (step.as<model::Added>()) unmailed.insert(step.subject);
        if (step.as<Mailed>()) unmailed.erase(step.subject);
    }
    void settle() override {
        for (const sim::Subject order : unmailed) owed(order, "was never mailed");
    }
    void clear() override { unmailed.clear(); }
    std::set<sim::Subject> unmailed;
};

enum class Acknowledge { before_mail, after_mail };
void run_mailer(sim::Process& self, scenarios::RedisService& redis, Acknowledge when) {
    scenarios::BrokerClient group(self, redis, 1s);
    while (!group.create_group().arrived()) self.sleep_for(100ms);
    while (true) {
        auto batch = group.read_own("mailer", {}, 10);  // What we had when we died comes first.
        if (batch.arrived() && batch->entries.empty()) batch = group.read_new("mailer", 10, 1s);
        if (!batch.arrived()) continue;
        for (const auto& entry : batch->entries) {
            const auto order = scenarios::run_in(entry);
            if (when == Acknowledge::before_mail) group.acknowledge(order, entry.id);
            self.work(model::number(model::Operation::work), order, 20ms);
            self.record(order, Mailed{});
            if (when == Acknowledge::after_mail) group.acknowledge(order, entry.id);
        }
    }
}

properties::Verdict trial(std::uint64_t seed, Acknowledge when) {
    scenarios::OwnWorld own(seed);
    own.add_publisher(5, 50ms);
    own.add_actor("mailer", [&](sim::Process& self) { run_mailer(self, own.redis(), when); });
    own.add_fault({sim::AtInstant{own.draw_instant(500ms)}, sim::Crash{}, "mailer"});
    return own.judge(std::make_unique<EveryOrderIsMailed>(), 1min);
}

int main() {
    const auto loss = scenarios::first_violation(100, trial, Acknowledge::before_mail);
    if (!loss || scenarios::first_violation(100, trial, Acknowledge::after_mail)) return 1;
    std::puts(text(*loss).c_str());
}
