#include "artel/command/command_template.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "artel/command/shell_quote.hpp"
#include "artel/core/error.hpp"

namespace artel::command {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Words = std::vector<std::string>;

Words expand(const Words& command, const Words& items, Reader reader = Reader::program) {
  return CommandTemplate::parse(command, reader)->expand({.items = items, .job = 7, .slot = 3});
}

TEST(CommandTemplate, WithoutPlaceholderItemsAreAppended) {
  EXPECT_THAT(expand({"ls", "-l"}, {"a b", "-c"}), ElementsAre("ls", "-l", "a b", "-c"));
  EXPECT_THAT(expand({"ls", "{#}"}, {"a"}), ElementsAre("ls", "7"));
}

TEST(CommandTemplate, AWordWithPlaceholderIsThereOncePerItem) {
  EXPECT_THAT(expand({"x", "--in={}", "-o", "{#}"}, {"a", "b"}),
              ElementsAre("x", "--in=a", "--in=b", "-o", "7"));
}

TEST(CommandTemplate, KnowsAllPlaceholdersAndLeavesOtherBracesAlone) {
  EXPECT_THAT(
      expand({"{}|{.}|{/}|{/.}|{//}|{#}|{%}", "{x}", "{", "{1", "${}"}, {"/p/q.d/f.tar.gz"}),
      ElementsAre("/p/q.d/f.tar.gz|/p/q.d/f.tar|f.tar.gz|f.tar|/p/q.d|7|3", "{x}", "{", "{1",
                  "${}"));
}

TEST(CommandTemplate, AProgramWithPlaceholderIsNotFixed) {
  EXPECT_TRUE(CommandTemplate::parse(Words{"echo"}, Reader::program)->fixed_program());
  EXPECT_FALSE(CommandTemplate::parse(Words{"./{}"}, Reader::program)->fixed_program());
  EXPECT_TRUE(CommandTemplate::parse(Words{"{}"}, Reader::shell)->fixed_program());
  EXPECT_FALSE(CommandTemplate::parse(Words{}, Reader::program));
}

TEST(CommandTemplate, AShellGetsItemsAsVariables) {
  EXPECT_THAT(
      expand({"wc {} | sort"}, {"a", "b"}, Reader::shell),
      ElementsAre("/bin/sh", "-c", "artel_1=${1} artel_2=${2}; wc \"$artel_1\" \"$artel_2\" | sort",
                  "sh", "a", "b"));
  EXPECT_THAT(expand({"echo", "\"<{}>\" '<{/}>' \\\"{}"}, {"d/$(x)"}, Reader::shell),
              ElementsAre("/bin/sh", "-c",
                          "artel_1=${1} artel_2=${2}; echo \"<${artel_1}>\" "
                          R"('<'"$artel_2"'>' \""$artel_1")",
                          "sh", "d/$(x)", "$(x)"));
  EXPECT_THAT(expand({"echo"}, {"a"}, Reader::shell),
              ElementsAre("/bin/sh", "-c", "artel_1=${1}; echo \"$artel_1\"", "sh", "a"));
}

TEST(CommandTemplate, ValuesOfAnAssignmentStayOneWord) {
  EXPECT_EQ(expand({"x={} p {}"}, {"a", "b"}, Reader::shell)[2],
            "artel_1=${1} artel_2=${2}; x=\"$artel_1 $artel_2\" p \"$artel_1\" "
            "\"$artel_2\"");
}

TEST(CommandTemplate, AnArrayHasWordsAlone) {
  for (const char* const odd : {"<", ">", ";", "&", "|", "("}) {
    const auto command = CommandTemplate::parse(
        Words{"bash", "-c", std::string("x=(a ") + odd + " {})"}, Reader::program);
    ASSERT_FALSE(command) << odd;
    EXPECT_THAT(to_string(command.error()), HasSubstr("an array has words alone")) << odd;
  }
  EXPECT_TRUE(CommandTemplate::parse(Words{"bash", "-c", "x=(a <(echo {}) b)"}, Reader::program));
}

TEST(CommandTemplate, AScriptOfAnotherShellIsRefused) {
  const auto refusal = [](const Words& words) {
    const auto command = CommandTemplate::parse(words, Reader::program);
    return command ? "" : to_string(command.error());
  };
  EXPECT_THAT(refusal({"fish", "-c", "echo {}"}), HasSubstr("fish would read the item as code"));
  EXPECT_THAT(refusal({"bash", "-c", "x\neval {}"}), HasSubstr("line 2, column 6 of the script"));
  EXPECT_EQ(refusal({"fish", "-c", "echo $argv", "{}"}), "");
  const auto shell =
      CommandTemplate::parse(Words{"p"}, {.reader = Reader::shell, .shell = "/usr/bin/fish"});
  EXPECT_THAT(to_string(shell.error()),
              HasSubstr("'/usr/bin/fish' is no shell whose syntax is known"));
}

TEST(CommandTemplate, FieldsAreThoseOfTheItemOrOfTheJob) {
  const std::string pair("a\0b", 3);
  const std::string other("c\0d", 3);
  const auto fields = [&](const Words& words, Reader reader) {
    return CommandTemplate::parse(
               words, {.reader = reader, .fields = {.count = 2, .names = {"x"}, .of_job = false}})
        ->expand({.items = Words{pair, other}});
  };
  EXPECT_THAT(fields({"mv", "{2}", "{x}.{-1}", "{}", "<{} {1}>"}, Reader::program),
              ElementsAre("mv", "b", "d", "a.b", "c.d", "a", "b", "c", "d", "<a b a>", "<c d c>"));
  EXPECT_THAT(fields({"mv {2}"}, Reader::shell),
              ElementsAre("/bin/sh", "-c", testing::_, "sh", "b", "d"));
  const auto job = CommandTemplate::parse(Words{"mv", "{2}", "{1}"}, {.fields = {.count = 2}});
  EXPECT_THAT(job->expand({.items = Words{"a", "b"}}), ElementsAre("mv", "b", "a"));
  EXPECT_THAT(job->expand({.items = Words{"a"}}), ElementsAre("mv", "", "a"));
}

TEST(CommandTemplate, AnotherTokenReplacesAllPlaceholders) {
  const auto command = CommandTemplate::parse(Words{"x", "@.{}", "{1}", "{= =}"}, {.token = "@"});
  EXPECT_THAT(command->expand({.items = Words{"a"}}), ElementsAre("x", "a.{}", "{1}", "{= =}"));
}

RC_GTEST_PROP(CommandTemplate, NeverSplitsOrChangesAnItem,
              (const Words& items, const Words& rest)) {
  RC_PRE(!items.empty());
  Words command{"program"};
  for (const auto& word : rest) {
    if (word.find('{') == std::string::npos) command.push_back(word);
  }
  const std::size_t fixed = command.size();
  command.emplace_back("{}");
  const auto words = expand(command, items);
  RC_ASSERT(words.size() == fixed + items.size());
  RC_ASSERT(std::equal(items.begin(), items.end(), words.begin() + static_cast<long>(fixed)));
  const auto script = expand({"a {} b"}, items, Reader::shell);
  RC_ASSERT(std::equal(items.begin(), items.end(), script.begin() + 4, script.end()));
}

TEST(ShellQuote, QuotesOnlyWhatNeedsIt) {
  EXPECT_EQ(shell_quote("a-b/c.d=1"), "a-b/c.d=1");
  EXPECT_EQ(shell_quote(""), "''");
  EXPECT_EQ(shell_quote("it's $x"), R"('it'\''s $x')");
  EXPECT_EQ(posix_quote("it's\na"), "'it'\\''s\na'");
  EXPECT_EQ(shell_quote("a\nb\t'\\\x01"), R"($'a\nb\t\'\\\001')");
  EXPECT_EQ(shell_quote(Words{"a", "b c"}), "a 'b c'");
}

}  // namespace
}  // namespace artel::command
