#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "model/redis/entry_id.h"
#include "model/redis/resp/write_reply.h"

namespace redeliver::model::redis::resp {

/// The words of RESP, in the form the connection speaks.
/// Source: addReply* in redis/src/networking.c (7.0.15).
class ReplyWriter {
public:
    ReplyWriter(Protocol protocol, std::string& out) : protocol_(protocol), out_(out) {}

    bool speaks_resp3() const { return protocol_ == Protocol::resp3; }

    void status(std::string_view text) { line('+', text); }
    /// `text` may hold anything; line breaks become blanks, and those at its end go.
    void error(std::string_view text);
    void integer(std::int64_t number) { numbered(':', number); }
    void integer(std::uint64_t number);
    void bulk(std::string_view text);
    void id(EntryId id) { bulk(to_string(id)); }
    void null() { fixed("$-1\r\n", "_\r\n"); }
    void null_array() { fixed("*-1\r\n", "_\r\n"); }
    void boolean(bool value);
    /// With 17 digits, as 7.0 writes a double.
    void decimal(double value);
    /// `text` is the value; a bulk string in RESP2.
    void decimal(std::string_view text);
    void big_integer(std::string_view text);
    /// `kind` has three letters.
    void verbatim(std::string_view kind, std::string_view text);

    // Headers: what they announce must follow. A map announces pairs.
    void array(std::size_t size) { header('*', size); }
    void map(std::size_t pairs);
    void set(std::size_t size) { header(speaks_resp3() ? '~' : '*', size); }
    void push(std::size_t size) { header(speaks_resp3() ? '>' : '*', size); }

private:
    void line(char kind, std::string_view text);
    void numbered(char kind, std::int64_t number);
    void header(char kind, std::size_t size) { numbered(kind, static_cast<std::int64_t>(size)); }
    void fixed(std::string_view resp2, std::string_view resp3) {
        out_ += speaks_resp3() ? resp3 : resp2;
    }

    Protocol protocol_;
    std::string& out_;
};

}  // namespace redeliver::model::redis::resp
