#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace redeliver::scenarios {

/// Where in somebody's input something is wrong.
struct Place {
    std::string file;          ///< As the user named it, or `--set worker.claim=never`.
    std::uint32_t line = 0;    ///< From 1; 0 when the input has no lines.
    std::uint32_t column = 0;  ///< In bytes from 1; 0 when unknown.
    std::string pointer = {};  ///< JSON pointer; empty for the whole document.
};

/// `stories/mine.json:12: /system/worker/claim`, safe to print.
std::string text(const Place& place);

/// What somebody wrote cannot be used. `what()` is one line, safe to print whatever the input held:
/// the place, what was found, what is allowed, and the nearest valid word where there is one. Ends
/// a command with exit code 64.
class BadInput : public std::runtime_error {
public:
    BadInput(Place place, const std::string& message);

    const Place& place() const { return place_; }
    /// Without the place.
    const std::string& message() const { return message_; }

private:
    Place place_;
    std::string message_;
};

}  // namespace redeliver::scenarios
