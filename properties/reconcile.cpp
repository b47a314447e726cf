#include "properties/reconcile.h"

#include <fmt/format.h>

#include <map>

#include "properties/promise.h"
#include "sim/ensure.h"

namespace redeliver::properties {

using model::Status;
using sim::Subject;

namespace {

/// Everything about one run, counted.
struct Standing {
    std::uint64_t rows = 0;
    std::uint64_t replies = 0;
    std::uint64_t entries = 0;
    std::uint64_t pending = 0;
    std::uint64_t dead_letters = 0;
    bool was_told = false;
    Status status = Status::none;

    bool is_lost() const {
        return (rows > 0 || was_told) && replies == 0 && status != Status::failed;
    }
};

using Standings = std::map<Subject, Standing>;

Standings standings(const FinalFacts& facts) {
    Standings all;
    for (const FinalFacts::Row& row : facts.runs) {
        ++all[row.run].rows;
        all[row.run].status = row.status;
    }
    for (const Subject run : facts.replies) ++all[run].replies;
    for (const Subject run : facts.stream) ++all[run].entries;
    for (const Subject run : facts.pending) ++all[run].pending;
    for (const Subject run : facts.dead_letters) ++all[run].dead_letters;
    for (const Subject run : facts.told) all[run].was_told = true;
    return all;
}

Standing standing(const Ledger& ledger, Subject subject) {
    Standing run;
    if (const Biography* const known = ledger.find(subject)) {
        run.rows = known->has_row ? 1 : 0;
        run.replies = known->replies;
        run.was_told = known->was_told;
        run.status = known->status;
    }
    const Streams& streams = ledger.streams();
    streams.for_each_entry(subject, [&](const Streams::Entry& entry) {
        if (entry.is_present) ++(entry.is_dead_letter ? run.dead_letters : run.entries);
        streams.for_each_row(entry, [&](const Streams::Row& row) {
            if (row.is_pending) ++run.pending;
        });
    });
    return run;
}

Standings standings(const Ledger& ledger) {
    Standings all;
    ledger.for_each([&](Subject run, const Biography&) { all[run] = standing(ledger, run); });
    all[Subject::none] = standing(ledger, Subject::none);
    return all;
}

Reckoning reckon(const Standings& all) {
    Reckoning sum;
    for (const auto& [subject, run] : all) {
        sum.lost += run.is_lost() ? 1 : 0;
        sum.duplicated += run.replies > 1 ? run.replies - 1 : 0;
        sum.pending += run.pending;
        sum.dead_lettered += run.dead_letters;
        sum.rows += run.rows;
        sum.replies += run.replies;
        sum.entries += run.entries;
    }
    return sum;
}

}  // namespace

Reckoning reckon(const FinalFacts& facts) { return reckon(standings(facts)); }

Reckoning reckon(const Ledger& ledger) {
    const Reckoning sum = reckon(standings(ledger));
    const Totals totals = ledger.totals();
    sim::ensure(sum.lost == totals.lost, "the ledger counts as lost what its biographies show");
    sim::ensure(sum.duplicated == totals.duplicated, "and as duplicated");
    sim::ensure(sum.pending == totals.pending, "and as pending");
    sim::ensure(sum.dead_lettered == totals.dead_lettered, "and as dead-lettered");
    sim::ensure(sum.replies == totals.replies, "and as replies");
    return sum;
}

std::vector<std::string> disagreements(const FinalFacts& facts, const Ledger& ledger) {
    std::vector<std::string> lines;
    Standings told = standings(ledger);
    Standings found = standings(facts);
    for (const auto& [run, standing] : told) found.try_emplace(run);
    for (const auto& [run, fact] : found) {
        const Standing& tale = told[run];
        const auto compare = [&](std::string_view what, std::uint64_t there, std::uint64_t known) {
            if (there == known) return;
            lines.push_back(fmt::format("{}: {} {} in truth, {} in the ledger", run_text(run), what,
                                        there, known));
        };
        compare("rows", fact.rows, tale.rows);
        compare("replies", fact.replies, tale.replies);
        compare("entries", fact.entries, tale.entries);
        compare("pending", fact.pending, tale.pending);
        compare("dead letters", fact.dead_letters, tale.dead_letters);
        compare("told", fact.was_told ? 1 : 0, tale.was_told ? 1 : 0);
        compare("status", static_cast<std::uint64_t>(fact.status),
                static_cast<std::uint64_t>(tale.status));
    }
    return lines;
}

}  // namespace redeliver::properties
