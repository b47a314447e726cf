#include "tests/house.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>

namespace redeliver::house {
namespace {

using Folders = std::set<std::string, std::less<>>;

// What each layer may include besides itself.
const std::map<std::string, Folders, std::less<>> below = {
    {"sim", {}},
    {"model", {"sim"}},
    {"properties", {"sim", "model"}},
    {"scenarios", {"sim", "model", "properties"}},
    {"reports", {"sim", "model", "properties", "scenarios"}},
    {"bridge", {"sim", "model", "properties", "scenarios"}},
    {"cli", {"sim", "model", "properties", "scenarios", "reports", "bridge"}},
};

std::string_view first_folder(std::string_view path) {
    const auto slash = path.find('/');
    return slash == std::string_view::npos ? std::string_view{} : path.substr(0, slash);
}

std::string_view without_leading_space(std::string_view text) {
    return text.substr(std::min(text.find_first_not_of(" \t"), text.size()));
}

// The path between the quotes or brackets of an #include line, and nothing for any other line.
std::optional<std::string_view> included_path(std::string_view line) {
    line = without_leading_space(line);
    if (!line.starts_with('#')) return std::nullopt;
    line = without_leading_space(line.substr(1));
    if (!line.starts_with("include")) return std::nullopt;
    line = without_leading_space(line.substr(std::string_view{"include"}.size()));
    const auto end = line.find_first_of("\">", 1);
    if (line.empty() || end == std::string_view::npos) return std::nullopt;
    return line.substr(1, end - 1);
}

// Why this file may not include this path, or nothing if it may.
std::optional<std::string> objection(std::string_view path, std::string_view included,
                                     char opening) {
    constexpr std::string_view installed = "redeliver/";
    if (included.starts_with(installed)) included.remove_prefix(installed.size());

    const std::string folder{first_folder(included)};
    const bool is_layer = below.contains(folder);
    const auto layer = below.find(first_folder(path));
    if (layer == below.end()) return std::nullopt;
    if (!is_layer)
        return opening == '"' ? std::optional{"which does not start at a layer"} : std::nullopt;
    if (folder == layer->first || layer->second.contains(folder)) return std::nullopt;
    return "which does not lie below " + layer->first;
}

std::string read_text(const std::filesystem::path& path) {
    std::ifstream in{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{in}, {}};
}

}  // namespace

std::vector<Breach> include_breaches(const SourceFile& file) {
    std::vector<Breach> breaches;
    std::istringstream lines{file.text};
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
        const auto included = included_path(line);
        if (!included) continue;
        const auto why = objection(file.path, *included, *(included->data() - 1));
        if (why)
            breaches.push_back(file.path + ":" + std::to_string(number) + ": includes " +
                               std::string{*included} + ", " + *why);
    }
    return breaches;
}

std::vector<Breach> header_breaches(const SourceFile& file) {
    if (!file.path.ends_with(".h")) return {};
    std::istringstream lines{file.text};
    for (std::string line; std::getline(lines, line);)
        if (line == "#pragma once") return {};
    return {file.path + ": lacks #pragma once"};
}

std::vector<Breach> listing_breaches(const SourceFile& file, const std::set<std::string>& listed) {
    if (!file.path.ends_with(".cpp") || listed.contains(file.path)) return {};
    return {file.path + ": no CMakeLists.txt lists it, so no build reads it"};
}

std::set<std::string> sources_named_in(const SourceFile& cmake_lists) {
    const auto folder = std::filesystem::path{cmake_lists.path}.parent_path();
    std::set<std::string> named;
    std::istringstream lines{cmake_lists.text};
    for (std::string line; std::getline(lines, line);) {
        line.resize(std::min(line.find('#'), line.size()));
        std::ranges::replace_if(
            line, [](char c) { return c == '(' || c == ')' || c == '"'; }, ' ');
        std::istringstream words{line};
        for (std::string word; words >> word;)
            if (word.ends_with(".cpp"))
                named.insert((folder / word).lexically_normal().generic_string());
    }
    return named;
}

std::vector<SourceFile> read_files(const std::filesystem::path& root,
                                   const std::vector<std::string>& folders,
                                   const std::set<std::string>& endings) {
    std::vector<SourceFile> files;
    for (const std::string& folder : folders) {
        if (!std::filesystem::is_directory(root / folder)) continue;
        for (const auto& entry : std::filesystem::recursive_directory_iterator{root / folder}) {
            const auto name = entry.path().filename().string();
            const auto ends_so = [&](const std::string& ending) { return name.ends_with(ending); };
            if (entry.is_regular_file() && std::ranges::any_of(endings, ends_so))
                files.push_back(
                    {entry.path().lexically_relative(root).generic_string(), read_text(entry)});
        }
    }
    std::ranges::sort(files, {}, &SourceFile::path);
    return files;
}

}  // namespace redeliver::house
