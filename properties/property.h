#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "properties/verdict.h"
#include "sim/happenings.h"
#include "sim/recorder.h"
#include "sim/step.h"

namespace redeliver::properties {

/// What a promise needs to know of the system besides the steps.
struct Terms {
    /// Deliveries after which a message counts as poison.
    std::uint32_t poison_threshold = 3;
    /// Longest that the stream may become.
    std::uint64_t stream_bound = 10'000;
    /// Whether breaches about runs that a BrokerForgot or DatabaseForgot step names are excused:
    /// counted, but no violation.
    enum class Excuse : std::uint8_t { nothing, forgotten } excuse = Excuse::nothing;
};

/// A promise about every message: a fold over the steps of a trial that ends in a verdict.
///
/// Steps come in order, on a stream of any length. `conclude` is called once, after the last step.
/// A property knows nothing but the steps and its terms.
class Property : public sim::StepSink {
public:
    virtual ~Property() = default;

    /// In the catalogue and on the command line, such as `exactly_one_reply`.
    virtual std::string_view name() const = 0;
    /// One English sentence.
    virtual std::string_view promise() const = 0;
    /// The kinds of step that it wants to see; it must not mind being shown others.
    virtual sim::KindMask observes() const = 0;
    /// The verdict. When something is owed (Breach::owed), `step` and `at` may be left out: whoever
    /// shows the steps, a Jury or `judge`, knows the last one on the subject.
    virtual Verdict conclude(sim::Ending ending) = 0;
    /// Forgets every step, but not the terms: a campaign keeps its properties from trial to trial.
    virtual void reset() = 0;
};

/// A history written by hand or recorded.
using History = std::vector<sim::Step>;

/// Folds a property over a history, from its beginning, as a trial would.
Verdict judge(Property& property, const History& history, sim::Ending ending = sim::Ending::quiet);
/// The same for a property made on the spot: `judge(NoRunLost{terms}, history)`.
inline Verdict judge(Property&& property, const History& history,
                     sim::Ending ending = sim::Ending::quiet) {
    return judge(property, history, ending);
}

/// The name and the sentence of every promise there is, in the order in which they are shown.
struct PromiseInfo {
    std::string_view name;
    std::string_view promise;
};
const std::vector<PromiseInfo>& promises();

/// A fresh fold for the promise of this name; nullptr when there is none.
std::unique_ptr<Property> make_property(std::string_view name, const Terms& terms);

}  // namespace redeliver::properties
