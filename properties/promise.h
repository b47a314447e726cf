#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "model/steps.h"
#include "properties/property.h"
#include "properties/run_table.h"

namespace redeliver::properties {

/// What a reader is told of a promise.
struct PromiseCard {
    std::string_view name;
    std::string_view sentence;
    sim::KindMask observes = 0;
    /// Whether it is about the end, so that a trial which was cut off has not judged it.
    enum class About : std::uint8_t { every_step, the_end } about = About::every_step;
};

/// The bookkeeping that our own promises share: the first breach, the excuses, the verdict.
class Promise : public Property {
    struct Forgotten {
        bool is_so = false;
    };

public:
    std::string_view name() const final { return card_.name; }
    std::string_view promise() const final { return card_.sentence; }
    sim::KindMask observes() const final { return card_.observes | losses; }
    Verdict conclude(sim::Ending ending) final;
    void reset() final;

protected:
    static constexpr sim::KindMask losses =
        sim::kinds_of<model::BrokerForgot, model::DatabaseForgot>;

    Promise(const PromiseCard& card, const Terms& terms) : card_(card), terms_(terms) {}

    const Terms& terms() const { return terms_; }
    /// The antecedent has occurred: the verdict can be more than vacuous.
    void matters() { matters_ = true; }
    /// To be shown every step of a loss: breaches about its run may be excused from now on.
    void note_loss(const sim::Step& step) {
        if (((losses >> step.kind) & 1) != 0 && model::is_run(step.subject))
            forgotten_[step.subject].is_so = true;
    }
    bool was_forgotten(sim::Subject run) const {
        const Forgotten* const forgotten = forgotten_.find(run);
        return forgotten != nullptr && forgotten->is_so;
    }

    /// This step broke the promise about `run`; `evidence` gives the text, and is called only for
    /// the first breach that no loss excuses.
    template <class Evidence>
    void breach(const sim::Step& step, sim::Subject run, Evidence evidence) {
        if (is_excused(run)) return excuse();
        if (violation_.holds == Holds::violated) return;
        violation_ = {.holds = Holds::violated,
                      .breach = Breach::done,
                      .step = step.number,
                      .at = step.at,
                      .subject = run,
                      .evidence = evidence()};
    }
    /// At the end: the promise about `run` is still owed.
    void owed(sim::Subject run, std::string_view evidence);
    void excuse() { ++excused_; }
    /// At the end: adds to the evidence of a violation, if there is one.
    template <class Evidence>
    void amend(Evidence evidence) {
        if (violation_.holds == Holds::violated) violation_.evidence += evidence();
    }
    /// Whether a breach about `run` would be excused.
    bool is_excused(sim::Subject run) const {
        return terms_.excuse == Terms::Excuse::forgotten && was_forgotten(run);
    }

private:
    /// Calls `owed` for whatever is.
    virtual void settle() {}
    /// Forgets what it knows of the trial.
    virtual void clear() = 0;

    PromiseCard card_;
    Terms terms_;
    RunTable<Forgotten> forgotten_;
    Verdict violation_;
    std::uint32_t excused_ = 0;
    std::uint32_t owed_ = 0;
    bool matters_ = false;
};

/// `run-6`, `run-6b`.
std::string run_text(sim::Subject run);

}  // namespace redeliver::properties
