// A trace as a file: JSON Lines, and back.

#include <fmt/format.h>

#include <concepts>
#include <type_traits>

#include "reports/exports.h"
#include "reports/json_text.h"
#include "reports/trace.h"
#include "reports/words.h"
#include "scenarios/json/bad_input.h"
#include "scenarios/json/printable.h"

namespace redeliver::reports {

namespace {

using scenarios::BadInput;

// One list of fields for each kind of object serves both ways: `fields(archive, object)` names
// them, and the archive reads or writes.

template <class A, class T>
void fields(A& in, T& it) requires std::same_as<std::remove_const_t<T>, TraceNode> {
    in("name", it.name);
    in("role", it.role);
}

template <class A, class T>
void fields(A& in, T& it) requires std::same_as<std::remove_const_t<T>, RowChange> {
    in("kind", it.kind);
    in("row", it.row);
    in("cells", it.cells);
}

template <class A, class T>
void fields(A& in, T& it) requires std::same_as<std::remove_const_t<T>, TableChange> {
    in("kind", it.kind);
    in("title", it.title);
    in("place", it.place);
    in("columns", it.columns);
    in("rows", it.rows);
}

template <class A, class T>
void fields(A& in, T& it) requires std::same_as<std::remove_const_t<T>, TraceDelivery> {
    in("entry", it.entry);
    in("consumer", it.consumer);
    in("from", it.from);
    in("count", it.count);
    in("idle_ms", it.idle_ms);
}

template <class A, class T>
void fields(A& in, T& it) requires std::same_as<std::remove_const_t<T>, TraceStep> {
    in.always("number", it.number);
    in.always("at_us", it.at_us);
    in.always("kind", it.kind);
    in("actor", it.actor);
    in("incarnation", it.incarnation);
    in("subject", it.subject);
    in("cause", it.cause);
    in("previous", it.previous);
    in("mark", it.mark);
    in("what", it.what);
    in("about", it.about);
    in("how", it.how);
    in("peer", it.peer);
    in("fault", it.fault);
    in("execution", it.execution);
    in("is_shown", it.is_shown);
    in("delivery", it.delivery);
    in("tables", it.tables);
}

template <class A, class T>
void fields(A& in, T& it) requires std::same_as<std::remove_const_t<T>, TraceClock> {
    in.always("from", it.from);
    in.always("ahead_us", it.ahead_us);
    in.always("gains_ppm", it.gains_ppm);
}

template <class A, class T>
void fields(A& in, T& it) requires std::same_as<std::remove_const_t<T>, TraceSentence> {
    in.always("step", it.step);
    in.always("at_us", it.at_us);
    in.always("text", it.text);
}

template <class A, class T>
void fields(A& in, T& it) requires std::same_as<std::remove_const_t<T>, TracePromise> {
    in.always("name", it.name);
    in.always("sentence", it.sentence);
    in.always("expected", it.expected);
    in.always("verdict", it.verdict);
    in("excused", it.excused);
    in("step", it.step);
    in("at_us", it.at_us);
    in("subject", it.subject);
    in("evidence", it.evidence);
    in("why", it.why);
}

template <class A, class T>
void fields(A& in, T& it) requires std::same_as<std::remove_const_t<T>, TraceFault> {
    in.always("number", it.number);
    in.always("text", it.text);
    in.always("fired", it.fired);
    in("need", it.need);
    in("command", it.command);
}

template <class A, class T>
void fields(A& in, T& it) requires std::same_as<std::remove_const_t<T>, TraceRun> {
    in.always("run", it.run);
    in("intention", it.intention);
    in("session", it.session);
    in("content", it.content);
    in("status", it.status);
    in("reason", it.reason);
    in("accepted", it.accepted);
    in("told", it.told);
    in("forgotten", it.forgotten);
    in.always("counts", it.counts);
}

template <class A, class T>
void fields(A& in, T& it) requires std::same_as<std::remove_const_t<T>, TracePath> {
    in.always("name", it.name);
    in.always("sentence", it.sentence);
    in.always("count", it.count);
}

template <class A, class T>
void fields(A& in, T& it) requires std::same_as<std::remove_const_t<T>, TraceKnob> {
    in.always("path", it.path);
    in.always("value", it.value);
    in("words", it.words);
}

template <class A, class T>
void fields(A& in, T& it) requires std::same_as<std::remove_const_t<T>, TraceNeighbour> {
    in("path", it.path);
    in("value", it.value);
    in.always("title", it.title);
    in.always("command", it.command);
    in.always("outcome", it.outcome);
    in.always("verdicts", it.verdicts);
    in.always("totals", it.totals);
    in("first_difference", it.first_difference);
    in.always("steps", it.steps);
    in("shown", it.shown);
}

template <class A, class T>
void fields(A& in, T& it) requires std::same_as<std::remove_const_t<T>, TraceChance> {
    in("after", it.after);
    in.always("futures", it.futures);
    in("keeping", it.keeping);
    in("command", it.command);
}

template <class A, class T>
void fields(A& in, T& it) requires std::same_as<std::remove_const_t<T>, TraceExplanation> {
    in.always("promise", it.promise);
    in("shrunk", it.shrunk);
    in("passing", it.passing);
    in("chance", it.chance);
}

/// Of the first line; the version and the number of steps are seen to apart.
template <class A, class T>
void fields(A& in, T& it) requires std::same_as<std::remove_const_t<T>, Trace> {
    in.always("story", it.story);
    in.always("sentence", it.sentence);
    in.always("seed", it.seed);
    in.always("build", it.build);
    in.fingerprint("fingerprint", it.fingerprint);
    in.always("outcome", it.outcome);
    in("complaints", it.complaints);
    in.always("ending", it.ending);
    in.always("end_us", it.end_us);
    in.always("heal_us", it.heal_us);
    in.always("idle_us", it.idle_us);
    in.always("deliveries", it.deliveries);
    in.always("nodes", it.nodes);
    in.always("broker_clock", it.broker_clock);
    in.always("faults", it.faults);
    in.always("promises", it.promises);
    in.always("totals", it.totals);
    in.always("runs", it.runs);
    in.always("reached", it.reached);
    in.always("knobs", it.knobs);
    in.always("commands", it.commands);
    in("explanation", it.explanation);
    in("neighbours", it.neighbours);
    in.always("tables", it.tables);
}

template <class Kind>
struct Words;
template <>
struct Words<RowChange::Kind> {
    static constexpr std::string_view all[] = {"insert", "replace", "erase"};
};
template <>
struct Words<TableChange::Kind> {
    static constexpr std::string_view all[] = {"change", "create", "drop"};
};

template <class T>
concept Scalar = std::integral<T> || std::same_as<T, std::string>;
template <class T>
concept Record = std::is_class_v<T> && !Scalar<T>;

// ------------------------------------------------------------------ writing

template <Scalar T>
Json json_of(const T& value) {
    return value;
}

template <class T>
Json json_of(const std::map<std::string, T>& values) {
    Json json = Json::object();
    for (const auto& [name, value] : values) json[name] = value;
    return json;
}

template <class T>
requires std::is_enum_v<T> Json json_of(const T& value) {
    return Words<T>::all[static_cast<std::size_t>(value)];
}

template <class T>
Json json_of(const std::vector<T>& values);
template <class T>
Json json_of(const std::optional<T>& value);
template <Record T>
Json json_of(const T& value);

/// Leaves out what says nothing, to keep lines short.
class Writer {
public:
    template <class T>
    void always(const char* key, const T& value) {
        json_[key] = json_of(value);
    }
    template <class T>
    void operator()(const char* key, const T& value) {
        if constexpr (requires { value.empty(); }) {
            if (value.empty()) return;
        } else if constexpr (requires { value.has_value(); }) {
            if (!value) return;
        } else {
            if (value == T{}) return;
        }
        always(key, value);
    }
    void fingerprint(const char* key, std::uint64_t value) { json_[key] = fingerprint_text(value); }

    Json json() { return std::move(json_); }

private:
    Json json_ = Json::object();
};

template <class T>
Json json_of(const std::vector<T>& values) {
    Json json = Json::array();
    for (const T& value : values) json.push_back(json_of(value));
    return json;
}

template <class T>
Json json_of(const std::optional<T>& value) {
    return json_of(*value);
}

template <Record T>
Json json_of(const T& value) {
    Writer writer;
    fields(writer, value);
    return writer.json();
}

Json head_of(const Trace& trace) {
    Json head = {{"trace", trace_version}, {"step_count", trace.steps.size()}};
    const Json rest = json_of(trace);
    for (const auto& [key, value] : rest.items()) head[key] = value;
    return head;
}

std::string line_of(const Json& json) {
    return json.dump(-1, ' ', true, Json::error_handler_t::replace) + "\n";
}

// ------------------------------------------------------------------ reading

/// Where reading has got to.
struct Spot {
    const std::string& file;
    std::uint32_t line;
    std::string pointer = {};

    Spot at(std::string_view key) const { return {file, line, fmt::format("{}/{}", pointer, key)}; }

    [[noreturn]] void refuse(const std::string& message) const {
        throw BadInput({.file = file, .line = line, .column = 0, .pointer = pointer}, message);
    }
    [[noreturn]] void refuse(const Json& found, std::string_view allowed) const {
        std::string text = found.dump(-1, ' ', true, Json::error_handler_t::replace);
        if (text.size() > 40) {
            text.resize(37);
            text += "...";
        }
        refuse(fmt::format("found {}, allowed is {}", text, allowed));
    }
};

template <Record T>
void read_value(const Spot& spot, const Json& json, T& value);

void read_value(const Spot& spot, const Json& json, std::string& value) {
    if (!json.is_string()) spot.refuse(json, "a string");
    value = json.get<std::string>();
}

void read_value(const Spot& spot, const Json& json, bool& value) {
    if (!json.is_boolean()) spot.refuse(json, "true or false");
    value = json.get<bool>();
}

template <std::integral T>
void read_value(const Spot& spot, const Json& json, T& value) {
    constexpr auto most = std::numeric_limits<T>::max();
    const bool fits = json.is_number_unsigned()
                          ? std::cmp_less_equal(json.get<std::uint64_t>(), most)
                          : json.is_number_integer() && std::signed_integral<T>;
    if (!fits) spot.refuse(json, fmt::format("a whole number up to {}", most));
    value = json.get<T>();
}

template <class T>
requires std::is_enum_v<T>
void read_value(const Spot& spot, const Json& json, T& value) {
    for (std::size_t word = 0; word < std::size(Words<T>::all); ++word)
        if (json == Words<T>::all[word]) return void(value = static_cast<T>(word));
    spot.refuse(json, fmt::format("one of {}", fmt::join(Words<T>::all, ", ")));
}

template <class T>
void read_value(const Spot& spot, const Json& json, std::vector<T>& values) {
    if (!json.is_array()) spot.refuse(json, "a list");
    for (std::size_t i = 0; i < json.size(); ++i)
        read_value(spot.at(std::to_string(i)), json[i], values.emplace_back());
}

template <class T>
void read_value(const Spot& spot, const Json& json, std::map<std::string, T>& values) {
    if (!json.is_object()) spot.refuse(json, "an object");
    for (const auto& [key, value] : json.items()) read_value(spot.at(key), value, values[key]);
}

template <class T>
void read_value(const Spot& spot, const Json& json, std::optional<T>& value) {
    read_value(spot, json, value.emplace());
}

class Reader {
public:
    Reader(const Spot& spot, const Json& json) : spot_(spot), json_(json) {
        if (!json.is_object()) spot.refuse(json, "an object");
    }

    template <class T>
    void operator()(const char* key, T& value) {
        known_.push_back(key);
        const auto found = json_.find(key);
        if (found != json_.end()) read_value(spot_.at(key), *found, value);
    }
    template <class T>
    void always(const char* key, T& value) {
        if (!json_.contains(key)) spot_.refuse(fmt::format("'{}' is missing", key));
        (*this)(key, value);
    }
    void fingerprint(const char* key, std::uint64_t& value) {
        std::string text;
        always(key, text);
        const bool is_hex =
            text.size() == 16 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
        if (!is_hex) spot_.at(key).refuse(json_[key], "16 hexadecimal digits");
        value = std::stoull(text, nullptr, 16);
    }

    void refuse_others() const {
        for (const auto& [key, value] : json_.items())
            if (std::ranges::count(known_, key) == 0)
                spot_.refuse(fmt::format("found '{}', allowed are {}", scenarios::printable(key),
                                         fmt::join(known_, ", ")));
    }

private:
    const Spot& spot_;
    const Json& json_;
    std::vector<std::string> known_;
};

template <Record T>
void read_value(const Spot& spot, const Json& json, T& value) {
    Reader reader(spot, json);
    fields(reader, value);
    reader.refuse_others();
}

Json parse_line(const Spot& spot, std::string_view line) {
    Json json = Json::parse(line, nullptr, false);
    if (json.is_discarded()) spot.refuse("found no JSON, allowed is one JSON object in each line");
    return json;
}

/// What the first line says besides its fields.
struct Head {
    std::uint32_t version = 0;
    std::size_t steps = 0;
};

Head take_head(const Spot& spot, Json& json) {
    if (!json.is_object() || !json.contains("trace"))
        spot.refuse("found no trace, allowed is a file that redeliver report wrote");
    Head head;
    read_value(spot.at("trace"), json["trace"], head.version);
    if (head.version != trace_version)
        spot.at("trace").refuse(
            fmt::format("found version {}, allowed is {}", head.version, trace_version));
    if (!json.contains("step_count")) spot.refuse("'step_count' is missing");
    read_value(spot.at("step_count"), json["step_count"], head.steps);
    json.erase("trace");
    json.erase("step_count");
    return head;
}

}  // namespace

std::string json(const Trace& trace) {
    std::string text = "{\"about\":" + line_of(head_of(trace)) + ",\"steps\":[";
    for (const TraceStep& step : trace.steps)
        text += (step.number == 1 ? "\n" : ",\n") + line_of(json_of(step));
    return text + "]}\n";
}

std::string write_trace(const Trace& trace) {
    std::string text = line_of(head_of(trace));
    for (const TraceStep& step : trace.steps) text += line_of(json_of(step));
    return text;
}

Trace read_trace(std::string_view text, const std::string& file) {
    Trace trace;
    std::uint32_t number = 0;
    std::size_t expected = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const Spot spot{file, ++number};
        Json json = parse_line(spot, line);
        if (number == 1) {
            expected = take_head(spot, json).steps;
            read_value(spot, json, trace);
            continue;
        }
        TraceStep& step = trace.steps.emplace_back();
        read_value(spot, json, step);
        if (step.number != number - 1)
            spot.at("number").refuse(fmt::format("found {}, allowed is {}: no step may be missing",
                                                 step.number, number - 1));
        if (std::max(step.cause, step.previous) >= step.number)
            spot.refuse("found a cause that comes later, allowed are steps before this one");
    }
    if (number == 0 || trace.steps.size() != expected)
        Spot{file, number}.refuse(fmt::format("found {}, allowed are {}: the file is cut off",
                                              counted(trace.steps.size(), "step"), expected));
    return trace;
}

}  // namespace redeliver::reports
