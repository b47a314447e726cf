#include "tests/conformance/coverage.h"

#include <sstream>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace redeliver::conformance {
namespace {

constexpr std::string_view text_mark = "text ";

std::vector<std::string> parts_of(const std::string& line, const std::string& separator) {
    std::vector<std::string> parts;
    std::size_t at = 0;
    for (std::size_t end = 0; (end = line.find(separator, at)) != std::string::npos;
         at = end + separator.size())
        parts.push_back(line.substr(at, end - at));
    parts.push_back(line.substr(at));
    return parts;
}

}  // namespace

void Coverage::command(const Words& words, bool meets_pending) {
    ++commands_;
    ++by_command_[name_of(words)];
    if (meets_pending) ++commands_meeting_pending_;
}

void Coverage::answered(const Words& request, std::string_view reply, bool waited) {
    const std::string outcome = outcome_of(reply, waited);
    const std::string name = name_of(request);
    for (std::string& option : options_of(request)) ++cells_[{name, std::move(option), outcome}];
    if (std::string text = error_text(reply); !text.empty()) ++error_texts_[std::move(text)];
}

std::uint64_t Coverage::percent_meeting_pending() const {
    return commands_ == 0 ? 0 : 100 * commands_meeting_pending_ / commands_;
}

nlohmann::json Coverage::as_json() const {
    nlohmann::json commands;
    for (const auto& [name, count] : by_command_) commands[name]["commands"] = count;
    for (const auto& [cell, count] : cells_)
        commands[cell.command]["options"][cell.option][cell.outcome] = count;
    return {{"commands", std::move(commands)}, {"error_texts", error_texts_}};
}

std::string Coverage::as_table() const {
    std::string table;
    std::string line_of;
    for (const auto& [cell, count] : cells_) {
        const std::string line = fmt::format("{:20} {:14}", cell.command, cell.option);
        if (line != line_of) table += (table.empty() ? "" : "\n") + line;
        line_of = line;
        table += fmt::format("  {} {}", cell.outcome, count);
    }
    table += "\nerror texts\n";
    for (const auto& [text, count] : error_texts_) table += fmt::format("{:8} {}\n", count, text);
    return table;
}

DeclaredCells::DeclaredCells(std::string_view text) {
    std::istringstream lines{std::string(text)};
    for (std::string line; std::getline(lines, line);) {
        if (line.empty() || line.starts_with('#')) continue;
        if (line.starts_with(text_mark)) {
            error_texts_.insert(line.substr(text_mark.size()));
            continue;
        }
        const auto parts = parts_of(line, " | ");
        if (parts.size() != 3) throw std::runtime_error("not a line of cells: " + line);
        for (const std::string& outcome : parts_of(parts[2], " "))
            cells_.insert({parts[0], parts[1], outcome});
    }
}

std::vector<std::string> DeclaredCells::missing_from(const Coverage& coverage) const {
    std::vector<std::string> missing;
    for (const Cell& cell : cells_)
        if (!coverage.cells().contains(cell))
            missing.push_back(fmt::format("{} | {} | {}", cell.command, cell.option, cell.outcome));
    for (const std::string& text : error_texts_)
        if (!coverage.error_texts().contains(text)) missing.push_back("text " + text);
    return missing;
}

std::string DeclaredCells::text_of(const Coverage& coverage, std::uint64_t at_least) {
    std::string text;
    std::string line_of;
    for (const auto& [cell, count] : coverage.cells()) {
        if (count < at_least) continue;
        const std::string line = fmt::format("{} | {} |", cell.command, cell.option);
        if (line != line_of) text += (text.empty() ? "" : "\n") + line;
        line_of = line;
        text += " " + cell.outcome;
    }
    text += "\n";
    for (const auto& [error, count] : coverage.error_texts())
        if (count >= at_least) text += fmt::format("{}{}\n", text_mark, error);
    return text;
}

}  // namespace redeliver::conformance
