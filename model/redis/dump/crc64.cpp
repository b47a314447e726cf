#include "model/redis/dump/crc64.h"

#include <array>

namespace redeliver::model::redis::dump {
namespace {

constexpr std::uint64_t reflected_polynomial = 0x95ac9329ac4bc9b5;

constexpr std::array<std::uint64_t, 256> make_crc_table() {
    std::array<std::uint64_t, 256> crc_table{};
    for (std::uint64_t byte = 0; byte < crc_table.size(); ++byte) {
        std::uint64_t crc = byte;
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc & 1) != 0 ? (crc >> 1) ^ reflected_polynomial : crc >> 1;
        crc_table[byte] = crc;
    }
    return crc_table;
}

constexpr auto crc_table = make_crc_table();

}  // namespace

std::uint64_t crc64(std::string_view bytes) {
    std::uint64_t crc = 0;
    for (const char c : bytes)
        crc = crc_table[(crc ^ static_cast<unsigned char>(c)) & 0xff] ^ (crc >> 8);
    return crc;
}

}  // namespace redeliver::model::redis::dump
