#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace redeliver::model::redis {

/// A key, group or consumer name, interned by one server. Only equality means anything; the text
/// is `Server::text(name)`. `Name{}` is the empty text.
enum class Name : std::uint32_t {};

/// The texts behind the names that a server has met. Never forgets; names stay valid for good.
class Names {
public:
    Names() { intern({}); }

    Name intern(std::string_view text);
    std::string_view text(Name name) const;

private:
    std::deque<std::string> texts_;
    std::map<std::string_view, Name> known_;
};

}  // namespace redeliver::model::redis
