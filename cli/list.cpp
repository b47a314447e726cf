#include "cli/list.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "properties/property.h"
#include "properties/rare_paths.h"
#include "reports/documents.h"
#include "reports/paragraph.h"
#include "reports/text_width.h"
#include "scenarios/catalog/catalog.h"
#include "scenarios/fault_kinds.h"
#include "scenarios/json/printable.h"

namespace redeliver::cli {

namespace {

using reports::Entry;

std::vector<Entry> promise_entries() {
    std::vector<Entry> entries;
    for (const properties::PromiseInfo& info : properties::promises())
        entries.push_back({info.name, info.promise});
    return entries;
}

std::vector<Entry> path_entries() {
    std::vector<Entry> entries;
    for (const properties::RarePathInfo& info : properties::rare_paths())
        entries.push_back({info.name, info.meaning});
    return entries;
}

/// Each with what is drawn and the story that shows it.
std::vector<std::string> fault_sentences() {
    std::vector<std::string> sentences;
    for (const scenarios::FaultKindInfo& info : scenarios::fault_kinds()) {
        std::string sentence(info.sentence);
        if (info.parameters != "none") sentence += fmt::format(" ({})", info.parameters);
        sentences.push_back(fmt::format("{}; see {}", sentence, info.story));
    }
    return sentences;
}

std::string entries_text(const std::vector<Entry>& entries, const reports::Look& look) {
    std::size_t width = 0;
    for (const Entry& entry : entries) width = std::max(width, reports::display_width(entry.name));
    std::string text;
    for (const Entry& entry : entries)
        text += reports::paragraph(painted(reports::Tone::strong, entry.name, look), entry.name,
                                   width + 2, entry.sentence, look);
    return text;
}

/// The story, and where its mistake is repaired.
std::string sentence_of(const scenarios::Scenario& story) {
    if (!story.repaired_by) return story.story;
    return story.story + " Repaired: " + story.repaired_by->scenario + ".";
}

void list_stories(const ListOptions& options, const reports::Look& look, Output& out) {
    const std::vector<scenarios::Scenario> stories = scenarios::all_stories();
    if (options.format == Format::json) return out.print(reports::stories_document(stories));
    std::vector<std::string> sentences;
    for (const scenarios::Scenario& story : stories) sentences.push_back(sentence_of(story));
    std::vector<Entry> entries;
    for (std::size_t i = 0; i < stories.size(); ++i)
        entries.push_back({stories[i].name, sentences[i]});
    out.print(entries_text(entries, look));
}

void list_faults(const ListOptions& options, const reports::Look& look, Output& out) {
    if (options.format == Format::json) return out.print(reports::faults_document());
    const std::vector<std::string> sentences = fault_sentences();
    std::vector<Entry> entries;
    for (std::size_t i = 0; i < sentences.size(); ++i)
        entries.push_back({scenarios::fault_kinds()[i].name, sentences[i]});
    out.print(entries_text(entries, look));
}

void list_entries(std::string_view key, const std::vector<Entry>& entries,
                  const ListOptions& options, const reports::Look& look, Output& out) {
    out.print(options.format == Format::json ? reports::entries_document(key, entries)
                                             : entries_text(entries, look));
}

}  // namespace

ExitCode list(const ListOptions& options, const reports::Look& look, Output& out) {
    switch (options.what) {
    case ListOptions::What::stories: list_stories(options, look, out); break;
    case ListOptions::What::promises:
        list_entries("promises", promise_entries(), options, look, out);
        break;
    case ListOptions::What::paths: list_entries("paths", path_entries(), options, look, out); break;
    case ListOptions::What::faults: list_faults(options, look, out); break;
    }
    return ExitCode::as_expected;
}

}  // namespace redeliver::cli
