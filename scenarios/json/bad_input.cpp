#include "scenarios/json/bad_input.h"

#include <fmt/format.h>

#include "scenarios/json/printable.h"

namespace redeliver::scenarios {

std::string text(const Place& place) {
    std::string text = printable(place.file, 200);
    if (place.line > 0) text += fmt::format(":{}", place.line);
    if (place.column > 0) text += fmt::format(":{}", place.column);
    if (!place.pointer.empty()) text += fmt::format(": {}", printable(place.pointer, 200));
    return text;
}

BadInput::BadInput(Place place, const std::string& message)
    : std::runtime_error(fmt::format("{}: {}", text(place), message)),
      place_(std::move(place)),
      message_(message) {}

}  // namespace redeliver::scenarios
