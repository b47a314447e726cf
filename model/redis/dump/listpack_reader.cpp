#include "model/redis/dump/listpack_reader.h"

namespace redeliver::model::redis::dump {
namespace {

constexpr std::size_t header_bytes = 6;
constexpr char end_mark = static_cast<char>(0xff);

std::uint64_t number_at(std::string_view bytes, std::size_t size) {
    std::uint64_t number = 0;
    for (std::size_t i = size; i-- > 0;)
        number = number << 8 | static_cast<unsigned char>(bytes[i]);
    return number;
}

/// The elements between header and end.
std::string_view elements_of(std::string_view listpack) {
    if (listpack.size() <= header_bytes || listpack.back() != end_mark) throw BadData{};
    if (number_at(listpack, 4) != listpack.size()) throw BadData{};
    return listpack.substr(header_bytes, listpack.size() - header_bytes - 1);
}

/// How many bytes the length behind an element takes, by which one walks backwards.
std::size_t bytes_of_back_length(std::size_t element) {
    if (element <= 127) return 1;
    std::size_t bytes = 2;
    // The server spares the greatest length of each size; listpack.c compares with "less than".
    for (const std::size_t limit : {16'383u, 2'097'151u, 268'435'455u}) {
        if (element < limit) break;
        ++bytes;
    }
    return bytes;
}

/// Seven bits a byte, the lowest last; every byte but the first has its highest bit set.
std::uint64_t back_length(std::string_view bytes) {
    std::uint64_t length = 0;
    for (const char c : bytes) length = length << 7 | (static_cast<unsigned char>(c) & 0x7f);
    return length;
}

std::int64_t sign_extended(std::uint64_t value, unsigned bits) {
    const std::uint64_t sign = std::uint64_t{1} << (bits - 1);
    return static_cast<std::int64_t>((value ^ sign) - sign);
}

}  // namespace

ListpackReader::ListpackReader(std::string_view listpack) : reader_(elements_of(listpack)) {}

ListpackReader::Element ListpackReader::read(std::uint8_t first) {
    if ((first & 0x80) == 0) return std::int64_t{first};
    if ((first & 0xc0) == 0x80) return reader_.raw(first & 0x3fu);
    if ((first & 0xe0) == 0xc0) return sign_extended((first & 0x1full) << 8 | reader_.byte(), 13);
    if ((first & 0xf0) == 0xe0) {
        const std::size_t size = (first & 0x0full) << 8 | reader_.byte();
        return reader_.raw(size);
    }
    switch (first) {
    case 0xf0: return reader_.raw(number_at(reader_.raw(4), 4));
    case 0xf1: return sign_extended(number_at(reader_.raw(2), 2), 16);
    case 0xf2: return sign_extended(number_at(reader_.raw(3), 3), 24);
    case 0xf3: return sign_extended(number_at(reader_.raw(4), 4), 32);
    case 0xf4: return static_cast<std::int64_t>(number_at(reader_.raw(8), 8));
    default: throw BadData{};
    }
}

ListpackReader::Element ListpackReader::element() {
    const std::size_t before = reader_.left();
    const Element element = read(reader_.byte());
    const std::size_t size = before - reader_.left();
    if (back_length(reader_.raw(bytes_of_back_length(size))) != size) throw BadData{};
    return element;
}

std::string ListpackReader::text() {
    const Element found = element();
    if (const auto* const number = std::get_if<std::int64_t>(&found))
        return std::to_string(*number);
    return std::string(std::get<std::string_view>(found));
}

std::int64_t ListpackReader::integer() {
    const Element found = element();
    const auto* const number = std::get_if<std::int64_t>(&found);
    if (!number) throw BadData{};
    return *number;
}

}  // namespace redeliver::model::redis::dump
