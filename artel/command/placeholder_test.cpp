#include "artel/command/placeholder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "artel/core/error.hpp"

namespace artel::command {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// What stands there for an item; "-" if the text is no placeholder.
std::string filled(std::string_view text, std::string_view item, const ItemFields& fields = {}) {
  const auto found = Placeholder::read(text, fields);
  if (!found) return to_string(found.error());
  const auto& placeholder = *found;
  if (!placeholder) return "-";
  EXPECT_TRUE(text.starts_with(placeholder->text()));
  return placeholder->fill(placeholder->field() == 0 ? item
                                                     : placeholder->field_among(fields_of(item)));
}

TEST(Placeholder, PartsAreThoseOfBasenameAndDirname) {
  EXPECT_EQ(filled("{}", "/p/q.d/f.tar.gz"), "/p/q.d/f.tar.gz");
  EXPECT_EQ(filled("{.}", "/p/q.d/f.tar.gz"), "/p/q.d/f.tar");
  EXPECT_EQ(filled("{/}", "/p/q.d/f.tar.gz"), "f.tar.gz");
  EXPECT_EQ(filled("{/.}", "/p/q.d/f.tar.gz"), "f.tar");
  EXPECT_EQ(filled("{//}", "/p/q.d/f.tar.gz"), "/p/q.d");
  EXPECT_EQ(part_of("a.d/b", PathPart::without_extension), "a.d/b");
  EXPECT_EQ(part_of("d/.profile", PathPart::without_extension), "d/.profile");
  EXPECT_EQ(part_of("a/b/", PathPart::name), "b");
  EXPECT_EQ(part_of("a/b//", PathPart::folder), "a");
  EXPECT_EQ(part_of("a", PathPart::folder), ".");
  EXPECT_EQ(part_of("/a", PathPart::folder), "/");
  EXPECT_EQ(part_of("/", PathPart::name), "/");
  EXPECT_EQ(part_of("/", PathPart::folder), "/");
  EXPECT_EQ(part_of("", PathPart::name), "");
  EXPECT_EQ(part_of("", PathPart::folder), ".");
}

TEST(Placeholder, RemovesASuffixOrAPrefixThatIsThere) {
  EXPECT_EQ(filled("{%.tar.gz}", "d/f.tar.gz"), "d/f");
  EXPECT_EQ(filled("{%.zip}", "d/f.tar.gz"), "d/f.tar.gz");
  EXPECT_EQ(filled("{#d/}", "d/f"), "f");
  EXPECT_EQ(filled("{/%.gz}", "d/f.tar.gz"), "f.tar");
  EXPECT_EQ(filled("{//#/p}", "/p/q/f"), "/q");
}

TEST(Placeholder, ReplacesWhatARegularExpressionMatches) {
  EXPECT_EQ(filled("{/a/b/}", "aaa"), "baa");
  EXPECT_EQ(filled("{/a/b/g}", "aaxa"), "bbxb");
  EXPECT_EQ(filled("{/_.*//}", "a_b"), "a");
  EXPECT_EQ(filled(R"({/([a-z]+)-([0-9]{2})/\2:\1:\0/})", "ab-12x"), "12:ab:ab-12x");
  EXPECT_EQ(filled(R"({/\//_/g})", "a/b/c"), "a_b_c");
  EXPECT_EQ(filled("{/^a/x/g}", "aa"), "xa");
  EXPECT_EQ(filled("{/x*/-/g}", "abx"), "-a-b-");
  EXPECT_EQ(filled(R"({//\.[^.]*$//})", "d/f.x"), "f");
  EXPECT_EQ(filled(R"({///d/e/})", "d/f.x"), "e");
  EXPECT_EQ(filled("{/a{2}/b/}", "xaa"), "xb");
  EXPECT_EQ(filled("{/.}|{//}", "d/f.x"), "f");
  EXPECT_EQ(filled("{/%a/b/}", "x%a"), "xb");
  EXPECT_EQ(filled("{/x} and {/y/}", "d"), "-");
  EXPECT_EQ(filled("{/\xff/y/}", "x\xff"), "xy");
  EXPECT_EQ(filled("{/a|ab/x/}", "abc"), "xc");
  EXPECT_EQ(filled(R"({/\s+|\d/_/g})", "a \t1"), "a__");
  EXPECT_EQ(filled(R"({/\b[a-z]/X/g})", "ab cd"), "Xb Xd");
  EXPECT_EQ(filled("{/a.b|[^x]$/y/g}", "a\nb\n"), "yy");
  EXPECT_EQ(filled("{/^b/x/}", "a\nb"), "a\nb");
  EXPECT_EQ(filled(R"({/[\t\.]+/_/})", "\\a.\tb"), "\\a_b");
  EXPECT_EQ(filled("{/(a)|b/<\\1>/g}", "ab"), "<a><>");
}

TEST(Placeholder, AnExpressionIsRefusedOrTakesTimeLinearInTheItem) {
  EXPECT_THAT(filled("{/(/b/}", "a"), HasSubstr("'(' is no regular expression: missing ): ("));
  EXPECT_THAT(filled(R"({/(.)\1/b/})", "aa"), HasSubstr("invalid escape sequence: \\1"));
  EXPECT_THAT(filled("{/((a{99}){99}){99}/b/}", "a"), HasSubstr("invalid repetition size"));
  const auto many = [](const char* text) {
    std::string result;
    for (int i = 0; i < 10'000; ++i) result += text;
    return result;
  };
  EXPECT_EQ(filled("{/" + many("(") + "a" + many(")+") + "/b/}", "xaa"), "xb");
  EXPECT_EQ(filled("{/a" + many("+") + "/b/}", "xaa"), "xb");
  EXPECT_EQ(filled("{/(x+x+)+y/b/}", many("x")), many("x"));
}

TEST(Placeholder, NumbersAndNamesAreFields) {
  const std::string record("d/a.x\0b", 7);
  const ItemFields fields{.count = 2, .names = {"a", "a b"}, .of_job = false};
  EXPECT_EQ(filled("{2}", record, fields), "b");
  EXPECT_EQ(filled("{-1}", record, fields), "b");
  EXPECT_EQ(filled("{1/.}", record, fields), "a");
  EXPECT_EQ(filled("{a//}", record, fields), "d");
  EXPECT_EQ(filled("{a b}", record, fields), "b");
  EXPECT_EQ(filled("{1/a/c/}", record, fields), "d/c.x");
  EXPECT_EQ(filled("{9}", record, {.count = 0}), "");
  EXPECT_THAT(filled("{3}", record, fields), HasSubstr("{3}: there are 2;"));
  EXPECT_THAT(filled("{2}", record), HasSubstr("{2}: there is one input (others follow"));
  EXPECT_THAT(fields_of(record), ElementsAre("d/a.x", "b"));
}

TEST(Placeholder, OtherBracesAreNone) {
  for (const auto* const text :
       {"{", "{x}", "{1", "{1..3}", "{0}", "{print $1}", "{% if x %}", "{a,b}", "{/a/b}", "{-}"})
    EXPECT_EQ(filled(text, "a"), "-") << text;
}

TEST(Placeholder, WhatParallelWouldReplaceIsRefused) {
  for (const auto* const text : {"{= s/a// =}", "{..}", "{...}", "{/..}", "{+/}", "{+.}", "{##}"})
    EXPECT_THAT(filled(text, "a"), HasSubstr("is GNU parallel's")) << text;
}

}  // namespace
}  // namespace artel::command
