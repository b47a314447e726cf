#include "sim/names.h"

#include <fmt/format.h>

#include <charconv>

#include "sim/ensure.h"

namespace redeliver::sim {

Name Names::intern(std::string_view text) {
    if (const auto known = by_text_.find(text); known != by_text_.end()) return known->second;
    const Name name{static_cast<std::uint32_t>(texts_.size() + 1)};
    const auto [added, is_new] = by_text_.emplace(text, name);
    ensure(is_new, "a name is interned once");
    texts_.push_back(&added->first);
    return name;
}

std::string_view Names::text(Name name) const {
    if (name == Name::none) return {};
    const auto index = static_cast<std::size_t>(name) - 1;
    ensure(index < texts_.size(), "a name belongs to the world that interned it");
    return *texts_[index];
}

std::optional<std::string> subject_text(const std::vector<Series>& series, Subject subject) {
    const std::uint32_t which = series_of(subject);
    if (which < first_free_series || which - first_free_series >= series.size()) return {};
    const Series& names = series[which - first_free_series];
    return fmt::format("{}{}{}", names.prefix, number_of(subject), names.suffix);
}

std::optional<Subject> parse_subject(const std::vector<Series>& series, std::string_view text) {
    for (std::size_t which = 0; which < series.size(); ++which) {
        const auto& [prefix, suffix] = series[which];
        if (!text.starts_with(prefix) || !text.ends_with(suffix)) continue;
        if (text.size() <= prefix.size() + suffix.size()) continue;
        const std::string_view digits =
            text.substr(prefix.size(), text.size() - prefix.size() - suffix.size());
        if (digits.front() == '0') continue;  // A subject is written in one way only.
        std::uint32_t number = 0;
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), number);
        if (error != std::errc{} || end != digits.data() + digits.size()) continue;
        if (number > max_subject_number) continue;
        return subject_of(first_free_series + static_cast<std::uint32_t>(which), number);
    }
    return {};
}

}  // namespace redeliver::sim
