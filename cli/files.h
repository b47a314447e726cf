#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace redeliver::cli {

/// The bytes of a file that somebody named. Throws UsageError when it cannot be read or is larger
/// than any scenario or case may be.
std::string read_file(const std::string& path);

/// Writes a file as a whole or not at all: aside, in the same folder, then renamed. Makes the
/// folders on the way. Throws OutputError, and leaves nothing half-written behind.
void write_file(const std::filesystem::path& path, std::string_view text);

/// Whether a name may become part of a path: `[a-z0-9-]+`.
bool is_plain_name(std::string_view name);

}  // namespace redeliver::cli
