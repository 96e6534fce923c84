#include "artel/command/command_template.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "artel/command/shell_quote.hpp"

namespace artel::command {
namespace {

using testing::ElementsAre;
using Words = std::vector<std::string>;

Words expand(const Words& command, const Words& items, Reader reader = Reader::program) {
  return CommandTemplate::parse(command, reader)->expand({.items = items, .job = 7, .slot = 3});
}

TEST(CommandTemplate, WithoutPlaceholderItemsAreAppended) {
  EXPECT_THAT(expand({"ls", "-l"}, {"a b", "-c"}), ElementsAre("ls", "-l", "a b", "-c"));
  EXPECT_THAT(expand({"ls", "{#}"}, {"a"}), ElementsAre("ls", "7", "a"));
}

TEST(CommandTemplate, AWordWithPlaceholderIsThereOncePerItem) {
  EXPECT_THAT(expand({"x", "--in={}", "-o", "{#}"}, {"a", "b"}),
              ElementsAre("x", "--in=a", "--in=b", "-o", "7"));
}

TEST(CommandTemplate, KnowsAllPlaceholdersAndLeavesOtherBracesAlone) {
  EXPECT_THAT(
      expand({"{}|{.}|{/}|{/.}|{//}|{#}|{%}", "{x}", "{", "{1"}, {"/p/q.d/f.tar.gz"}),
      ElementsAre("/p/q.d/f.tar.gz|/p/q.d/f.tar|f.tar.gz|f.tar|/p/q.d|7|3", "{x}", "{", "{1"));
}

TEST(CommandTemplate, PartsAreThoseOfBasenameAndDirname) {
  EXPECT_EQ(part_of("a.d/b", Placeholder::item_without_extension), "a.d/b");
  EXPECT_EQ(part_of("d/.profile", Placeholder::item_without_extension), "d/.profile");
  EXPECT_EQ(part_of("a/b/", Placeholder::name), "b");
  EXPECT_EQ(part_of("a/b//", Placeholder::folder), "a");
  EXPECT_EQ(part_of("a", Placeholder::folder), ".");
  EXPECT_EQ(part_of("/a", Placeholder::folder), "/");
  EXPECT_EQ(part_of("/", Placeholder::name), "/");
  EXPECT_EQ(part_of("/", Placeholder::folder), "/");
  EXPECT_EQ(part_of("", Placeholder::name), "");
  EXPECT_EQ(part_of("", Placeholder::folder), ".");
}

TEST(CommandTemplate, AProgramWithPlaceholderIsNotFixed) {
  EXPECT_TRUE(CommandTemplate::parse(Words{"echo"}, Reader::program)->fixed_program());
  EXPECT_FALSE(CommandTemplate::parse(Words{"./{}"}, Reader::program)->fixed_program());
  EXPECT_TRUE(CommandTemplate::parse(Words{"{}"}, Reader::shell)->fixed_program());
  EXPECT_FALSE(CommandTemplate::parse(Words{}, Reader::program));
}

TEST(CommandTemplate, AShellGetsItemsAsParameters) {
  EXPECT_THAT(expand({"wc {} | sort"}, {"a", "b"}, Reader::shell),
              ElementsAre("/bin/sh", "-c", "wc \"${1}\" \"${2}\" | sort", "sh", "a", "b"));
  EXPECT_THAT(expand({"echo", "\"<{}>\" '<{/}>' \\\"{}"}, {"d/$(x)"}, Reader::shell),
              ElementsAre("/bin/sh", "-c", R"(echo "<${1}>" '<'"${2}"'>' \""${3}")", "sh", "d/$(x)",
                          "$(x)", "d/$(x)"));
  EXPECT_THAT(expand({"echo"}, {"a"}, Reader::shell),
              ElementsAre("/bin/sh", "-c", "echo \"${1}\"", "sh", "a"));
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
  EXPECT_EQ(shell_quote("a\nb\t'\\\x01"), R"($'a\nb\t\'\\\001')");
  EXPECT_EQ(shell_quote(Words{"a", "b c"}), "a 'b c'");
}

}  // namespace
}  // namespace artel::command
