#pragma once

#include <span>
#include <string_view>

namespace redeliver::scenarios {

/// A data file carried inside the binary, as it was when the library was built.
struct EmbeddedFile {
    std::string_view name;  ///< The file's name without folder and ".json": "crash-before-xack".
    std::string_view text;  ///< Its bytes, unchanged and not yet parsed.
};

/// The stories of scenarios/catalog/, in the order in which scenarios/CMakeLists.txt lists them.
std::span<const EmbeddedFile> embedded_catalog();

/// The catalogue of mistakes, scenarios/bugs/planted-bugs.json: one file.
std::span<const EmbeddedFile> embedded_planted_bugs();

/// The systems of scenarios/bugs/bases/ that they are planted in.
std::span<const EmbeddedFile> embedded_bug_bases();

/// The JSON Schemas of docs/schemas/, in the order in which scenarios/CMakeLists.txt lists them.
std::span<const EmbeddedFile> embedded_schemas();

/// The files that the page of a trial is made of, reports/page/, in the order in which
/// reports/CMakeLists.txt lists them, by their whole names.
std::span<const EmbeddedFile> embedded_page();

}  // namespace redeliver::scenarios
