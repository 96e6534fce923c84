#include "artel/command/shell_quote.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace artel::command {
namespace {

using Words = std::vector<std::string>;

TEST(ShellQuote, QuotesOnlyWhatNeedsIt) {
  EXPECT_EQ(shell_quote("a-b/c.d=1"), "a-b/c.d=1");
  EXPECT_EQ(shell_quote(""), "''");
  EXPECT_EQ(shell_quote("it's $x"), R"('it'\''s $x')");
  EXPECT_EQ(shell_quote("=ls"), "'=ls'");
  EXPECT_EQ(shell_quote("%1"), "'%1'");
  EXPECT_EQ(shell_quote(R"(a\\b)"), R"('a'\\\\'b')");
  EXPECT_EQ(shell_quote("a\nb"), "'a\nb'");
  EXPECT_EQ(shell_quote(Words{"a", "b c", "d=e"}), "a 'b c' d=e");
  EXPECT_EQ(shell_quote(Words{"d=e", "d=e"}), "'d=e' d=e");
}

TEST(ShellQuote, AControlCharacterDoesNotReachTheTerminal) {
  EXPECT_EQ(shell_quote("a\tb\x1b[2J"), R"sh("$(printf 'a\011b\033\1332J')")sh");
  EXPECT_EQ(shell_quote("-\x7f%\xc2\x9b\xc3\xa9\n\n"),
            "\"$(printf '\\055\\177\\045\\302\\233\\303\\251')\"'\n\n'");
}

TEST(Printable, ShowsControlCharacters) {
  EXPECT_EQ(printable("a\nb\x1b]\xc2\x9b\xc3\xbc\x7f"), "a\nb\\033]\\302\\233\xc3\xbc\\177");
}

TEST(LiteralQuote, LeavesTheBytesAsTheyAre) {
  EXPECT_EQ(literal_quote("it's\na\\\x01"), "'it'\\''s\na'\\\\'\x01'");
}

}  // namespace
}  // namespace artel::command
