#pragma once

#include "properties/promise.h"
#include "properties/run_table.h"

namespace redeliver::properties {

/// `answered_runs_exist`: an id that a user was told is that of a committed row, from then on and
/// for good. A loss of the database that takes the row away breaks it, and may be excused.
class AnsweredRunsExist final : public Promise {
public:
    explicit AnsweredRunsExist(const Terms& terms = {});
    void observe(const sim::Step& step) override;

private:
    struct Run {
        bool is_accepted = false;
        bool was_told = false;
    };

    void clear() override { runs_.clear(); }
    void answered(const sim::Step& step, const model::Answered& answered);
    void database_forgot(const sim::Step& step, const model::DatabaseForgot& forgot);

    RunTable<Run> runs_;
};

/// `published_runs_exist`: what publishing before the insert breaks.
class PublishedRunsExist final : public Promise {
public:
    explicit PublishedRunsExist(const Terms& terms = {});
    void observe(const sim::Step& step) override;

private:
    void clear() override {}
};

}  // namespace redeliver::properties
