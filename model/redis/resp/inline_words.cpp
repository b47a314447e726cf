#include "model/redis/resp/inline_words.h"

namespace redeliver::model::redis::resp {
namespace {

/// isspace() of the C locale.
bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// What ends a word outside quotes: fewer characters than may stand between words.
bool ends_word(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

std::optional<int> hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return std::nullopt;
}

char escaped(char c) {
    switch (c) {
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case 'b': return '\b';
    case 'a': return '\a';
    default: return c;
    }
}

/// Cuts words off the front of a line.
class InlineSplitter {
public:
    explicit InlineSplitter(std::string_view line) : rest_(line) {}

    bool skip_blanks() {
        while (!rest_.empty() && is_space(rest_.front())) rest_.remove_prefix(1);
        return !rest_.empty();
    }

    /// Nothing when its quotes are unbalanced. A quote may open in the middle of a word, but only
    /// end it.
    std::optional<std::string> take_word() {
        std::string word;
        while (!rest_.empty() && !ends_word(rest_.front())) {
            const char c = take();
            if (c != '"' && c != '\'') {
                word += c;
                continue;
            }
            const bool closed = c == '"' ? take_double_quoted(word) : take_single_quoted(word);
            if (!closed || (!rest_.empty() && !is_space(rest_.front()))) return std::nullopt;
            break;
        }
        return word;
    }

private:
    char take() {
        const char c = rest_.front();
        rest_.remove_prefix(1);
        return c;
    }

    bool take_double_quoted(std::string& word) {
        while (!rest_.empty()) {
            const char c = take();
            if (c == '"') return true;
            word += c == '\\' && !rest_.empty() ? take_escape() : c;
        }
        return false;
    }

    char take_escape() {
        const char c = take();
        if (c != 'x' || rest_.size() < 2) return escaped(c);
        const auto high = hex_digit(rest_[0]);
        const auto low = hex_digit(rest_[1]);
        if (!high || !low) return c;
        rest_.remove_prefix(2);
        return static_cast<char>(*high * 16 + *low);
    }

    bool take_single_quoted(std::string& word) {
        while (!rest_.empty()) {
            char c = take();
            if (c == '\'') return true;
            if (c == '\\' && rest_.starts_with('\'')) c = take();
            word += c;
        }
        return false;
    }

    std::string_view rest_;
};

}  // namespace

std::optional<Words> split_inline(std::string_view line) {
    Words words;
    InlineSplitter splitter(line);
    while (splitter.skip_blanks()) {
        auto word = splitter.take_word();
        if (!word) return std::nullopt;
        words.push_back(std::move(*word));
    }
    return words;
}

}  // namespace redeliver::model::redis::resp
