#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace redeliver::house {

/// A file of the project. `path` starts at the root and uses forward slashes: "sim/time.h".
struct SourceFile {
    std::string path;
    std::string text;
};

/// A broken rule of the house, one line for a person: "sim/a.h:3: includes model/b.h, …".
using Breach = std::string;

/// Includes of a folder that does not lie below the file's own, and quoted includes that do not
/// start at the root. Files outside the layers (tests, examples) may include every layer.
std::vector<Breach> include_breaches(const SourceFile& file);

/// A header that could be read twice, because it lacks #pragma once.
std::vector<Breach> header_breaches(const SourceFile& file);

/// A .cpp that neither its folder's CMakeLists.txt nor one further up names outside a comment.
/// `listed` holds paths from the root.
std::vector<Breach> listing_breaches(const SourceFile& file, const std::set<std::string>& listed);

/// The .cpp files a CMakeLists.txt names, as paths from the root. Commented lines name nothing.
std::set<std::string> sources_named_in(const SourceFile& cmake_lists);

/// Every file with one of these endings under these folders of `root`, in the order of their paths.
/// A folder that does not exist holds none.
std::vector<SourceFile> read_files(const std::filesystem::path& root,
                                   const std::vector<std::string>& folders,
                                   const std::set<std::string>& endings);

}  // namespace redeliver::house
