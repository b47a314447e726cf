#include "scenarios/json/value.h"

#include <fmt/format.h>

#include <algorithm>

#include "scenarios/json/printable.h"
#include "sim/ensure.h"

namespace redeliver::scenarios::json {

const Value* Value::find(std::string_view member) const {
    const auto found = std::ranges::find(children, member, &Value::key);
    return found == children.end() ? nullptr : &*found;
}

Value text_value(std::string text) { return {.kind = Value::Kind::text, .text = std::move(text)}; }

Value number_value(std::uint64_t number) {
    return {.kind = Value::Kind::number, .text = fmt::format("{}", number)};
}

Value list_value(std::vector<Value> items) {
    return {.kind = Value::Kind::list, .children = std::move(items)};
}

Value object_value() { return {.kind = Value::Kind::object}; }

std::string describe(const Value& value) {
    switch (value.kind) {
    case Value::Kind::null: return "null";
    case Value::Kind::boolean:
    case Value::Kind::number: return printable(value.text, 40);
    case Value::Kind::text: return fmt::format("\"{}\"", printable(value.text, 60));
    case Value::Kind::list: return "a list";
    case Value::Kind::object: return "an object";
    }
    return {};
}

namespace {

constexpr std::size_t columns = 100;
constexpr std::size_t indentation = 2;

std::string in_quotes(std::string_view text) {
    std::string out = "\"";
    for (const char each : text) {
        if (each == '"' || each == '\\') out += '\\';
        if (each == '\n') {
            out += "\\n";
        } else if (static_cast<unsigned char>(each) < 0x20) {
            out += fmt::format("\\u{:04x}", static_cast<unsigned>(each));
        } else {
            out += each;
        }
    }
    return out + '"';
}

/// Scalars only.
std::string plain(const Value& value) {
    switch (value.kind) {
    case Value::Kind::null: return "null";
    case Value::Kind::boolean:
    case Value::Kind::number: return value.text;
    case Value::Kind::text: return in_quotes(value.text);
    case Value::Kind::list:
    case Value::Kind::object: break;
    }
    sim::ensure(value.children.empty(), "a list or object with content is no plain value");
    return value.kind == Value::Kind::list ? "[]" : "{}";
}

class Printer {
public:
    void print(const Value& value, std::size_t level) {
        const bool is_container =
            value.kind == Value::Kind::list || value.kind == Value::Kind::object;
        if (!is_container || value.children.empty()) {
            out_ += plain(value);
        } else if (const auto line = on_one_line(value, columns); fits(line, level)) {
            out_ += line;
        } else if (value.kind == Value::Kind::list && is_flat(value)) {
            fill(value, level + 1);
        } else {
            spread(value, level + 1);
        }
    }

    std::string take() { return std::move(out_) + '\n'; }

private:
    static bool is_scalar(const Value& value) { return value.children.empty(); }
    static bool is_flat(const Value& value) {
        return std::ranges::all_of(value.children, is_scalar);
    }

    static char opening(const Value& value) { return value.kind == Value::Kind::list ? '[' : '{'; }
    static char closing(const Value& value) { return value.kind == Value::Kind::list ? ']' : '}'; }

    static std::string label(const Value& parent, const Value& child) {
        return parent.kind == Value::Kind::object ? in_quotes(child.key) + ": " : std::string{};
    }

    /// Empty when it takes more than `room`, or holds an object of several levels.
    static std::string on_one_line(const Value& value, std::size_t room) {
        if (is_scalar(value)) return plain(value);
        const bool is_small =
            value.kind == Value::Kind::list || is_flat(value) || value.children.size() <= 4;
        if (!is_small || value.children.size() * 3 > room) return {};
        std::string line{opening(value)};
        for (const Value& child : value.children) {
            if (line.size() > 1) line += ", ";
            const std::string part = on_one_line(child, room);
            if (part.empty()) return {};
            line += label(value, child) + part;
            if (line.size() > room) return {};
        }
        return line + closing(value);
    }

    bool fits(const std::string& line, std::size_t level) const {
        // The document itself always gets lines of its own.
        if (line.empty() || level == 0) return false;
        const std::size_t begun = out_.size() - (out_.rfind('\n') + 1);
        return begun + line.size() + 1 <= columns;
    }

    void break_line(std::size_t level) { out_ += '\n' + std::string(level * indentation, ' '); }

    void spread(const Value& value, std::size_t level) {
        out_ += opening(value);
        for (const Value& child : value.children) {
            if (&child != &value.children.front()) out_ += ',';
            break_line(level);
            out_ += label(value, child);
            print(child, level);
        }
        break_line(level - 1);
        out_ += closing(value);
    }

    /// Many plain values, as many on each line as fit.
    void fill(const Value& list, std::size_t level) {
        out_ += opening(list);
        std::size_t used = columns;
        for (const Value& item : list.children) {
            const std::string text = plain(item);
            if (&item != &list.children.front()) out_ += ',';
            if (used + text.size() + 3 > columns) {
                break_line(level);
                used = level * indentation;
            } else {
                out_ += ' ';
            }
            out_ += text;
            used += text.size() + 2;
        }
        break_line(level - 1);
        out_ += closing(list);
    }

    std::string out_;
};

}  // namespace

std::string print(const Value& value) {
    Printer printer;
    printer.print(value, 0);
    return printer.take();
}

}  // namespace redeliver::scenarios::json
