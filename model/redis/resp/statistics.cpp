#include "model/redis/resp/statistics.h"

namespace redeliver::model::redis::resp {

std::optional<std::string_view> error_text(const Reply& reply) {
    if (const auto* const refused = std::get_if<Refused>(&reply)) return text(*refused);
    const auto* const tree = std::get_if<Tree>(&reply);
    if (tree && tree->kind == Tree::Kind::error) return tree->text;
    return std::nullopt;
}

Statistics::Calls& Statistics::of(std::string_view command) {
    const auto known = calls_.find(command);
    return known != calls_.end() ? known->second : calls_[std::string(command)];
}

void Statistics::executed(std::string_view command, const Reply& reply) {
    ++total_calls_;
    Calls& calls = of(command);
    ++calls.calls;
    const auto text = error_text(reply);
    if (!text) return;
    ++calls.failed;
    error(*text);
}

void Statistics::rejected(std::string_view command, const Reply& reply) {
    ++of(command).rejected;
    if (const auto text = error_text(reply)) error(*text);
}

void Statistics::error(std::string_view text) {
    ++total_errors_;
    const std::string_view code = text.substr(0, text.find(' '));
    const auto known = errors_.find(code);
    if (known != errors_.end())
        ++known->second;
    else
        errors_.emplace(code, 1);
}

}  // namespace redeliver::model::redis::resp
