#include "scenarios/explore/trial.h"

#include <algorithm>
#include <utility>

#include "model/operations.h"
#include "model/subjects.h"
#include "properties/jury.h"
#include "properties/ledger.h"
#include "properties/rare_paths.h"
#include "scenarios/build_info.h"
#include "scenarios/chat_world.h"
#include "scenarios/explore/state_key.h"
#include "sim/happenings.h"

namespace redeliver::scenarios {

namespace {

/// Ends a trial when nothing is left to do, or when nothing has come of waiting.
class ChatSupervisor final : public sim::Supervisor {
public:
    ChatSupervisor(const Scenario& scenario, const Plan& plan, sim::World& world,
                   const properties::Ledger& ledger)
        : messages_(plan.messages.size()),
          quiet_(scenario.quiet),
          faults_until_(sim::at(scenario.faults.until)),
          world_(world),
          ledger_(ledger) {
        for (const Message& message : plan.messages)
            last_message_ = std::max(last_message_, message.at);
    }

    std::optional<sim::Ending> ending(sim::Instant now) const override {
        if (ledger_.intentions() < messages_ || ledger_.submissions_under_way() > 0) return {};
        if (ledger_.is_settled() && world_.network().in_flight_about_subjects() == 0 &&
            world_.faults().timed_left() == 0 && !is_anybody_paused())
            return sim::Ending::settled;
        const sim::Instant last = std::max({ledger_.last_progress(), faults_until_, last_message_});
        if (now >= last + quiet_) return sim::Ending::quiet;
        return {};
    }

private:
    /// Whoever was paused between its work and its next request has yet to do harm.
    bool is_anybody_paused() const {
        for (std::size_t node = 0; node < world_.node_count(); ++node)
            if (world_.node(sim::NodeId{static_cast<std::uint16_t>(node)}).is_paused) return true;
        return false;
    }

    std::size_t messages_;
    Duration quiet_;
    sim::Instant faults_until_;
    sim::Instant last_message_{};
    sim::World& world_;
    const properties::Ledger& ledger_;
};

/// Keeps the steps, and the hashes by which a replay is compared.
class Recorder final : public sim::StepSink {
public:
    Recorder(const sim::Recorder& source, TrialResult& result) : source_(source), result_(result) {}

    void observe(const sim::Step& step) override {
        result_.recording->steps.push_back(step);
        const auto hash = static_cast<std::uint32_t>(source_.fingerprint());
        if (step.number <= hashed_steps) {
            result_.step_hashes.push_back(hash);
        } else if (step.number % hashed_steps == 0) {
            result_.checkpoints.push_back(hash);
        }
    }

private:
    const sim::Recorder& source_;
    TrialResult& result_;
};

/// Collects where faults can be placed.
class Surveyor final : public sim::StepSink {
public:
    explicit Surveyor(AddressBook& book) : book_(book) {}

    void observe(const sim::Step& step) override {
        if (const auto* const sent = step.as<sim::Sent>()) {
            book_.entries.push_back({{sent->operation, step.subject, sent->occurrence},
                                     step.actor,
                                     sent->server,
                                     step.at});
        } else if (const auto* const work = step.as<model::WorkStarted>()) {
            book_.entries.push_back(
                {{model::number(model::Operation::work), step.subject, work->execution},
                 step.actor,
                 sim::NodeId::none,
                 step.at});
        }
        book_.end = step.at;
    }

private:
    AddressBook& book_;
};

/// Sends a trial into another future after a step.
class Turn final : public sim::StepSink {
public:
    Turn(sim::World& world, const Branch& branch) : world_(world), branch_(branch) {}

    void observe(const sim::Step& step) override {
        if (step.number == branch_.after) world_.branch(branch_.seed);
    }

private:
    sim::World& world_;
    Branch branch_;
};

/// Notes after how many calls of the models each step was recorded.
class ChangeCounter final : public sim::StepSink {
public:
    explicit ChangeCounter(ChatWorld& chat) : chat_(chat) {}

    void observe(const sim::Step&) override {
        changes.push_back(chat_.broker().changes() + chat_.database().changes());
    }

    std::vector<std::uint64_t> changes;

private:
    ChatWorld& chat_;
};

StateSnapshot snapshot_of(ChatWorld& chat, sim::StepNumber after, sim::Instant at) {
    return {.after = after,
            .at = at,
            .broker = chat.broker().snapshot(),
            .database = chat.database().server().snapshot()};
}

/// Copies the tables whenever the models were called since it last did.
class Filmer final : public sim::StepSink {
public:
    Filmer(ChatWorld& chat, const std::function<void(const StateSnapshot&)>& show)
        : chat_(chat), show_(show) {}

    void observe(const sim::Step& step) override {
        const std::uint64_t changes = chat_.broker().changes() + chat_.database().changes();
        if (changes == shown_) return;
        shown_ = changes;
        show_(snapshot_of(chat_, step.number, step.at));
    }

private:
    ChatWorld& chat_;
    const std::function<void(const StateSnapshot&)>& show_;
    std::uint64_t shown_ = 0;
};

/// Copies the tables at two steps.
class Photographer final : public sim::StepSink {
public:
    Photographer(ChatWorld& chat, sim::StepNumber before, sim::StepNumber after,
                 StateChange& change)
        : chat_(chat), before_(before), after_(after), change_(change) {}

    void observe(const sim::Step& step) override {
        if (step.number == before_) change_.before = snapshot_of(chat_, step.number, step.at);
        if (step.number != after_) return;
        change_.after = snapshot_of(chat_, step.number, step.at);
        change_.step = step;
    }

private:
    ChatWorld& chat_;
    sim::StepNumber before_;
    sim::StepNumber after_;
    StateChange& change_;
};

Recording texts_of(const Scenario& scenario, const sim::World& world) {
    Recording texts;
    texts.names.emplace_back();
    for (std::uint32_t name = 1; name <= world.names().size(); ++name)
        texts.names.emplace_back(world.names().text(sim::Name{name}));
    texts.nodes = node_names(scenario);
    for (const std::string& node : texts.nodes)
        texts.roles.push_back(role_of(scenario.system, node));
    texts.operations = world.operations();
    texts.series = world.series();
    return texts;
}

bool same_terms(const properties::Terms& one, const properties::Terms& other) {
    return one.poison_threshold == other.poison_threshold &&
           one.stream_bound == other.stream_bound && one.excuse == other.excuse;
}

std::vector<Total> totals_of(const properties::Totals& totals) {
    std::vector<Total> all;
    for (const properties::NamedTotal& total : properties::named_totals())
        all.push_back({total.name, totals.*total.value});
    return all;
}

}  // namespace

struct TrialRunner::Kept {
    sim::StackPool stacks;
    properties::Ledger ledger;
    properties::RarePaths paths;
    properties::Jury jury;
    properties::Terms terms;
    sim::World::Budget budget;

    void seat_jury(const properties::Terms& wanted) {
        if (jury.size() > 0 && same_terms(wanted, terms)) return jury.reset();
        terms = wanted;
        jury = {};
        for (const properties::PromiseInfo& promise : properties::promises())
            jury.add(properties::make_property(promise.name, terms));
    }

    void judge(TrialResult& result) {
        const auto& verdicts = jury.conclude(result.ending);
        for (std::size_t index = 0; index < verdicts.size(); ++index)
            result.verdicts.push_back({jury[index].name(), verdicts[index]});
        for (std::size_t index = 0; index < properties::rare_path_count; ++index)
            result.reached.push_back({properties::rare_paths()[index].name, paths.counts()[index]});
        result.totals = totals_of(ledger.totals());
    }
};

TrialRunner::TrialRunner() : kept_(std::make_unique<Kept>()) {}
TrialRunner::~TrialRunner() = default;
TrialRunner::TrialRunner(TrialRunner&&) noexcept = default;

void TrialRunner::cap(std::uint64_t events) { kept_->budget.events = events; }

TrialResult TrialRunner::run(const Scenario& scenario, const Plan& plan, std::uint64_t seed,
                             Level level) {
    ChatWorld chat(scenario, plan, seed, kept_->stacks, kept_->budget);
    return run(chat, scenario, plan, level);
}

TrialResult TrialRunner::run_branch(const Scenario& scenario, const Plan& plan, std::uint64_t seed,
                                    const Branch& branch, Level level) {
    ChatWorld chat(scenario, plan, seed, kept_->stacks, kept_->budget);
    Turn turn(chat.world(), branch);
    chat.world().recorder().add_sink(turn);
    return run(chat, scenario, plan, level);
}

TrialResult TrialRunner::run_against(Counterpart& broker, const Scenario& scenario,
                                     const Plan& plan, std::uint64_t seed) {
    ChatWorld chat(scenario, plan, seed, kept_->stacks);
    chat.broker().speak_for(broker);
    return run(chat, scenario, plan, Level::ledger);
}

TrialResult TrialRunner::run_before(Witness& witness, const Scenario& scenario, const Plan& plan,
                                    std::uint64_t seed) {
    ChatWorld chat(scenario, plan, seed, kept_->stacks);
    chat.database().tell(witness);
    return run(chat, scenario, plan, Level::ledger);
}

TrialResult TrialRunner::run(ChatWorld& chat, const Scenario& scenario, const Plan& plan,
                             Level level) {
    sim::World& world = chat.world();
    TrialResult result;
    kept_->ledger.clear();
    world.recorder().add_sink(kept_->ledger, properties::Ledger::kinds);
    if (level != Level::fingerprint) {
        kept_->seat_jury({.poison_threshold = scenario.system.worker.poison_threshold,
                          .stream_bound = scenario.stream_bound,
                          .excuse = scenario.expect.excuse});
        kept_->paths.start({.broker = broker_node, .database = database_node});
        world.recorder().add_sink(kept_->paths, properties::RarePaths::kinds);
        world.recorder().add_sink(kept_->jury, properties::Jury::observes());
    }
    Recorder recorder(world.recorder(), result);
    if (level >= Level::everything) {
        result.recording = std::make_unique<Recording>();
        world.recorder().add_sink(recorder);
    }
    StateKey key(chat);
    if (level == Level::branchings && world.scheduler() != nullptr) {
        world.recorder().add_sink(key);
        const auto& picks = plan.schedule.picks;
        world.scheduler()->watch(picks.empty() ? 1 : picks.back().branching, [&] {
            return sim::Scheduler::Sight{world.recorder().last(), key.now()};
        });
    }
    result.ending = world.run(ChatSupervisor(scenario, plan, world, kept_->ledger));
    result.fingerprint = world.recorder().fingerprint();
    result.behaviour = world.recorder().behaviour();
    result.end = world.now();
    result.events = world.events();
    result.steps = world.recorder().last();
    result.inert_faults = world.faults().inert();
    result.effective_faults = world.faults().effective();
    if (const sim::Scheduler* const scheduler = world.scheduler()) {
        result.picks = scheduler->picks();
        result.scheduled_steps = scheduler->steps();
        if (level == Level::branchings) result.branchings = scheduler->branchings();
    }
    if (level != Level::fingerprint) kept_->judge(result);
    if (level >= Level::everything) {
        properties::History steps = std::move(result.recording->steps);
        *result.recording = texts_of(scenario, world);
        result.recording->steps = std::move(steps);
    }
    return result;
}

std::optional<StateChange> TrialRunner::state_at(const Scenario& scenario, const Plan& plan,
                                                 std::uint64_t seed, sim::StepNumber step) {
    const auto run_with = [&](ChatWorld& chat, sim::StepSink& sink) {
        kept_->ledger.clear();
        chat.world().recorder().add_sink(kept_->ledger, properties::Ledger::kinds);
        chat.world().recorder().add_sink(sink);
        chat.world().run(ChatSupervisor(scenario, plan, chat.world(), kept_->ledger));
    };
    ChatWorld first(scenario, plan, seed, kept_->stacks);
    ChangeCounter counter(first);
    run_with(first, counter);
    if (step == sim::no_step || step > counter.changes.size()) return {};
    // The steps of one command come after its effects: before is before the whole command.
    sim::StepNumber before = step - 1;
    while (before > 0 && counter.changes[before - 1] == counter.changes[step - 1]) --before;

    StateChange change;
    ChatWorld second(scenario, plan, seed, kept_->stacks);
    Photographer photographer(second, before, step, change);
    if (before == 0) change.before.database = second.database().server().snapshot();
    run_with(second, photographer);
    change.texts = texts_of(scenario, second.world());
    return change;
}

void TrialRunner::visit_states(const Scenario& scenario, const Plan& plan, std::uint64_t seed,
                               const StateVisitor& visit) {
    ChatWorld chat(scenario, plan, seed, kept_->stacks);
    Recording texts;
    texts.nodes = node_names(scenario);
    texts.series = chat.world().series();
    const std::function<void(const StateSnapshot&)> show = [&](const StateSnapshot& state) {
        visit(state, texts);
    };
    show(snapshot_of(chat, sim::no_step, {}));
    Filmer filmer(chat, show);
    kept_->ledger.clear();
    chat.world().recorder().add_sink(kept_->ledger, properties::Ledger::kinds);
    chat.world().recorder().add_sink(filmer);
    chat.world().run(ChatSupervisor(scenario, plan, chat.world(), kept_->ledger));
}

FinalState TrialRunner::final_state(const Scenario& scenario, const Plan& plan,
                                    std::uint64_t seed) {
    ChatWorld chat(scenario, plan, seed, kept_->stacks);
    kept_->ledger.clear();
    chat.world().recorder().add_sink(kept_->ledger, properties::Ledger::kinds);
    chat.world().run(ChatSupervisor(scenario, plan, chat.world(), kept_->ledger));
    return {.broker = chat.broker().snapshot(),
            .database = chat.database().server().snapshot(),
            .told = chat.told()};
}

AddressBook TrialRunner::address_book(const Scenario& scenario, std::uint64_t seed) {
    Scenario calm = scenario;
    calm.faults.random.clear();
    calm.faults.pinned.clear();
    const Plan plan{.messages = draw_messages(scenario, seed), .faults = {}};
    AddressBook book;
    ChatWorld chat(calm, plan, seed, kept_->stacks);
    Surveyor surveyor(book);
    kept_->ledger.clear();
    chat.world().recorder().add_sink(kept_->ledger, properties::Ledger::kinds);
    chat.world().recorder().add_sink(
        surveyor, sim::kinds_of<sim::Sent, model::WorkStarted, model::StatusChanged>);
    chat.world().run(ChatSupervisor(calm, plan, chat.world(), kept_->ledger));
    return book;
}

std::string_view Recording::text(sim::Name name) const {
    const auto index = static_cast<std::size_t>(name);
    return index < names.size() ? std::string_view{names[index]} : std::string_view{};
}

std::string_view Recording::text(sim::NodeId node) const {
    const auto index = static_cast<std::size_t>(node);
    return index < nodes.size() ? std::string_view{nodes[index]} : "the world";
}

Role Recording::role(sim::NodeId node) const {
    const auto index = static_cast<std::size_t>(node);
    return index < roles.size() ? roles[index] : Role::nobody;
}

std::string Recording::text(sim::Subject subject) const {
    if (subject == sim::Subject::none) return {};
    if (sim::series_of(subject) == sim::node_series)
        return std::string{text(sim::NodeId{static_cast<std::uint16_t>(sim::number_of(subject))})};
    return sim::subject_text(series, subject).value_or("");
}

Case make_case(const Scenario& scenario, const Plan& plan, std::uint64_t seed,
               const TrialResult& result) {
    const BuildInfo& build = build_info();
    return {.scenario = scenario,
            .plan = plan,
            .seed = seed,
            .build = std::string{build.version} + " " + std::string{build.commit},
            .fingerprint = result.fingerprint,
            .step_hashes = result.step_hashes,
            .checkpoints = result.checkpoints};
}

std::optional<Divergence> compare(const Case& recorded, const TrialResult& replayed) {
    if (recorded.fingerprint == replayed.fingerprint) return {};
    const auto differing = std::ranges::mismatch(recorded.step_hashes, replayed.step_hashes);
    const auto agreed = static_cast<sim::StepNumber>(differing.in1 - recorded.step_hashes.begin());
    if (differing.in1 != recorded.step_hashes.end() || differing.in2 != replayed.step_hashes.end())
        return Divergence{.first = agreed + 1, .is_exact = true};
    const auto checkpoint = std::ranges::mismatch(recorded.checkpoints, replayed.checkpoints);
    const auto passed = checkpoint.in1 - recorded.checkpoints.begin();
    return Divergence{.first = static_cast<sim::StepNumber>(hashed_steps) *
                                   static_cast<sim::StepNumber>(passed + 1) +
                               1,
                      .is_exact = false};
}

}  // namespace redeliver::scenarios
