// RESTORE of payloads that redis-server 7.0.15 dumped.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "model/redis/dump/crc64.h"
#include "model/redis/dump/lzf.h"
#include "tests/model/redis/resp/client.h"

namespace redeliver::model::redis {
namespace {

using resp::Desk;
using testing::EndsWith;
using testing::HasSubstr;

std::string from_hex(std::string_view hex) {
    std::string bytes;
    for (std::size_t i = 0; i < hex.size(); i += 2)
        bytes.push_back(static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
    return bytes;
}

/// Seven entries added, of which 1002-1 and 1007-1 are deleted; two nodes; the groups `empty` and
/// `g`, of whose consumers alice has two rows, bob one and idler none.
const std::string stream = from_hex(
    "13021000000000000003e90000000000000001c34055416212620100001f0003010101020181660281670200200900"
    "002001066401e05a616263e04e02025c05014074040001c0c802e0566780d00e0101856f7468657206837878780406"
    "20"
    "e40003201901c190e0567d0101ff1000000000000003ed0000000000000001c3404b40fe12fe000000190002010101"
    "02018166028167020020090000200107c1f402e05a616263e04e02015c0520630001600308856f7468657206867860"
    "00"
    "0307060103608201c2bce056800101ff0543ef0143e90143ef01070205656d70747943eb0181ffffffffffffffff00"
    "00"
    "016743ec0181ffffffffffffffff0300000000000003e900000000000000010068e5cf8b010000050000000000"
    "0003eb00000000000000010168e5cf8b0100000200000000000003ec00000000000000010268e5cf8b010000020305"
    "61"
    "6c696365fe8c242da20100000200000000000003e9000000000000000100000000000003eb00000000000000010362"
    "6f"
    "62fe8c242da20100000100000000000003ec00000000000000010569646c6572fd8c242da2010000000a00ad835b66"
    "17"
    "f9dc37");
const std::string hundred_times_a = from_hex("00c3094064016161e057000161610a00e8a3b507b06df271");
const std::string number = from_hex("00c139300a009d94ea2793fc08b9");
const std::string list = from_hex("1201020a0a0000000100816102ff0a0009b9edf594ded995");

/// The payload with a checksum that is right again.
std::string with_checksum(std::string payload) {
    constexpr std::size_t checksum_bytes = 8;
    payload.resize(payload.size() - checksum_bytes);
    const std::uint64_t crc = dump::crc64(payload);
    for (unsigned shift = 0; shift < 64; shift += 8)
        payload.push_back(static_cast<char>(crc >> shift & 0xff));
    return payload;
}

class RestoreTest : public testing::Test {
protected:
    std::string restore(std::string_view payload) {
        return desk.ask(client, {"RESTORE", "s", "0", payload});
    }

    Desk desk;
    SessionId client = desk.connect(1);
};

TEST_F(RestoreTest, BringsBackAString) {
    EXPECT_EQ(restore(number), "+OK\r\n");
    EXPECT_EQ(desk.ask(client, {"GET", "s"}), "$5\r\n12345\r\n");
    EXPECT_EQ(desk.ask(client, {"RESTORE", "s", "0", hundred_times_a, "REPLACE"}), "+OK\r\n");
    EXPECT_EQ(desk.ask(client, {"GET", "s"}), "$100\r\n" + std::string(100, 'a') + "\r\n");
}

TEST_F(RestoreTest, BringsBackAStreamWithItsNodesAndItsDeletions) {
    ASSERT_EQ(restore(stream), "+OK\r\n");
    EXPECT_EQ(desk.ask(client, {"XLEN", "s"}), ":5\r\n");
    EXPECT_THAT(
        desk.ask(client, {"XINFO", "STREAM", "s"}),
        HasSubstr("radix-tree-keys\r\n:2\r\n$16\r\nradix-tree-nodes\r\n:6\r\n$17\r\n"
                  "last-generated-id\r\n$6\r\n1007-1\r\n$20\r\nmax-deleted-entry-id\r\n$6\r\n"
                  "1007-1\r\n$13\r\nentries-added\r\n:7\r\n"));
    EXPECT_EQ(desk.ask(client, {"XRANGE", "s", "1003", "1003"}),
              "*1\r\n*2\r\n$6\r\n1003-1\r\n*2\r\n$5\r\nother\r\n$3\r\nxxx\r\n");
    // The first node had four entries: as many as it held before the deletion count.
    EXPECT_EQ(desk.ask(client, {"XTRIM", "s", "MAXLEN", "~", "2"}), ":3\r\n");
}

TEST_F(RestoreTest, BringsBackGroupsConsumersAndRows) {
    ASSERT_EQ(restore(stream), "+OK\r\n");
    EXPECT_THAT(desk.ask(client, {"XINFO", "STREAM", "s", "FULL"}),
                EndsWith("*3\r\n*4\r\n$6\r\n1001-1\r\n$5\r\nalice\r\n:1700000000000\r\n:5\r\n"
                         "*4\r\n$6\r\n1003-1\r\n$5\r\nalice\r\n:1700000000001\r\n:2\r\n"
                         "*4\r\n$6\r\n1004-1\r\n$3\r\nbob\r\n:1700000000002\r\n:2\r\n"
                         "$9\r\nconsumers\r\n*3\r\n"
                         "*8\r\n$4\r\nname\r\n$5\r\nalice\r\n$9\r\nseen-time\r\n:1796053699838\r\n"
                         "$9\r\npel-count\r\n:2\r\n$7\r\npending\r\n*2\r\n"
                         "*3\r\n$6\r\n1001-1\r\n:1700000000000\r\n:5\r\n"
                         "*3\r\n$6\r\n1003-1\r\n:1700000000001\r\n:2\r\n"
                         "*8\r\n$4\r\nname\r\n$3\r\nbob\r\n$9\r\nseen-time\r\n:1796053699838\r\n"
                         "$9\r\npel-count\r\n:1\r\n$7\r\npending\r\n*1\r\n"
                         "*3\r\n$6\r\n1004-1\r\n:1700000000002\r\n:2\r\n"
                         "*8\r\n$4\r\nname\r\n$5\r\nidler\r\n$9\r\nseen-time\r\n:1796053699837\r\n"
                         "$9\r\npel-count\r\n:0\r\n$7\r\npending\r\n*0\r\n"));
}

TEST_F(RestoreTest, RefusesInTheServersOrder) {
    EXPECT_EQ(restore("x"), "-ERR DUMP payload version or checksum are wrong\r\n");
    EXPECT_EQ(restore(list), "-ERR Bad data format\r\n") << "a list is not modelled";
    EXPECT_EQ(desk.ask(client, {"RESTORE", "s", "-1", "x"}),
              "-ERR Invalid TTL value, must be >= 0\r\n");
    EXPECT_EQ(desk.ask(client, {"RESTORE", "s", "x", "x"}),
              "-ERR value is not an integer or out of range\r\n");
    EXPECT_EQ(desk.ask(client, {"RESTORE", "s", "0", number, "REPLACE", "foo"}),
              "-ERR syntax error\r\n");
    ASSERT_EQ(restore(number), "+OK\r\n");
    EXPECT_EQ(desk.ask(client, {"RESTORE", "s", "x", "x"}),
              "-BUSYKEY Target key name already exists.\r\n");
}

TEST_F(RestoreTest, RefusesANewerVersion) {
    std::string newer = number;
    newer[newer.size() - 10] = 11;
    EXPECT_EQ(restore(with_checksum(newer)), "-ERR DUMP payload version or checksum are wrong\r\n");
}

TEST_F(RestoreTest, GivesTheKeyItsTimeToLive) {
    desk.ask(client, {"RESTORE", "s", "5000", number});
    EXPECT_EQ(desk.ask(client, {"PTTL", "s"}), ":5000\r\n");
}

TEST_F(RestoreTest, WakesWhoWaitsForTheStream) {
    const SessionId reader = desk.connect(2);
    desk.ask(reader, {"XREAD", "BLOCK", "0", "STREAMS", "s", "1005-1"});
    restore(stream);
    EXPECT_THAT(desk.heard(reader), HasSubstr("1006-1"));
}

TEST(Restore, TakesNoDamageFromAnyOneWrongByte) {
    for (std::size_t at = 0; at + 10 < stream.size(); ++at) {
        for (const char wrong : {'\x00', '\x01', '\x7f', '\x80', '\xc3', '\xff'}) {
            std::string payload = stream;
            payload[at] = wrong;
            Desk desk;
            const SessionId client = desk.connect(1);
            const std::string answer =
                desk.ask(client, {"RESTORE", "s", "0", with_checksum(payload)});
            ASSERT_TRUE(answer == "+OK\r\n" || answer == "-ERR Bad data format\r\n") << at;
            ASSERT_NE(desk.ask(client, {"XINFO", "STREAM", "s", "FULL"}), "");
            ASSERT_NE(desk.ask(client, {"XADD", "s", "*", "f", "v"}), "");
        }
    }
}

RC_GTEST_PROP(Restore, TakesNoDamageFromAnyBytes, (const std::string& bytes)) {
    Desk desk;
    const SessionId client = desk.connect(1);
    const std::string type(1, *rc::gen::element('\x00', '\x0f', '\x13'));
    const std::string payload =
        with_checksum(type + bytes + std::string("\x0a\x00", 2) + "checksum");
    const std::string answer = desk.ask(client, {"RESTORE", "s", "0", payload});
    RC_ASSERT(answer == "+OK\r\n" || answer == "-ERR Bad data format\r\n");
}

TEST(Crc64, IsTheOneThatRedisUses) { EXPECT_EQ(dump::crc64("123456789"), 0xe9c6d914c4b8d9caull); }

TEST(Lzf, RefusesWhatPointsBeforeTheBeginningOrBeyondTheEnd) {
    EXPECT_EQ(dump::decompress_lzf(std::string("\x00"
                                               "a",
                                               2),
                                   1),
              "a");
    EXPECT_EQ(dump::decompress_lzf(std::string("\x00"
                                               "a\x20\x00",
                                               4),
                                   4),
              "aaaa");
    EXPECT_EQ(dump::decompress_lzf(std::string("\x00"
                                               "a\x20\x01",
                                               4),
                                   4),
              std::nullopt);
    EXPECT_EQ(dump::decompress_lzf(std::string("\x01"
                                               "a",
                                               2),
                                   2),
              std::nullopt);
    EXPECT_EQ(dump::decompress_lzf(std::string("\x00"
                                               "a\x20\x00",
                                               4),
                                   3),
              std::nullopt);
    EXPECT_EQ(dump::decompress_lzf("\x01", std::size_t{1} << 60), std::nullopt);
}

}  // namespace
}  // namespace redeliver::model::redis
