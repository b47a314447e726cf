#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "model/database/relation.h"
#include "model/database/schema.h"
#include "sim/time.h"

namespace redeliver::model::database {

/// What it takes to undo the latest commits, newest first.
class CommitLog {
public:
    struct Change {
        TableId table;
        RowId row;  ///< Where it was; elsewhere if it has since been deleted and restored.
        std::uint64_t birth;
        std::uint64_t stamp_before;
        std::vector<Value> before;  ///< Empty: the commit inserted it.
        enum class Left : std::uint8_t { nothing, row } left;
    };
    struct Commit {
        sim::WallTime at;
        std::vector<Change> changes;
    };

    void open(sim::WallTime at) { commits_.push_back({.at = at, .changes = {}}); }
    void add(Change change) { commits_.back().changes.push_back(std::move(change)); }

    /// Forgets how to undo commits up to that time.
    void trim(sim::WallTime until) {
        while (!commits_.empty() && commits_.front().at <= until) commits_.pop_front();
    }

    /// Whether the newest commit is later; all older than one that is not are kept, whatever their
    /// time, so that what remains is a prefix even if the clock was set back.
    bool ends_after(sim::WallTime cut) const {
        return !commits_.empty() && commits_.back().at > cut;
    }

    Commit take_newest() {
        Commit newest = std::move(commits_.back());
        commits_.pop_back();
        return newest;
    }

private:
    std::deque<Commit> commits_;
};

}  // namespace redeliver::model::database
