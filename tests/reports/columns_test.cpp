#include "reports/columns.h"

#include <gtest/gtest.h>

#include "reports/paragraph.h"
#include "reports/text_width.h"

namespace redeliver::reports {
namespace {

TEST(DisplayWidth, CountsColumnsAndNotBytes) {
    EXPECT_EQ(display_width("worker-1"), 8u);
    EXPECT_EQ(display_width("é"), 1u);
    EXPECT_EQ(display_width("消息"), 4u);
    EXPECT_EQ(display_width("e\u0301"), 1u);
    EXPECT_EQ(display_width("✂"), 1u);
}

TEST(Fitted, CutsWithAVisibleEllipsis) {
    EXPECT_EQ(fitted("unharmed", 8, Charset::utf8), "unharmed");
    EXPECT_EQ(fitted("too long by far", 8, Charset::utf8), "too lon…");
    EXPECT_EQ(fitted("too long by far", 8, Charset::ascii), "too l...");
    EXPECT_EQ(fitted("消息消息", 5, Charset::utf8), "消息…");
}

TEST(Wrapped, BreaksBetweenWordsAndKeepsLongOnesWhole) {
    EXPECT_EQ(wrapped("one two three", 8), (std::vector<std::string>{"one two", "three"}));
    EXPECT_EQ(wrapped("unbreakable", 4), std::vector<std::string>{"unbreakable"});
    EXPECT_EQ(wrapped("", 4), std::vector<std::string>{""});
}

TEST(Columns, AlignUnderOneAnotherWithoutBlanksAtTheEnd) {
    Columns columns{{{.align = Align::right, .gap = 0}, {}, {}}};
    columns.add({{"7"}, {"worker-1"}, {"XACK"}});
    columns.add({{"123"}, {"消"}, {""}});
    EXPECT_EQ(columns.render({}),
              "  7  worker-1  XACK\n"
              "123  消\n");
}

TEST(Columns, LetALongTextStickOutOfItsColumn) {
    Columns columns{{{.widest = 6, .gap = 0}, {}}};
    columns.add({{"short"}, {"a"}});
    columns.add({{"far too long"}, {"b"}});
    EXPECT_EQ(columns.render({}),
              "short  a\n"
              "far too long  b\n");
}

TEST(Columns, KeepToTheWidthOfTheTerminal) {
    Columns columns{{{.gap = 0}, {}}};
    columns.add({{"worker-1"}, {"crash before its XACK was sent"}});
    EXPECT_EQ(columns.render({.width = 20}), "worker-1  crash bef…\n");
}

TEST(Columns, MakeAStrangersTextHarmless) {
    Columns columns{{{.gap = 0}}};
    columns.add({{"\x1b]0;owned\x07 \xff\n"}});
    EXPECT_EQ(columns.render({}), "\\x1b]0;owned\\x07 \\xff\\n\n");
}

TEST(Columns, AddColourOnlyAroundText) {
    Columns columns{{{.gap = 0}, {}}};
    columns.add({{"a", Tone::bad}, {"b"}});
    columns.add({{"long"}, {"c"}});
    EXPECT_EQ(columns.render({.colour = Colour::on}),
              "\x1b[31ma\x1b[0m     b\n"
              "long  c\n");
}

TEST(Paragraph, HangsUnderItsLabel) {
    const Look narrow{.width = 30};
    EXPECT_EQ(paragraph("held", "held", 8, "exactly_one_reply, no_run_lost", narrow),
              "held    exactly_one_reply,\n"
              "        no_run_lost\n");
}

TEST(Marks, AreOneColumnWideInBothCharsets) {
    for (std::size_t i = 0; i < mark_count; ++i) {
        EXPECT_EQ(display_width(glyph(Mark{static_cast<std::uint8_t>(i)}, Charset::utf8)), 1u);
        EXPECT_EQ(glyph(Mark{static_cast<std::uint8_t>(i)}, Charset::ascii).size(), 1u);
    }
}

}  // namespace
}  // namespace redeliver::reports
