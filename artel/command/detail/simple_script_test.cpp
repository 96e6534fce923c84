#include "artel/command/detail/simple_script.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "artel/command/detail/script_finder.hpp"

namespace artel::command::detail {
namespace {

using testing::HasSubstr;

// The words with marks, with brackets around those that stay one word; a "why, at N" if the script
// is refused. "@" is a mark.
std::string places(std::string_view script) {
  std::string marked(script);
  std::ranges::replace(marked, '@', kPlaceMark);
  const auto found = read_script(marked);
  if (!found) return found.error().why + ", at " + std::to_string(found.error().at);
  std::string words = found->has_parameters ? "$" : "";
  for (const auto& word : found->words) {
    const auto text = script.substr(word.begin, word.end - word.begin);
    words += (words.empty() ? "" : " ") +
             (word.one_word ? '[' + std::string(text) + ']' : std::string(text));
  }
  return words;
}

TEST(SimpleScript, AMarkStandsInAnArgumentOrATargetOfASimpleCommand) {
  EXPECT_EQ(places("wc @ | sort -u @ > out/@.txt; x=1 gzip -c @&& ! p @"), "@ @ [out/@.txt] @ @");
  EXPECT_EQ(places("if [ @ = x ] || test -e @; then p @; fi"), "[@] [@] @");
  EXPECT_EQ(places("while read x; do p @; done < @"), "@ [@]");
  EXPECT_EQ(places("(cd d && p @) 2>&1 & { p @; } 2>/dev/null"), "@ @");
  EXPECT_EQ(places("case x in a | b) p @;; esac"), "@");
  EXPECT_EQ(places("p \\\n @ # it's a@b\np @"), "@ [@] @");
}

TEST(SimpleScript, SkipsQuotesAndExpansions) {
  EXPECT_EQ(places(R"sh(p 'a"' "b'\"" \' "$(p "it's )" ')')" ${x:-"}"} `p "` @)sh"), "@");
  EXPECT_EQ(places("p $((1 + (2))) ${#x} $$ $! @"), "@");
}

TEST(SimpleScript, FindsParametersOutsideOfSingleQuotes) {
  EXPECT_EQ(places("awk '{print $1}'"), "");
  EXPECT_EQ(places("p \\$1 \"\\$1\" ${x} $x ${#x}"), "");
  for (const char* const reads : {"p $1", "p \"${2}\"", "p $(p \"$*\")", "p ${#*}", "p `p $*`",
                                  "$#", "p \"${1##*/}\"", "p <(p $3)"}) {
    EXPECT_EQ(places(reads), "$") << reads;
  }
  EXPECT_TRUE(mentions_parameters("cat <<E\nit's $1\nE"));
  EXPECT_FALSE(mentions_parameters("cat <<E\n$x $$ ${y}\nE"));
}

TEST(SimpleScript, RefusesOtherPlaces) {
  EXPECT_THAT(places("p '@'"), HasSubstr("it stands in quotes, at 3"));
  EXPECT_THAT(places("p \"a @\""), HasSubstr("quotes or an expansion, at 5"));
  EXPECT_THAT(places("p $(p @)"), HasSubstr("quotes or an expansion, at 6"));
  EXPECT_THAT(places("p `p @`"), HasSubstr("it stands in `…`, at 5"));
  EXPECT_THAT(places("p \\@"), HasSubstr("in quotes, at 3"));
  EXPECT_THAT(places("p $x@"), HasSubstr("its word has quotes, expansions"));
  EXPECT_THAT(places("p *@"), HasSubstr("patterns"));
  EXPECT_THAT(places("x=@"), HasSubstr("a command or an assignment, at 0"));
  EXPECT_THAT(places("p | @"), HasSubstr("a command or an assignment"));
  EXPECT_THAT(places("$x @"), HasSubstr("the command's name is not a plain word"));
  EXPECT_THAT(places("let @"), HasSubstr("'let' may evaluate it"));
  EXPECT_THAT(places("for i in @; do p; done"), HasSubstr("'for' may evaluate it"));
  EXPECT_THAT(places("[ @ @ ]"), HasSubstr("may take it for an option"));
  EXPECT_THAT(places("p @; p 'x' | s'h'"), HasSubstr("'sh' may read it as code, at 13"));
  EXPECT_THAT(places("p @; \\eval x"), HasSubstr("'eval' may read it as code"));
  EXPECT_THAT(places("p @ $1"), HasSubstr("the script has parameters, too, at 2"));
  EXPECT_THAT(places("set -e; set a; p @"), HasSubstr("the script has parameters, too"));
  EXPECT_EQ(places("set -eu; set -o pipefail; set +e; p @"), "@");
  EXPECT_THAT(places("f() { p @; }"), HasSubstr("a function or an array is in the script"));
  EXPECT_THAT(places("a=(@)"), HasSubstr("a function or an array is in the script"));
  EXPECT_THAT(places("((@))"), HasSubstr("the shell calculates in ((…))"));
  EXPECT_THAT(places("cat <<E\n@\nE"), HasSubstr("a here-document is in the script"));
}

TEST(SimpleScript, RefusesWhatDoesNotEnd) {
  for (const char* const script : {"p '", "p \"", "p `", "p $(", "p ${x", "p $((1"}) {
    EXPECT_THAT(places(script), HasSubstr("is not closed")) << script;
  }
  std::string deep;
  for (int i = 0; i < 1000; ++i) deep += "$(";
  EXPECT_THAT(places(deep), HasSubstr("too much is nested"));
}

// The word that is a script; "": none is.
std::string script_of(std::initializer_list<std::string_view> words) {
  ScriptFinder finder;
  for (const auto word : words) {
    const auto mark = word.find('@');
    if (finder.take(word.substr(0, mark), mark == std::string_view::npos)) return std::string(word);
  }
  return {};
}

TEST(ScriptFinder, FindsWhatAShellOrARunnerOfShellsReads) {
  EXPECT_EQ(script_of({"env", "-i", "bash", "-euo", "pipefail", "-c", "p @"}), "p @");
  EXPECT_EQ(script_of({"su", "root", "-c", "@"}), "@");
  EXPECT_EQ(script_of({"su", "root", "-c@"}), "-c@");
  EXPECT_EQ(script_of({"su", "--command", "p @"}), "p @");
  EXPECT_EQ(script_of({"flock", "-w", "5", "L", "-c", "@"}), "@");
  EXPECT_EQ(script_of({"script", "-qc", "@"}), "@");
  EXPECT_EQ(script_of({"flock", "L", "wc", "-c", "@"}), "");
  EXPECT_EQ(script_of({"bash", "run.sh", "-c", "@"}), "");
  EXPECT_EQ(script_of({"wc", "-c", "@"}), "");
}

}  // namespace
}  // namespace artel::command::detail
