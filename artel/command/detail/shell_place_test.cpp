#include "artel/command/detail/shell_place.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace artel::command::detail {
namespace {

using testing::HasSubstr;

std::string marked(std::string_view script) {
  std::string text(script);
  std::ranges::replace(text, '@', kPlaceMark);
  return text;
}

// A letter for each place; a "why, at N" if the script is refused. "@" is a placeholder.
std::string places(std::string_view script, ShellDialect dialect = ShellDialect::sh) {
  const auto found = places_in_script(marked(script), dialect);
  if (!found) return found.error().why + ", at " + std::to_string(found.error().at);
  std::string letters;
  for (const auto& place : *found) {
    letters += std::string("qbsd-")[static_cast<std::size_t>(place.spelling)];
    if (place.number) letters += '#';
    if (place.one_word) letters += '1';
  }
  return letters;
}
std::string in_bash(std::string_view script) { return places(script, ShellDialect::bash); }

TEST(ShellPlace, KnowsTheQuotesAroundAPlace) {
  EXPECT_EQ(places("wc @ | sort '@' \"@\""), "qsb");
  EXPECT_EQ(places(R"sh(a\" @ \' @ "\" @ ' @" '\' @)sh"), "qqbbq");
  EXPECT_EQ(in_bash(R"sh(p $'a\'@' $"@" '$'@)sh"), "dbq");
  EXPECT_EQ(places("x=@ y=a'b'@ dd if=@ > @; p @"), "q1q1q1q1q");
}

TEST(ShellPlace, FollowsSubstitutionsInsideQuotes) {
  EXPECT_EQ(places(R"sh(out="$(rm -v @)"; echo "$(basename "@" .txt) @" @)sh"), "qbbq");
  EXPECT_EQ(places(R"sh(a="`rm @ \`rm '@' "@"\``"; echo @)sh"), "qsbq");
  EXPECT_EQ(places(R"sh("${x:-@}" ${x:-@} "${x%@}" ${x#"@"} "$(( @ + $(wc @) ))")sh"), "bqqbb#q");
  EXPECT_EQ(places("$(case @ in a) p @;; (b|@) p \"@\";; esac) \"@\""), "q1qqbb");
}

TEST(ShellPlace, FollowsCommentsAndHereDocuments) {
  EXPECT_EQ(places("# don't @\np @ a#b'@'# @"), "-qsq");
  EXPECT_EQ(places("p $# ${#} ${#x} @"), "q");
  EXPECT_EQ(places("cat <<E; p @\nit's \"@\" $(p '@')\nE\np @"), "qbsq");
  EXPECT_EQ(places("cat <<-'E'\n\tit's\n\tE\np @"), "q");
  EXPECT_EQ(places("x=\"$(cat <<E\n)@\"\nE\n)\" @"), "bq");
}

TEST(ShellPlace, WhatTheShellEvaluatesTakesNumbersOnly) {
  EXPECT_EQ(places("p $((@ * 2))"), "b#");
  EXPECT_EQ(in_bash("((x = @)); for ((i = 0; i < @; i++)); do p @; done"), "b#b#q");
  EXPECT_EQ(in_bash("[[ @ -eq \"@\" && @ == x ]] && p @"), "q#b#qq");
  EXPECT_EQ(in_bash("let x=@; declare -i y=@; declare z=@"), "q#1q#1q1");
}

TEST(ShellPlace, RefusesPlacesWithoutASafeSpelling) {
  EXPECT_THAT(places(R"sh(p \@)sh"), HasSubstr("backslash stands before the placeholder, at 2"));
  EXPECT_THAT(places(R"sh(p "\@")sh"), HasSubstr("backslash"));
  EXPECT_THAT(places("p $@"), HasSubstr("a $ stands before"));
  EXPECT_THAT(places("p \"`p \\\\@`\""),
              HasSubstr("backslash stands before the placeholder, at 7"));
  EXPECT_THAT(places("cat <<'E'\n@\nE\n"), HasSubstr("write <<E without quotes, at 10"));
  EXPECT_THAT(in_bash("p ${x/@/b}"), HasSubstr("evaluate"));
  EXPECT_THAT(in_bash("p ${x:@}"), HasSubstr("evaluate"));
  EXPECT_THAT(in_bash("a[@]=1"), HasSubstr("put the word in quotes"));
  EXPECT_THAT(in_bash("a=([@]=1)"), HasSubstr("put the word in quotes"));
  EXPECT_THAT(places("p ${x:=@}"), HasSubstr("what is assigned here is split"));
  EXPECT_THAT(places("p $'@'"), HasSubstr("--shell=bash"));
  EXPECT_THAT(places("((@))"), HasSubstr("--shell=bash"));
  EXPECT_THAT(places("p $[@]"), HasSubstr("write $((…))"));
}

TEST(ShellPlace, RefusesWhatIsReadOnceMore) {
  EXPECT_THAT(places("eval \"p @\""), HasSubstr("eval reads it as code"));
  EXPECT_THAT(places("x=1 command eval 'p @'"), HasSubstr("eval reads it as code"));
  EXPECT_THAT(places("trap 'rm @' EXIT"), HasSubstr("trap reads it as code"));
  EXPECT_THAT(places("env -i bash -euo pipefail -c 'p @'"), HasSubstr("that shell reads it"));
  EXPECT_EQ(places("sh -c 'p \"$1\"' sh @; sh @; sh -x @"), "qqq");
  EXPECT_THAT(places("read @"), HasSubstr("takes it for a variable"));
  EXPECT_THAT(in_bash("[[ -v @ ]]"), HasSubstr("takes it for a variable"));
  EXPECT_THAT(places("test -v @"), HasSubstr("takes it for a variable"));
}

TEST(ShellPlace, RefusesWhatDoesNotEnd) {
  for (const auto* const script :
       {"p '", "p \"", "p `", "p $(", "p ${x", "p $((1", "cat <<E\n", "p $(cat <<E)\nE\n", "p )",
        "case x in a) $(;; esac)", "p $(case x in a) p)", "p ;;", "esac", "p $((a) b)"}) {
    EXPECT_THAT(places(script), HasSubstr(", at ")) << script;
  }
  EXPECT_THAT(places(std::string(1000, '(')), HasSubstr("some shells calculate"));
  std::string deep;
  for (int i = 0; i < 1000; ++i) deep += "$(";
  EXPECT_THAT(places(deep), HasSubstr("too much is nested"));
}

}  // namespace
}  // namespace artel::command::detail
