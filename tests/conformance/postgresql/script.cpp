#include "tests/conformance/postgresql/script.h"

#include <algorithm>

#include <fmt/format.h>

#include "model/database/sql.h"
#include "sim/overloaded.h"

namespace redeliver::conformance::postgresql {
namespace {

using namespace model::database;

long long milliseconds(sim::Duration time) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
}

std::string preparation(const Script& script) {
    std::string text;
    for (const Table& table : script.schema.tables) text += sql(table) + ";\n";
    for (const Insert& row : script.rows) text += sql(script.schema, row) + ";\n";
    for (const auto& [name, timeout] : {std::pair{"lock_timeout", script.lock_timeout},
                                        std::pair{"statement_timeout", script.statement_timeout}})
        if (timeout > sim::Duration::zero())
            text += fmt::format("set {} = {};  -- each session\n", name, milliseconds(timeout));
    return text;
}

/// The parts of a text that fit a column, broken at spaces.
std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
    std::vector<std::string> parts;
    while (text.size() > width) {
        std::size_t at = text.rfind(' ', width);
        if (at == std::string_view::npos || at == 0) at = width;
        parts.emplace_back(text.substr(0, at));
        text.remove_prefix(std::min(text.size(), at + (text[at] == ' ' ? 1 : 0)));
    }
    parts.emplace_back(text);
    return parts;
}

std::string numbered(const std::vector<Line>& lines) {
    std::string text;
    for (const Line& line : lines) text += fmt::format("{:>4}  {}\n", line.session + 1, line.text);
    return text;
}

}  // namespace

Line line_of(const Script& script, const Step& step) {
    return std::visit(sim::overloaded{
                          [&](const Say& say) -> Line {
                              return {say.session, sql(script.schema, say.statement) + ";"};
                          },
                          [](const Cancel& cancel) -> Line {
                              return {cancel.session, "-- is cancelled"};
                          },
                          [](const Leave& leave) -> Line {
                              return {leave.session, "-- its client goes away"};
                          },
                          [&](const Part& part) -> Line {
                              return {part.session, sql(script.schema, part.statement) +
                                                        "; -- and its client goes away"};
                          },
                          [](const Pass& pass) -> Line {
                              return {0, fmt::format("-- {} ms pass", milliseconds(pass.time))};
                          },
                      },
                      step);
}

std::string in_columns(const Script& script, const std::vector<Line>& lines) {
    constexpr std::size_t total = 110;
    constexpr std::size_t most_columns = 4;
    if (script.sessions > most_columns) return preparation(script) + numbered(lines);
    const std::size_t width = total / script.sessions;
    std::string text = preparation(script);
    for (std::size_t session = 0; session < script.sessions; ++session)
        text += fmt::format("{:<{}}", fmt::format("session {}", session + 1), width);
    text += "\n" + std::string(total, '-') + "\n";
    for (const Line& line : lines)
        for (const std::string& part : wrapped(line.text, std::max<std::size_t>(width - 2, 30)))
            text += std::string(width * line.session, ' ') + part + "\n";
    return text;
}

}  // namespace redeliver::conformance::postgresql
