#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/scenario.h"

namespace redeliver::scenarios {

/// One value of a system that `--set` can change.
struct Knob {
    enum class Kind : std::uint8_t { word, number, duration } kind;
    std::string path;                          ///< `worker.claim`
    std::string value;                         ///< As it is now, as a file has it: `30s`.
    std::vector<std::string_view> words = {};  ///< All that a word can be.

    /// `worker.claim=never`.
    std::string set_to(std::string_view other) const;
    /// Of a number or duration, in microseconds; 0 of a word.
    std::int64_t amount() const;
    std::string text_of(std::int64_t amount) const;
};

/// Every policy, number and duration under `/system`, in the order of a file. What describes the
/// world rather than a decision is left out: latencies, and how long work takes.
std::vector<Knob> knobs_of(const Scenario& scenario);

/// What a knob is in another scenario; nothing if it has none of this path.
std::optional<std::string> value_in(const Scenario& scenario, std::string_view path);

/// `/system/worker/claim` as `--set` takes it, `worker.claim`; nothing for what is no value of a
/// system.
std::optional<std::string> path_of(std::string_view pointer);

}  // namespace redeliver::scenarios
