#pragma once

#include "model/steps.h"
#include "properties/verdict.h"
#include "sim/happenings.h"
#include "tests/reports/recordings.h"

namespace redeliver::reports {

/// A worker works on run-6 and dies before its XACK; another claims the entry and works again.
/// Written by hand: 20 steps, of which step 15 breaks `work_is_executed_once`.
inline scenarios::Recording crash_story() {
    using namespace model;
    using namespace std::chrono_literals;
    const auto run_6 = run_of(6);
    const auto entry = EntryKey{.ms = 990, .seq = 0, .stream = stream_name};
    scenarios::Recording r = empty_recording();

    add(r, 980ms, user, run_6,
        Submitted{.attempt = 1, .session = 2, .content = Content::healthy, .failures = 0});
    add(r, 985ms, gateway, run_6, Accepted{.intention = run_6, .session = 2}, {.previous = 1});
    add(r, 990ms, gateway, run_6, Added{.entry = entry}, {.cause = 2, .previous = 2});
    add(r, 991ms, worker_1, subject_of(worker_1),
        sim::Sent{.operation = number(Operation::xreadgroup), .server = broker, .occurrence = 1});
    add(r, 992ms, worker_1, run_6,
        Delivered{
            .entry = entry, .group = group_name, .consumer = worker_1_name, .delivery_count = 1},
        {.cause = 4, .previous = 3});
    add(r, 993ms, worker_1, run_6, WorkStarted{.consumer = worker_1_name, .execution = 1},
        {.cause = 5, .previous = 5});
    add(r, 996ms, worker_1, run_6,
        WorkFinished{.consumer = worker_1_name, .execution = 1, .result = WorkResult::succeeded},
        {.cause = 6, .previous = 6});
    add(r, 998ms, worker_1, run_6, ReplyStored{.seq = 1, .session = 2},
        {.cause = 7, .previous = 7});
    add(r, 1000ms, worker_1, run_6, sim::FaultFired{.fault = 0}, {.cause = 8, .previous = 8});
    add(r, 1000ms, worker_1, subject_of(worker_1), sim::Crashed{.of = sim::CrashOf::process},
        {.cause = 9});
    add(r, 1000ms, worker_1, run_6,
        sim::Cut{
            .operation = number(Operation::xack), .phase = sim::CutAt::unsent, .occurrence = 1},
        {.cause = 10, .previous = 9});
    add(r, 16000ms, worker_2, subject_of(worker_2),
        sim::Sent{.operation = number(Operation::xautoclaim), .server = broker, .occurrence = 4});
    add(r, 31002ms, worker_2, subject_of(worker_2),
        sim::Sent{.operation = number(Operation::xautoclaim), .server = broker, .occurrence = 5});
    add(r, 31002ms, worker_2, run_6,
        Claimed{.entry = entry,
                .from = worker_1_name,
                .to = worker_2_name,
                .delivery_count = 2,
                .idle_time_ms = 30010},
        {.cause = 13, .previous = 11});
    add(r, 31003ms, worker_2, run_6, WorkStarted{.consumer = worker_2_name, .execution = 2},
        {.cause = 14, .previous = 14});
    add(r, 31004ms, worker_2, run_6,
        WorkFinished{.consumer = worker_2_name, .execution = 2, .result = WorkResult::succeeded},
        {.cause = 15, .previous = 15});
    add(r, 31005ms, worker_2, run_6, ReplyAbsorbed{.seq = 1}, {.cause = 16, .previous = 16});
    add(r, 31006ms, worker_2, run_6,
        Acknowledged{
            .entry = entry, .group = group_name, .owner = worker_2_name, .delivery_count = 2},
        {.cause = 17, .previous = 17});
    add(r, 31006ms, worker_2, run_6,
        StatusChanged{.from = Status::pending, .to = Status::done, .reason = sim::Name::none},
        {.cause = 18, .previous = 18});
    add(r, 31007ms, sim::NodeId::none, sim::Subject::none,
        sim::Concluded{.ending = static_cast<std::uint32_t>(sim::Ending::settled), .state = 1},
        {.cause = 19});
    return r;
}

inline scenarios::PromiseVerdict broken_at_second_work() {
    using namespace std::chrono_literals;
    return {.name = "work_is_executed_once",
            .verdict = {.holds = properties::Holds::violated,
                        .breach = properties::Breach::done,
                        .step = 15,
                        .at = sim::at(31003ms),
                        .subject = model::run_of(6),
                        .evidence = "is worked on a second time"}};
}

}  // namespace redeliver::reports
