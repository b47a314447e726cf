#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace redeliver::scenarios::json {

/// The words that a text may be, in the order in which to show them.
class Vocabulary {
public:
    /// `noun` says what each of them is: "promise", "rare path".
    Vocabulary(std::string_view noun, std::vector<std::string> words);

    std::string_view noun() const { return noun_; }
    const std::vector<std::string>& words() const { return words_; }
    bool contains(std::string_view word) const;

private:
    std::string_view noun_;
    std::vector<std::string> words_;
    std::vector<std::string> sorted_;
};

}  // namespace redeliver::scenarios::json
