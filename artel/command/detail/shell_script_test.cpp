// What shells make of the scripts: each item comes out as one word, with its bytes.
#include "artel/command/detail/shell_script.hpp"  // IWYU pragma: keep

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/command/child.hpp"
#include "artel/command/command_template.hpp"

namespace artel::command {
namespace {

using Words = std::vector<std::string>;

struct Outcome {
  int status = 0;
  std::string out;
  bool operator==(const Outcome&) const = default;
};

// Its stdout; stdin and stderr are /dev/null.
Outcome run(const Words& words) {
  std::array<int, 2> ends{};
  EXPECT_EQ(::pipe(ends.data()), 0);
  posix_spawn_file_actions_t files{};
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", 0, 0);
  posix_spawn_file_actions_adddup2(&files, ends[1], 1);
  posix_spawn_file_actions_addopen(&files, 2, "/dev/null", 1, 0);
  posix_spawn_file_actions_addclose(&files, ends[0]);
  posix_spawn_file_actions_addclose(&files, ends[1]);
  std::vector<char*> arguments;
  for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));  // NOLINT
  arguments.push_back(nullptr);
  pid_t pid = 0;
  const int failed = ::posix_spawnp(&pid, arguments[0], &files, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  ::close(ends[1]);
  Outcome outcome{.status = failed, .out = {}};
  std::array<char, 4096> piece{};
  for (ssize_t count = 0; (count = ::read(ends[0], piece.data(), piece.size())) > 0;) {
    outcome.out.append(piece.data(), static_cast<std::size_t>(count));
  }
  ::close(ends[0]);
  if (failed == 0) ::waitpid(pid, &outcome.status, 0);
  return outcome;
}

// The shells that are here and have all that a dialect has.
std::vector<Words> shells(bool bash) {
  const std::vector<Words> all =
      bash ? std::vector<Words>{{"bash"}, {"zsh"}}
           : std::vector<Words>{{"sh"}, {"dash"}, {"bash"}, {"busybox", "sh"}, {"mksh"}, {"zsh"}};
  std::vector<Words> found;
  for (const auto& shell : all) {
    if (find_program(shell.front())) found.push_back(shell);
  }
  return found;
}

// p shows its arguments.
constexpr std::string_view kShow = "p() { for a do printf '<%s>' \"$a\"; done; }; ";

Words expand(const Words& shell, const std::string& script, const Words& items) {
  Words words = shell;
  words.emplace_back("-c");
  words.push_back(std::string(kShow) + script);
  const auto command = CommandTemplate::parse(words, Reader::program);
  return command ? command->expand({.items = items}) : Words{};
}

const Words hostile_items{
    "a b",  "*",  "$(p pwned)", "`p pwned`", "'",      "\"",  "\\",   "it's",       "-n",
    "a\nb", "E1", "; p pwned;", "$x",        "}",      "{}",  "\\\\", "a\\",        "\ttab\t",
    "~",    "#x", "\xff\xfe",   "${IFS}",    "&& p x", "x\n", ")",    "a[$(p x)]",  "!",
    "]]",   "%s", "\n\nE2\n",   "[a-z]*",    "$'x'",   "=",   "a=b",  "\"; p x; \""};

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// A script and what it prints if every {} is one word with the bytes of the item.
struct Sample {
  std::string script;
  std::string out;
};

class Generator {
 public:
  Generator(std::vector<std::uint8_t> choices, std::string item)
      : choices_(std::move(choices)), item_(std::move(item)) {}

  Sample next() {
    Sample sample = leaf();
    for (int depth = choose(5); depth > 0; --depth) sample = wrapped(sample);
    return sample;
  }

 private:
  int choose(int count) {
    if (choices_.empty()) return 0;
    const int choice = choices_.back() % count;
    choices_.pop_back();
    return choice;
  }

  std::string delimiter() { return "E" + std::to_string(++documents_); }

  Sample leaf() {
    const std::string whole = "<" + item_ + ">";
    switch (choose(20)) {
      case 0:
        return {"p \"{}\"", whole};
      case 1:
        return {"p '{}'", whole};
      case 2:
        return {"p a{}'b'", "<a" + item_ + "b>"};
      case 3:
        return {"v={}; p \"$v\"", whole};
      case 4:
        return {"p ${u:-{}}", item_.empty() ? "" : whole};
      case 5:
        return {"p \"${u:-{}}\"", whole};
      case 6: {
        const auto end = delimiter();
        return {"cat <<" + end + "\n{} \"{}\"\n" + end + "\nprintf .",
                item_ + " \"" + item_ + "\"\n."};
      }
      case 7:
        return {"case {} in x) p no;; {}) p {};; esac", whole};
      case 8:
        return {"p \"$(printf '%s.' {})\"", "<" + item_ + ".>"};
      case 9:
        return {"for i in {}; do p \"$i\"; done", whole};
      case 10:
        return {"v=x; v=$v{}; p \"${v%{}}\" \"${v#x}\" ${v%\"{}\"}", "<x>" + whole + "<x>"};
      case 11:
        return {"f() { p {}; }; f z", whole};
      case 12:
        return {"set -- q; p {}", whole};
      case 13:
        return {"p {} # it's {} \"\n", whole};
      case 14: {
        const auto end = delimiter();
        return {"cat <<-'" + end + "' >/dev/null\n it's \"`\n\t" + end + "\np {}", whole};
      }
      case 15:
        return {"p \"a\\\\{}\" \\\\{}", "<a\\" + item_ + "><\\" + item_ + ">"};
      case 16:
        return {"p \"`printf '%s.' {}`\"", "<" + item_ + ".>"};
      case 17:
        return {"p $((1 + 2)) \"it's $((2 * (3)))\" {}", "<3><it's 6>" + whole};
      case 18:
        return {"if [ {} = {} ]; then p {}; fi", whole};
      default:
        return {"p {} {}", whole + whole};
    }
  }

  // Backslashes as `…` takes them away.
  std::string in_back_quotes(std::string_view script, bool quoted) {
    std::string text;
    const bool quotes = choose(2) == 0;
    for (const char c : script) {
      if (c == '\\' || c == '`' || (c == '"' && quoted && quotes)) text += '\\';
      text += c;
    }
    return text;
  }

  Sample wrapped(const Sample& in) {
    const std::string shown = "<" + in.out + ">";
    const std::string& s = in.script;
    switch (choose(16)) {
      case 0:
        return {"p \"$( " + s + "\n)\"", shown};
      case 1:
        return {"p \"`" + in_back_quotes(s, true) + "\n`\"", shown};
      case 2:
        return {"x=`" + in_back_quotes(s, false) + "\n`; printf %s \"$x\"", in.out};
      case 3:
        return {"{ " + s + "\n}", in.out};
      case 4:
        return {"( " + s + "\n)", in.out};
      case 5:
        return {"case k in k) " + s + "\n;; esac", in.out};
      case 6:
        return {"p \"$(case k in (k) " + s + "\n;; j | l) echo ')';; esac)\"", shown};
      case 7:
        return {"if :; then " + s + "\nfi", in.out};
      case 8: {
        const auto end = delimiter();
        return {"cat <<" + end + "\nit's $( " + s + "\n)\n" + end + "\nprintf .",
                "it's " + in.out + "\n."};
      }
      case 9:
        return {": \"it's\" 'a\"b' \\\" \\' `: \\`: \"a b\" \\``; " + s, in.out};
      case 10:
        return {"# don't \" `\n" + s, in.out};
      case 11:
        return {"p ${u:-\"$( " + s + "\n)\"}", shown};
      case 12:
        return {"p \"${u:-$( " + s + "\n)}\"", shown};
      case 13:
        return {": $((1 + (2))) $# ${#x} case esac in; " + s, in.out};
      case 14:
        return {"for i in case; do " + s + "\ndone", in.out};
      default:
        return {"x=$( " + s + "\n) && p \"$x\"", shown};
    }
  }

  std::vector<std::uint8_t> choices_;
  std::string item_;
  int documents_ = 0;
};

// bash 5.2 does not find the end of "`…`" behind \"it's\" in $(…) if there is a ${…}.
TEST(ShellScript, AnItemMayStandBehindAnApostropheInBackQuotes) {
  const Words scripts{
      R"sh(p "`p \"$( p \"it's\" {} )\"`")sh",
      R"sh(p "`p "$( p "it's" {} )"`")sh",
      R"sh(p "`p \"\`p \\\"it's\\\" {}\`\"`")sh",
  };
  for (const auto& shell : shells(false)) {
    for (const std::string& script : scripts) {
      EXPECT_EQ(run(expand(shell, script, {"a  b"})).out, "<<<it's><a  b>>>")
          << shell.back() << ": " << script;
    }
  }
}

RC_GTEST_PROP(ShellScript, EachItemIsOneWordWithItsBytes, ()) {
  const auto item = hostile_items[*rc::gen::inRange<std::size_t>(0, hostile_items.size())];
  const auto choices =
      *rc::gen::container<std::vector<std::uint8_t>>(24, rc::gen::arbitrary<std::uint8_t>());
  const auto sample = Generator(choices, item).next();
  const auto shell = *rc::gen::elementOf(shells(false));
  const auto words = expand(shell, sample.script, {item});
  RC_LOG() << sample.script << "\n--- " << shell.back() << "\n";
  RC_ASSERT(!words.empty());
  RC_ASSERT(run(words).out == sample.out);
}

// Any pieces of scripts: what is not refused does the same with a hostile item as with a harmless
// one.
RC_GTEST_PROP(ShellScript, WhatAnItemIsChangesNothing, ()) {
  static const Words pieces{"{}",     "{}",        "\"",      "\"",
                            "'",      "`",         "\\",      "$(",
                            ")",      "p ",        "p ",      " ",
                            "\n",     "; ",        "# ",      "case ",
                            " in ",   "a) ",       ";; ",     "esac",
                            "<<E\n",  "\nE\n",     "${u:-",   "${u%",
                            "${x=",   "}",         "$((",     "))",
                            "1",      "x=",        "$x",      "(",
                            "a",      "\\\"",      "\\`",     "\\\\",
                            "if ",    "then ",     "fi; ",    "p {}",
                            "\"{}\"", "$'",        "$",       "*",
                            "p \"$(", ")\" ",      "| ",      "&& ",
                            "'{}'",   "for i in ", "; do ",   "done; ",
                            "{ ",     "; }",       "<<'E'\n", "<<< ",
                            "|& ",    ";& ",       "x=(",     "((",
                            "=~ ",    "@(",        "$\"",     "\\\n",
                            "time ",  "! ",        "<(p ",    "&> /dev/null ",
                            "f() { ", "case ",     "[[ ",     " ]]",
                            " == "};
  const bool bash = *rc::gen::arbitrary<bool>();
  std::string script;
  for (const auto piece : *rc::gen::container<std::vector<std::size_t>>(
           *rc::gen::inRange<std::size_t>(1, 12),
           rc::gen::inRange<std::size_t>(0, pieces.size()))) {
    script += pieces[piece];
  }
  const std::string harmless = "@@@";
  const std::string hostile = "@ *\t$(p pwned)\n;p '\"`p pwned`\\ }) @";
  const auto shell = *rc::gen::elementOf(shells(bash));
  const auto words = expand(shell, script, {hostile});
  if (words.empty()) return;  // refused
  const auto got = run(words);
  const auto want = run(expand(shell, script, {harmless}));
  RC_LOG() << script << "\n--- " << shell.back() << "\n";
  RC_ASSERT(replaced(got.out, hostile, harmless) == want.out);
  RC_ASSERT(got.status == want.status);
}

TEST(ShellScript, WhereTheShellCalculatesOnlyNumbersGetThrough) {
  const std::string code = "a[$(p pwned >&2; printf 1)]";
  for (const auto& shell : shells(false)) {
    EXPECT_EQ(run(expand(shell, "p $(({} * 2))", {"21"})).out, "<42>") << shell.back();
    EXPECT_EQ(run(expand(shell, "p $((3 - {}))", {"-2"})).out, "<5>") << shell.back();
    const auto refused = run(expand(shell, "p $(({} * 2)); p x", {code}));
    EXPECT_EQ(refused.out, "") << shell.back();
    EXPECT_EQ(WEXITSTATUS(refused.status), 2) << shell.back();
  }
  for (const auto& shell : shells(true)) {
    EXPECT_EQ(run(expand(shell, "[[ {} -eq 1 ]] && p yes; ((x = {})); p $x", {"1"})).out,
              "<yes><1>");
    EXPECT_EQ(run(expand(shell, "[[ {} -eq 1 ]]; p x", {code})).out, "");
    EXPECT_EQ(run(expand(shell, "p $'a\\'{}b'", {"x y"})).out, "<a'x yb>");
  }
}

TEST(ShellScript, WhatFollowsTheScriptIsItsParameters) {
  EXPECT_EQ(run(expand({"sh"}, "p {} \"$0\"", {"a b"})).out, "<a b><sh>");
  const auto command =
      CommandTemplate::parse(Words{"env", "X=1", "sh", "-euc",
                                   std::string(kShow) + "p {} \"$0\" \"$@\"", "me", "x{}", "y"},
                             Reader::program);
  EXPECT_EQ(run(command->expand({.items = Words{"a b"}})).out, "<a b><me><xa b><y>");
}

}  // namespace
}  // namespace artel::command
