#include "artel/cluster/protocol/printable_text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>

namespace artel::cluster {
namespace {

std::string name(const std::string& text) { return printable_text(text, Lines::one); }

TEST(PrintableText, IsAsItWas) {
  for (const std::string text : {"", "w-1_é € 😀", "lab7.example"}) {
    EXPECT_EQ(name(text), text);
    EXPECT_EQ(printable_text(text, Lines::several), text);
  }
}

TEST(PrintableText, ControlsBecomeQuestionMarks) {
  EXPECT_EQ(name("w\x1b[31m1"), "w?[31m1");
  EXPECT_EQ(name("a\x7f"), "a?");
  EXPECT_EQ(name("a\xc2\x9b"
                 "31m"),
            "a?31m");  // CSI as a character
  EXPECT_EQ(name("a\x9b"
                 "31m"),
            "a?31m");  // and as terminals of 8 bits read it
}

TEST(PrintableText, ANameHasOneLine) {
  EXPECT_EQ(name("w1  8\nw2\t8\r"), "w1  8?w2?8?");
  EXPECT_EQ(printable_text("what\n\tand why\r", Lines::several), "what\n\tand why?");
}

TEST(PrintableText, WhatIsNotUtf8BecomesQuestionMarks) {
  EXPECT_EQ(name("\xc0\xaf"), "??");            // longer than need be
  EXPECT_EQ(name("\xed\xa0\x80"), "???");       // half of a pair
  EXPECT_EQ(name("\xf4\x90\x80\x80"), "????");  // beyond the last
  EXPECT_EQ(name("\xe2\x82"), "??");            // cut off
  EXPECT_EQ(name("\xe2\x82"
                 "a"),
            "??a");
}

RC_GTEST_PROP(PrintableText, HasNoControlsWhateverComes, (const std::string& text)) {
  const std::string seen = name(text);
  RC_ASSERT(std::ranges::none_of(seen, [](unsigned char c) { return c < 0x20 || c == 0x7f; }));
  RC_ASSERT(name(seen) == seen);
}

}  // namespace
}  // namespace artel::cluster
