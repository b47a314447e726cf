#include "scenarios/json/vocabulary.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace redeliver::scenarios::json {

Vocabulary::Vocabulary(std::string_view noun, std::vector<std::string> words)
    : noun_(noun), words_(std::move(words)), sorted_(words_) {
    std::ranges::sort(sorted_);
}

bool Vocabulary::contains(std::string_view word) const {
    return std::binary_search(sorted_.begin(), sorted_.end(), word, std::less<>{});
}

}  // namespace redeliver::scenarios::json
