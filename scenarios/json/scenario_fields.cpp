#include "scenarios/json/scenario_fields.h"

#include <fmt/format.h>

#include <algorithm>

#include "properties/property.h"
#include "properties/rare_paths.h"
#include "scenarios/json/units.h"
#include "scenarios/json/writer.h"

namespace redeliver::scenarios::json {

const Vocabulary& promise_names() {
    static const Vocabulary names = [] {
        std::vector<std::string> words;
        for (const auto& each : properties::promises()) words.emplace_back(each.name);
        return Vocabulary{"promise", std::move(words)};
    }();
    return names;
}

const Vocabulary& rare_path_names() {
    static const Vocabulary names = [] {
        std::vector<std::string> words;
        for (const auto& each : properties::rare_paths()) words.emplace_back(each.name);
        return Vocabulary{"rare path", std::move(words)};
    }();
    return names;
}

const Vocabulary& total_names() {
    static const Vocabulary names = {
        "total",
        {"intentions", "attempted", "accepted", "told", "published", "delivered", "executions",
         "effects", "absorbed", "refused", "acknowledged", "recovered", "forgotten", "lost",
         "duplicated", "unexpected", "dead_lettered", "pending", "unread"}};
    return names;
}

const Vocabulary& system_pointers() {
    static const Vocabulary pointers = [] {
        System defaults;
        Writer writer;
        system_fields(writer, defaults);
        std::vector<std::string> words;
        const Value system = writer.take();
        for (const Value& part : system.children)
            for (const Value& member : part.children)
                words.push_back(fmt::format("/system/{}/{}", part.key, member.key));
        return Vocabulary{"value of the system", std::move(words)};
    }();
    return pointers;
}

CastNames names_in(const System& system, const std::vector<Message>& listed,
                   std::uint64_t generated) {
    std::uint64_t last = generated;
    for (const Message& message : listed) last = std::max<std::uint64_t>(last, message.number);
    return {system, last};
}

void expectation_fields(Fields& in, Expectations& expect) {
    in.several_of("holds", expect.holds, promise_names());
    in.several_of("breaks", expect.breaks, promise_names());
    for (const std::string& each : expect.breaks)
        if (std::ranges::find(expect.holds, each) != expect.holds.end())
            in.reject("breaks", fmt::format("found \"{}\", which \"holds\" names as well", each));
    in.several_of("reaches", expect.reaches, rare_path_names());
    in.object("totals", [&](Fields& inner) {
        for (const std::string& name : total_names().words()) {
            const auto current =
                expect.totals.contains(name) ? Fields::Presence::present : Fields::Presence::absent;
            if (inner.has(name, current) == Fields::Presence::absent) continue;
            inner.number(name, expect.totals[name], {0, std::uint64_t{1} << 53});
        }
    });
    in.word("excuse", expect.excuse);
}

namespace {

void twin_fields(Fields& in, std::optional<Twin>& twin) {
    const auto current = twin ? Fields::Presence::present : Fields::Presence::absent;
    if (in.has("repaired_by", current) == Fields::Presence::absent) return;
    if (!twin) twin.emplace();
    in.object("repaired_by", [&](Fields& inner) {
        inner.name("scenario", twin->scenario);
        inner.one_of("differs", twin->differs, system_pointers());
        inner.require({"scenario", "differs"});
    });
}

/// What is merely late must not be judged lost.
void reject_hasty_quiet(Fields& in, const Scenario& scenario) {
    const auto needs = [&](std::string_view what, Duration threshold) {
        if (scenario.quiet > threshold) return;
        in.reject("quiet",
                  fmt::format("found \"{}\", but {} is \"{}\": it must be longer than "
                              "every threshold, or what is merely late is judged lost",
                              duration_text(scenario.quiet), what, duration_text(threshold)));
    };
    const System& system = scenario.system;
    if (system.worker.claim != ClaimPolicy::never)
        needs("worker.idle_threshold", system.worker.idle_threshold);
    if (uses_leases(system.worker.deduplicate))
        needs("worker.lease_time", system.worker.lease_time);
    if (system.republisher.republish != Republish::never)
        needs("republisher.age", system.republisher.age);
    needs("the longest worker.work_time", system.worker.work_time.longest());
    for (const Message& message : scenario.workload.messages)
        if (message.work_time)
            needs(fmt::format("work_time of message {}", message.number), *message.work_time);
}

}  // namespace

void scenario_fields(Fields& in, Scenario& scenario) {
    in.name("name", scenario.name);
    in.prose("story", scenario.story, max_story);
    in.object("system", [&](Fields& inner) { system_fields(inner, scenario.system); });
    in.object("workload",
              [&](Fields& inner) { workload_fields(inner, scenario.workload, scenario.system); });
    const CastNames names =
        names_in(scenario.system, scenario.workload.messages, scenario.workload.runs);
    in.object("faults", [&](Fields& inner) { faults_fields(inner, scenario.faults, names); });
    schedule_fields(in, scenario.schedule, names);
    in.object("expect", [&](Fields& inner) { expectation_fields(inner, scenario.expect); });
    in.number("seeds", scenario.seeds, {1, max_seeds});
    twin_fields(in, scenario.repaired_by);
    in.duration("quiet", scenario.quiet, {.least = std::chrono::seconds{1}});
    in.number("stream_bound", scenario.stream_bound, {0, 1'000'000'000});
    in.require({"name", "story"});
    reject_hasty_quiet(in, scenario);
}

void plan_fields(Fields& in, Plan& plan, const Scenario& scenario) {
    messages_fields(in, plan.messages, scenario.system);
    // A fault about a message that was taken out of the plan is inert, and no mistake.
    const Workload& workload = scenario.workload;
    const CastNames all = names_in(scenario.system, workload.messages, workload.runs);
    const CastNames names = names_in(scenario.system, plan.messages, all.last_message());
    fault_plan_fields(in, "faults", plan.faults, names);
    schedule_fields(in, plan.schedule, names);
    in.require({"messages", "faults"});
}

void case_fields(Fields& in, Case& recorded) {
    in.object("scenario", [&](Fields& inner) { scenario_fields(inner, recorded.scenario); });
    in.object("plan", [&](Fields& inner) { plan_fields(inner, recorded.plan, recorded.scenario); });
    in.number("seed", recorded.seed, {0, ~std::uint64_t{0}});
    in.prose("build", recorded.build, 200);
    in.hash("fingerprint", recorded.fingerprint);
    in.hashes("step_hashes", recorded.step_hashes);
    if (recorded.step_hashes.size() > hashed_steps)
        in.reject("step_hashes", fmt::format("found {}, allowed are the first {}",
                                             recorded.step_hashes.size(), hashed_steps));
    in.hashes("checkpoints", recorded.checkpoints);
    in.require({"scenario", "plan", "seed", "fingerprint"});
}

}  // namespace redeliver::scenarios::json
