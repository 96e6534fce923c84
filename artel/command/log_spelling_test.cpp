#include "artel/command/log_spelling.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "artel/core/error.hpp"

namespace artel::command {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Words = std::vector<std::string>;

TEST(LogSpelling, IsOneLineAsBashQuotesIt) {
  EXPECT_EQ(log_spelling(Words{"a-b/c.d=1", "", "it's $x", "a\nb\t'\\\x01"}),
            R"(a-b/c.d=1 '' 'it'\''s $x' $'a\nb\t\'\\\001')");
}

RC_GTEST_PROP(LogSpelling, ComesBackWithAllItsBytes, (Words words, const std::string& last)) {
  words.push_back(last);
  for (auto& word : words) std::ranges::replace(word, '\0', '\x01');
  const auto spelling = log_spelling(words);
  RC_ASSERT(spelling.find('\n') == std::string::npos);
  RC_ASSERT(spelling.find('\t') == std::string::npos);
  const auto back = parse_log_spelling(spelling);
  RC_ASSERT(back.has_value());
  RC_ASSERT(*back == words);
}

TEST(LogSpelling, WhatAShellWouldHaveToReadIsRefused) {
  for (const char* const code : {"echo $x", "a | b", "a;b", "a\\ b", "\"a\"", "a  b", " a", "a ",
                                 "", "*", "~", "a&", "`a`", "$(a)", "a>b", "#a", "(a)", "a\tb"}) {
    EXPECT_FALSE(parse_log_spelling(code)) << code;
  }
  EXPECT_THAT(parse_log_spelling("rm $x").error().what,
              HasSubstr("column 4 of the command: found \"$x\"; expected words"));
}

TEST(LogSpelling, QuotesWithoutEndAndUnknownEscapesAreRefused) {
  for (const char* const cut :
       {"'a", "a 'b'\\", "$'a", "$'a\\", "$'\\x41'", "$'\\01'", "$'\\000'", "$'\\777'", "$'\\8'"}) {
    EXPECT_FALSE(parse_log_spelling(cut)) << cut;
  }
  EXPECT_THAT(*parse_log_spelling(R"(a'b'\'c $'\303\n' '')"), ElementsAre("ab'c", "\xc3\n", ""));
}

}  // namespace
}  // namespace artel::command
