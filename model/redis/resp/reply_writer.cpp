#include "model/redis/resp/reply_writer.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "sim/ensure.h"

namespace redeliver::model::redis::resp {

void ReplyWriter::line(char kind, std::string_view text) {
    out_ += kind;
    out_ += text;
    out_ += "\r\n";
}

void ReplyWriter::numbered(char kind, std::int64_t number) {
    char digits[24];
    const auto [end, error] = std::to_chars(digits, digits + sizeof(digits), number);
    line(kind, {digits, static_cast<std::size_t>(end - digits)});
}

void ReplyWriter::integer(std::uint64_t number) {
    numbered(':', static_cast<std::int64_t>(number));
}

void ReplyWriter::error(std::string_view text) {
    while (text.ends_with('\r') || text.ends_with('\n')) text.remove_suffix(1);
    out_ += '-';
    for (const char c : text) out_ += c == '\r' || c == '\n' ? ' ' : c;
    out_ += "\r\n";
}

void ReplyWriter::bulk(std::string_view text) {
    header('$', text.size());
    out_ += text;
    out_ += "\r\n";
}

void ReplyWriter::boolean(bool value) {
    if (value)
        fixed(":1\r\n", "#t\r\n");
    else
        fixed(":0\r\n", "#f\r\n");
}

void ReplyWriter::decimal(double value) {
    if (std::isinf(value))
        decimal(value > 0 ? "inf" : "-inf");
    else
        decimal(fmt::format("{:.17g}", value));
}

void ReplyWriter::decimal(std::string_view text) {
    if (speaks_resp3())
        line(',', text);
    else
        bulk(text);
}

void ReplyWriter::big_integer(std::string_view text) {
    if (speaks_resp3())
        line('(', text);
    else
        bulk(text);
}

void ReplyWriter::verbatim(std::string_view kind, std::string_view text) {
    sim::ensure(kind.size() == 3, "the kind of a verbatim string has three letters");
    if (!speaks_resp3()) return bulk(text);
    header('=', kind.size() + 1 + text.size());
    out_ += kind;
    out_ += ':';
    out_ += text;
    out_ += "\r\n";
}

void ReplyWriter::map(std::size_t pairs) {
    if (speaks_resp3())
        header('%', pairs);
    else
        header('*', 2 * pairs);
}

}  // namespace redeliver::model::redis::resp
