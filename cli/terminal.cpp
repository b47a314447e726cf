#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>

namespace redeliver::cli {

namespace {

using reports::Charset;
using reports::Colour;

// POSIX: the first of these that is set and not empty decides.
std::string_view locale_in(const Surroundings& surroundings) {
    for (const char* const name : {"LC_ALL", "LC_CTYPE", "LANG"})
        if (const auto value = surroundings.variable(name); !value.empty()) return value;
    return "C";
}

Charset charset_in(const Surroundings& surroundings) {
    std::string locale(locale_in(surroundings));
    std::ranges::transform(locale, locale.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const bool is_utf8 =
        locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
    return is_utf8 ? Charset::utf8 : Charset::ascii;
}

Colour colour_in(const Surroundings& surroundings) {
    const bool wanted = surroundings.is_terminal && surroundings.variable("NO_COLOR").empty() &&
                        surroundings.variable("TERM") != "dumb";
    return wanted ? Colour::on : Colour::off;
}

std::size_t width_in(const Surroundings& surroundings) {
    const std::string_view text = surroundings.variable("COLUMNS");
    std::size_t columns = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), columns);
    const bool is_number = error == std::errc{} && end == text.data() + text.size();
    if (!is_number || columns == 0) columns = surroundings.columns;
    if (columns == 0) return reports::unlimited_width;
    // Narrower than this nothing of a timeline would be left.
    return std::max(columns, std::size_t{40});
}

}  // namespace

Surroundings surroundings_of(int descriptor) {
    Surroundings found{.variable = [](const char* name) {
        const char* const value = std::getenv(name);
        return value == nullptr ? std::string_view{} : std::string_view{value};
    }};
    found.is_terminal = ::isatty(descriptor) == 1;
    ::winsize size{};
    if (found.is_terminal && ::ioctl(descriptor, TIOCGWINSZ, &size) == 0)
        found.columns = size.ws_col;
    return found;
}

reports::Look look_in(const Surroundings& surroundings) {
    return {.colour = colour_in(surroundings),
            .charset = charset_in(surroundings),
            .width = width_in(surroundings)};
}

}  // namespace redeliver::cli
