#include "artel/command/command_template.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

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
  EXPECT_TRUE(CommandTemplate::parse(Words{"p {}"}, Reader::shell)->fixed_program());
  EXPECT_FALSE(CommandTemplate::parse(Words{}, Reader::program));
}

TEST(CommandTemplate, AShellGetsItemsAsParameters) {
  EXPECT_THAT(expand({"wc {} | sort"}, {"a", "b"}, Reader::shell),
              ElementsAre("/bin/sh", "-c", "wc \"$1\" \"$2\" | sort", "sh", "a", "b"));
  EXPECT_THAT(
      expand({"cp {} out-{#}/{/.}.x; p {}"}, {"d/$(x).c"}, Reader::shell),
      ElementsAre("/bin/sh", "-c", "cp \"$1\" \"$2\"; p \"$1\"", "sh", "d/$(x).c", "out-7/$(x).x"));
  EXPECT_THAT(expand({"echo"}, {"a"}, Reader::shell),
              ElementsAre("/bin/sh", "-c", "echo \"$1\"", "sh", "a"));
  EXPECT_EQ(expand({"p"}, Words(10, "a"), Reader::shell)[2],
            R"(p "$1" "$2" "$3" "$4" "$5" "$6" "$7" "$8" "$9" "${10}")");
}

TEST(CommandTemplate, ATargetOfARedirectionStaysOneWord) {
  EXPECT_THAT(expand({"p {} > {}"}, {"a", "b"}, Reader::shell),
              ElementsAre("/bin/sh", "-c", "p \"$1\" \"$2\" > \"$3\"", "sh", "a", "b", "a b"));
}

TEST(CommandTemplate, AScriptWithParametersGetsTheItemsAsThose) {
  EXPECT_THAT(
      expand({"n=$(wc -l < \"$1\"); echo \"$1: $n {#}\""}, {"a", "b"}, Reader::shell),
      ElementsAre("/bin/sh", "-c", "n=$(wc -l < \"$1\"); echo \"$1: $n 7\"", "sh", "a", "b"));
  EXPECT_THAT(expand({"cat <<E\nit's $1\nE"}, {"a", "b"}, Reader::shell),
              ElementsAre("/bin/sh", "-c", "cat <<E\nit's $1\nE", "sh", "a", "b"));
  EXPECT_THAT(expand({"sh", "-c", "p {} x", "me", "z{}"}, {"a"}),
              ElementsAre("sh", "-c", "p \"$1\" x", "sh", "a", "me", "za"));
}

TEST(CommandTemplate, ARefusedPlaceSaysWhatToWrite) {
  const auto refusal = [](const Words& words, Reader reader) {
    const auto command = CommandTemplate::parse(words, reader);
    return command ? "" : to_string(command.error());
  };
  EXPECT_EQ(refusal({"p", "'{}'"}, Reader::shell),
            "column 4 of the script: it stands in quotes; write \"$1\"");
  EXPECT_THAT(refusal({"p '{/.}'"}, Reader::shell),
              HasSubstr("without --shell, write sh -c '… \"$1\" …' sh {/.}"));
  EXPECT_THAT(refusal({"bash", "-c", "x\neval {}"}, Reader::program),
              HasSubstr("line 2, column 1 of the script: 'eval' may read it as code; write bash -c "
                        "'… \"$1\" …' sh {}"));
  EXPECT_THAT(refusal({"if x; then y; fi"}, Reader::shell), HasSubstr("; write \"$1\""));
  for (const char* const other : {"fish", "zsh", "/bin/ksh"}) {
    EXPECT_THAT(refusal({other, "-c", "echo {}"}, Reader::program),
                HasSubstr("would read the item as code"));
  }
  EXPECT_THAT(refusal({"su", "root", "-c", "echo {}"}, Reader::program),
              HasSubstr("su would read the item as code"));
  EXPECT_EQ(refusal({"fish", "-c", "echo $argv", "{}"}, Reader::program), "");
}

TEST(CommandTemplate, OtherShellsHaveTheItemAsAParameterAlone) {
  const auto parse = [](const char* shell, const char* script) {
    return CommandTemplate::parse(Words{script}, {.reader = Reader::shell, .shell = shell});
  };
  EXPECT_THAT(to_string(parse("/usr/bin/fish", "p").error()),
              HasSubstr("'/usr/bin/fish' is no shell whose syntax is known"));
  EXPECT_THAT(to_string(parse("/bin/zsh", "p {}").error()),
              HasSubstr("in a script for zsh, write \"$1\""));
  EXPECT_FALSE(parse("/bin/zsh", "exit")) << "nor is it appended";
  EXPECT_THAT(parse("/bin/zsh", "p $1")->expand({.items = Words{"a"}}),
              ElementsAre("/bin/zsh", "-c", "p $1", "zsh", "a"));
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
  const auto reading = expand({"a $@"}, items, Reader::shell);
  RC_ASSERT(std::equal(items.begin(), items.end(), reading.begin() + 4, reading.end()));
}

}  // namespace
}  // namespace artel::command
