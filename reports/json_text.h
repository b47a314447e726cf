#pragma once

#include <nlohmann/json.hpp>
#include <string>

/// Only for the .cpp files of this folder that write documents.
namespace redeliver::reports {

/// Keys stay in the order in which they were set.
using Json = nlohmann::ordered_json;

/// ASCII, indented, with bad UTF-8 replaced, ending in a newline.
inline std::string json_text(const Json& document) {
    return document.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace redeliver::reports
