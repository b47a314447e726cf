// Chrome's trace event format, which Perfetto and chrome://tracing read. Source: "Trace Event
// Format" (Google, 2016) and google/perfetto docs/getting-started/other-formats.md.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "reports/exports.h"
#include "reports/json_text.h"
#include "reports/sequence.h"

namespace redeliver::reports {

namespace {

using sim::StepNumber;
using Fate = TraceMessage::Fate;
using Way = TraceMessage::Way;

constexpr std::string_view world = "world";
/// Of every process; the tracks of its slices follow.
constexpr int events_track = 1;

/// Something that lasts. No two on one track overlap, so they nest.
struct Slice {
    int pid = 0;
    std::string group;  ///< `work`, `requests`, `serves`, `state`.
    std::int64_t from = 0;
    std::int64_t to = 0;  ///< After `from`: what takes no time is drawn one microsecond wide.
    std::string name;
    Json args;
    int track = 0;
};

class ChromeTrace {
public:
    explicit ChromeTrace(const Trace& trace) : trace_(trace), messages_(messages_of(trace)) {
        for (const std::string& lane : lanes_of(trace))
            pids_.emplace(lane, static_cast<int>(pids_.size()) + 1);
        world_ = static_cast<int>(pids_.size()) + 1;
    }

    std::string render() && {
        add_states();
        add_work();
        add_exchanges();
        give_tracks();
        add_metadata();
        for (const Slice& slice : slices_) add_slice(slice);
        add_messages();
        add_instants();
        add_counters();
        Json document;
        document["displayTimeUnit"] = "ms";
        document["otherData"] = about();
        std::ranges::stable_sort(events_, {}, [](const Json& event) {
            return event.contains("ts") ? event["ts"].get<std::int64_t>() : -1;
        });
        document["traceEvents"] = std::move(events_);
        return document.dump(-1, ' ', true, Json::error_handler_t::replace) + "\n";
    }

private:
    int pid_of(std::string_view node) const {
        const auto found = pids_.find(std::string(node));
        return found == pids_.end() ? world_ : found->second;
    }

    std::int64_t time_of(StepNumber number, std::int64_t otherwise) const {
        const TraceStep* const step = find_step(trace_, number);
        return step == nullptr ? otherwise : step->at_us;
    }

    std::int64_t end() const {
        return trace_.steps.empty() ? trace_.end_us
                                    : std::max(trace_.end_us, trace_.steps.back().at_us);
    }

    Json about() const {
        Json about;
        about["story"] = trace_.story;
        about["seed"] = std::to_string(trace_.seed);
        about["outcome"] = trace_.outcome;
        about["build"] = trace_.build;
        about["steps"] = trace_.steps.size();
        about["messages"] = messages_.size();
        return about;
    }

    // ---------------------------------------------------------------- slices

    std::size_t add(Slice slice) {
        slice.to = std::max(slice.to, slice.from + 1);
        slices_.push_back(std::move(slice));
        return slices_.size() - 1;
    }

    /// From each step of one kind to the next step of the actor that ends it.
    void add_lasting(std::string_view kind, std::string_view until, std::string_view name) {
        for (const TraceStep& step : trace_.steps) {
            if (step.kind != kind) continue;
            const auto over = std::find_if(
                trace_.steps.begin() + step.number, trace_.steps.end(), [&](const TraceStep& each) {
                    return each.actor == step.actor && each.kind == until;
                });
            add({.pid = pid_of(step.actor),
                 .group = "state",
                 .from = step.at_us,
                 .to = over == trace_.steps.end() ? end() : over->at_us,
                 .name = std::string(name),
                 .args = args_of(step)});
        }
    }

    void add_states() {
        add_lasting("Crashed", "Restarted", "down");
        add_lasting("Paused", "Resumed", "paused");
    }

    void add_work() {
        for (const TraceStep& step : trace_.steps) {
            if (step.kind != "WorkStarted") continue;
            const auto over =
                std::find_if(trace_.steps.begin() + step.number, trace_.steps.end(),
                             [&](const TraceStep& each) { return ends_work(each, step); });
            add({.pid = pid_of(step.actor),
                 .group = "work",
                 .from = step.at_us,
                 .to = over == trace_.steps.end() ? end() : over->at_us,
                 .name = fmt::format("work on {}", step.subject),
                 .args = args_of(step)});
        }
    }

    static bool ends_work(const TraceStep& step, const TraceStep& started) {
        if (step.actor != started.actor) return false;
        return step.kind == "Crashed" ||
               (step.kind == "WorkFinished" && step.subject == started.subject &&
                step.execution == started.execution);
    }

    /// A request as its sender sees it, and as the server does that shows that it received it.
    void add_exchanges() {
        for (const TraceMessage& message : messages_) {
            if (message.way != Way::request) continue;
            const std::int64_t sent = time_of(message.sent, 0);
            asks_[message.sent] = add({.pid = pid_of(message.from),
                                       .group = "requests",
                                       .from = sent,
                                       .to = time_of(message.ended, end()),
                                       .name = message_text(message),
                                       .args = args_of(message)});
            if (message.received == sim::no_step) continue;
            const std::int64_t received = time_of(message.received, sent);
            serves_[message.sent] = add({.pid = pid_of(message.to),
                                         .group = "serves",
                                         .from = received,
                                         .to = time_of(message.other, received),
                                         .name = message_text(message),
                                         .args = args_of(message)});
        }
    }

    /// Slices that overlap get tracks of their own.
    void give_tracks() {
        std::vector<std::size_t> order(slices_.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
        std::ranges::stable_sort(order, {}, [&](std::size_t i) { return slices_[i].from; });
        std::map<std::pair<int, std::string>, std::vector<std::pair<std::int64_t, int>>> tracks;
        for (const std::size_t i : order) {
            Slice& slice = slices_[i];
            auto& of_group = tracks[{slice.pid, slice.group}];
            auto free = std::ranges::find_if(
                of_group, [&](const auto& track) { return track.first <= slice.from; });
            if (free == of_group.end()) {
                const int track = events_track + 1 + tracks_of_[slice.pid]++;
                of_group.emplace_back(0, track);
                free = of_group.end() - 1;
                const std::string name = of_group.size() == 1
                                             ? slice.group
                                             : fmt::format("{} {}", slice.group, of_group.size());
                thread_names_.push_back(metadata("thread_name", slice.pid, track, name));
            }
            free->first = slice.to;
            slice.track = free->second;
        }
    }

    void add_slice(const Slice& slice) {
        Json event = event_at("X", slice.from, slice.pid, slice.track, slice.name);
        event["dur"] = slice.to - slice.from;
        event["cat"] = slice.group;
        event["args"] = slice.args;
        events_.push_back(std::move(event));
    }

    // ---------------------------------------------------------------- events

    static Json event_at(std::string_view phase, std::int64_t at, int pid, int tid,
                         const std::string& name) {
        Json event;
        event["ph"] = phase;
        event["ts"] = at;
        event["pid"] = pid;
        event["tid"] = tid;
        event["name"] = name;
        return event;
    }

    static Json metadata(std::string_view what, int pid, int tid, std::string_view name) {
        Json event;
        event["ph"] = "M";
        event["pid"] = pid;
        event["tid"] = tid;
        event["name"] = what;
        event["args"]["name"] = name;
        return event;
    }

    static Json args_of(const TraceStep& step) {
        Json args;
        args["step"] = step.number;
        if (!step.subject.empty()) args["subject"] = step.subject;
        if (!step.how.empty()) args["how"] = step.how;
        return args;
    }

    static Json args_of(const TraceMessage& message) {
        Json args;
        args["step"] = message.sent;
        args["from"] = message.from;
        args["to"] = message.to;
        args["fate"] = text(message.fate);
        return args;
    }

    void add_metadata() {
        const auto add_process = [&](int pid, std::string_view name) {
            events_.push_back(metadata("process_name", pid, 0, name));
            Json order = metadata("process_sort_index", pid, 0, "");
            order["args"] = {{"sort_index", pid}};
            events_.push_back(std::move(order));
            events_.push_back(metadata("thread_name", pid, events_track, "events"));
        };
        for (const auto& [name, pid] : pids_) add_process(pid, name);
        add_process(world_, world);
        for (Json& name : thread_names_) events_.push_back(std::move(name));
    }

    /// A message that arrived is a flow between two slices; any other an instant of its sender.
    void add_messages() {
        std::uint32_t id = 0;
        for (const TraceMessage& message : messages_) {
            ++id;
            const bool is_request = message.way == Way::request;
            const StepNumber request = is_request ? message.sent : message.other;
            const auto ask = asks_.find(request);
            const auto serve = serves_.find(request);
            if (message.fate == Fate::arrived && ask != asks_.end() && serve != serves_.end()) {
                const auto [from, to] = is_request ? std::pair(ask, serve) : std::pair(serve, ask);
                add_flow("s", id, slices_[from->second], message, is_request);
                add_flow("f", id, slices_[to->second], message, is_request);
                continue;
            }
            Json event = event_at("i", time_of(message.sent, 0), pid_of(message.from), events_track,
                                  fmt::format("{} {}", text(message.fate), message_text(message)));
            event["s"] = "t";
            event["cat"] = "message";
            event["args"] = args_of(message);
            events_.push_back(std::move(event));
        }
    }

    /// A request leaves and reaches a slice at its beginning, an answer at its end.
    void add_flow(std::string_view phase, std::uint32_t id, const Slice& slice,
                  const TraceMessage& message, bool is_request) {
        Json event = event_at(phase, is_request ? slice.from : slice.to - 1, slice.pid, slice.track,
                              message_text(message));
        event["cat"] = "message";
        event["id"] = id;
        if (phase == "f") event["bp"] = "e";
        events_.push_back(std::move(event));
    }

    void add_instants() {
        for (const TraceStep& step : trace_.steps) {
            const bool is_event = step.kind == "FaultFired" || step.kind == "Crashed";
            if (!step.is_shown && !is_event) continue;
            std::string name = note_text(trace_, {.step = &step, .message = nullptr, .broken = {}});
            add_instant(step, step.kind, std::move(name), "t");
        }
        for (const TracePromise& promise : trace_.promises) {
            if (promise.verdict != "violated") continue;
            TraceStep step;
            step.number = promise.step;
            step.at_us = promise.at_us;
            step.subject = promise.subject;
            step.how = promise.evidence;
            add_instant(step, "violation", "breaks " + promise.name, "g");
        }
    }

    void add_instant(const TraceStep& step, const std::string& category, std::string name,
                     std::string_view scope) {
        Json event = event_at("i", step.at_us, pid_of(place_of(trace_, step)), events_track, name);
        event["s"] = scope;
        event["cat"] = category;
        event["args"] = args_of(step);
        events_.push_back(std::move(event));
    }

    // ---------------------------------------------------------------- counters

    struct Table {
        std::vector<std::string> columns;
        std::vector<std::vector<std::string>> rows;
    };

    void add_counters() {
        std::map<std::string, Table> tables;
        for (const TableChange& change : trace_.tables) count(change, 0, tables);
        for (const TraceStep& step : trace_.steps)
            for (const TableChange& change : step.tables) count(change, step.at_us, tables);
    }

    /// How many entries of each group are pending and how many it lags behind, where that changed.
    void count(const TableChange& change, std::int64_t at, std::map<std::string, Table>& tables) {
        constexpr std::string_view prefix = "groups of ";
        if (!change.title.starts_with(prefix)) return;
        const std::string stream = change.title.substr(prefix.size());
        Table& table = tables[change.title];
        const Table before = table;
        if (change.kind != TableChange::Kind::change) table = {change.columns, {}};
        for (const RowChange& row : change.rows) apply(row, table);
        for (const std::string_view counter : {"pending", "lag"}) {
            const auto was = values(before, counter);
            const auto is = values(table, counter);
            for (const auto& [group, value] : is)
                if (const auto old = was.find(group); old == was.end() || old->second != value)
                    add_counter(fmt::format("{} of {} in {}", counter, group, stream), at, value);
            for (const auto& [group, value] : was)
                if (!is.contains(group) && !has_group(table, group))
                    add_counter(fmt::format("{} of {} in {}", counter, group, stream), at, 0);
        }
    }

    static void apply(const RowChange& change, Table& table) {
        const bool is_insert = change.kind == RowChange::Kind::insert;
        if (change.row + (is_insert ? 0u : 1u) > table.rows.size()) return;
        const auto place = table.rows.begin() + change.row;
        if (is_insert) {
            table.rows.insert(place, change.cells);
        } else if (change.kind == RowChange::Kind::replace) {
            *place = change.cells;
        } else {
            table.rows.erase(place);
        }
    }

    static bool has_group(const Table& table, const std::string& group) {
        return std::ranges::any_of(
            table.rows, [&](const auto& row) { return !row.empty() && row.front() == group; });
    }

    /// By group. A value that is `unknown` is none.
    static std::map<std::string, std::uint64_t> values(const Table& table,
                                                       std::string_view column) {
        std::map<std::string, std::uint64_t> values;
        const auto place = std::ranges::find(table.columns, column) - table.columns.begin();
        for (const auto& row : table.rows) {
            if (place >= std::ssize(row)) continue;
            const std::string& cell = row[static_cast<std::size_t>(place)];
            std::uint64_t value = 0;
            const auto read = std::from_chars(cell.data(), cell.data() + cell.size(), value);
            if (read.ec == std::errc{}) values[row.front()] = value;
        }
        return values;
    }

    void add_counter(const std::string& name, std::int64_t at, std::uint64_t value) {
        const auto broker = std::ranges::find(trace_.nodes, "broker", &TraceNode::role);
        Json event = event_at("C", at, broker == trace_.nodes.end() ? world_ : pid_of(broker->name),
                              events_track, name);
        event["args"] = {{"entries", value}};
        events_.push_back(std::move(event));
    }

    const Trace& trace_;
    std::vector<TraceMessage> messages_;
    std::map<std::string, int> pids_;
    int world_ = 0;
    std::vector<Slice> slices_;
    std::map<StepNumber, std::size_t> asks_;
    std::map<StepNumber, std::size_t> serves_;
    std::map<int, int> tracks_of_;
    std::vector<Json> thread_names_;
    std::vector<Json> events_;
};

}  // namespace

std::string perfetto(const Trace& trace) { return ChromeTrace(trace).render(); }

}  // namespace redeliver::reports
