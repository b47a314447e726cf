#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/steps.h"
#include "properties/ledger.h"
#include "sim/names.h"

namespace redeliver::properties {

/// What is there when a trial has ended, read from the tables, the streams, the pending lists and
/// the users' own notes, and from no step. A run occurs as often as there are rows about it.
struct FinalFacts {
    struct Row {
        sim::Subject run;
        model::Status status;
    };
    std::vector<Row> runs = {};                   ///< The table `runs`.
    std::vector<sim::Subject> replies = {};       ///< The table `messages`.
    std::vector<sim::Subject> stream = {};        ///< Entries in the streams that workers read.
    std::vector<sim::Subject> pending = {};       ///< Rows on the pending lists of all groups.
    std::vector<sim::Subject> dead_letters = {};  ///< Entries in the dead-letter streams.
    std::vector<sim::Subject> told = {};          ///< Ids that a user was told.
};

/// What the facts amount to, in the ledger's words (see Totals).
struct Reckoning {
    std::uint64_t lost = 0;
    std::uint64_t duplicated = 0;
    std::uint64_t pending = 0;
    std::uint64_t dead_lettered = 0;
    std::uint64_t rows = 0;
    std::uint64_t replies = 0;
    std::uint64_t entries = 0;
    friend bool operator==(const Reckoning&, const Reckoning&) = default;
};

Reckoning reckon(const FinalFacts& facts);
Reckoning reckon(const Ledger& ledger);

/// Where facts and ledger disagree about a run, one line each: "run-6: 2 replies in the tables, 1
/// in the ledger". Empty when they agree about every run.
std::vector<std::string> disagreements(const FinalFacts& facts, const Ledger& ledger);

}  // namespace redeliver::properties
