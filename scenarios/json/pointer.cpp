#include "scenarios/json/pointer.h"

#include <fmt/format.h>

#include <charconv>

namespace redeliver::scenarios::json {

std::string pointer_token(std::string_view key) {
    std::string token = "/";
    for (const char each : key) {
        if (each == '~') {
            token += "~0";
        } else if (each == '/') {
            token += "~1";
        } else {
            token += each;
        }
    }
    return token;
}

std::string pointer_token(std::size_t index) { return fmt::format("/{}", index); }

namespace {

const Value* child(const Value& parent, std::string_view token) {
    if (parent.kind != Value::Kind::list) {
        for (const Value& member : parent.children)
            if (pointer_token(member.key).substr(1) == token) return &member;
        return nullptr;
    }
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), index);
    const bool is_index = error == std::errc{} && end == token.data() + token.size();
    return is_index && index < parent.children.size() ? &parent.children[index] : nullptr;
}

}  // namespace

const Value* resolve(const Value& root, std::string_view pointer) {
    const Value* at = &root;
    while (at != nullptr && !pointer.empty()) {
        if (pointer.front() != '/') return nullptr;
        pointer.remove_prefix(1);
        const std::string_view token = pointer.substr(0, pointer.find('/'));
        pointer.remove_prefix(token.size());
        at = child(*at, token);
    }
    return at;
}

}  // namespace redeliver::scenarios::json
