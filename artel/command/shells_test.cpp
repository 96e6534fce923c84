// What shells make of quoted words, and of scripts with items: no item is ever code.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "artel/command/child.hpp"
#include "artel/command/command_template.hpp"
#include "artel/command/shell_quote.hpp"

namespace artel::command {
namespace {

using Words = std::vector<std::string>;

// An empty folder, which goes with its files.
class Folder {
 public:
  Folder() {
    std::string name = std::filesystem::path(testing::TempDir()) / "artel_shells_XXXXXX";
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    path_ = name;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// Its stdout; it runs in the folder; stdin and stderr are /dev/null.
std::string output_of(const Words& words, const std::filesystem::path& folder) {
  std::array<int, 2> ends{};
  EXPECT_EQ(::pipe(ends.data()), 0);
  posix_spawn_file_actions_t files{};
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", 0, 0);
  posix_spawn_file_actions_adddup2(&files, ends[1], 1);
  posix_spawn_file_actions_addopen(&files, 2, "/dev/null", 1, 0);
  posix_spawn_file_actions_addclose(&files, ends[0]);
  posix_spawn_file_actions_addclose(&files, ends[1]);
  posix_spawn_file_actions_addchdir_np(&files, folder.c_str());
  std::vector<char*> arguments;
  for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));  // NOLINT
  arguments.push_back(nullptr);
  pid_t pid = 0;
  const int failed = ::posix_spawnp(&pid, arguments[0], &files, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  ::close(ends[1]);
  std::string out;
  std::array<char, 4096> piece{};
  for (ssize_t count = 0; (count = ::read(ends[0], piece.data(), piece.size())) > 0;) {
    out.append(piece.data(), static_cast<std::size_t>(count));
  }
  ::close(ends[0]);
  if (failed == 0) ::waitpid(pid, nullptr, 0);
  return out;
}

std::vector<Words> those_here(std::vector<Words> shells) {
  std::erase_if(shells, [](const Words& shell) { return !find_program(shell.front()); });
  return shells;
}

// ---- Quoted words.

RC_GTEST_PROP(ShellQuote, EveryShellReadsTheSameBytes, ()) {
  static const auto shells =
      those_here({{"dash"}, {"bash"}, {"busybox", "sh"}, {"zsh", "-f"}, {"fish", "-N"}});
  static const std::string odd =
      "'\\\"$`!\n\t\x01\x1b\x7f\x81\x88\xc2\x9b\xef\x98\x81 -=%~{}*#&|;()<>";
  const auto byte = rc::gen::weightedOneOf<char>(
      {{3, rc::gen::elementOf(odd)},
       {1, rc::gen::elementOf(std::string("abc"))},
       {1, rc::gen::map(rc::gen::arbitrary<char>(), [](char c) { return c == 0 ? 'x' : c; })}});
  const auto words =
      *rc::gen::nonEmpty(rc::gen::container<Words>(rc::gen::container<std::string>(byte)));
  static const Folder folder;
  std::string expected;
  std::string shown = "printf '<%s>'";
  std::string literal = shown;
  for (const auto& word : words) {
    expected += '<' + word + '>';
    shown += ' ' + shell_quote(word);
    literal += ' ' + literal_quote(word);
  }
  for (const auto& shell : shells) {
    auto command = shell;
    command.insert(command.end(), {"-c", shown + "; " + literal});
    RC_LOG() << shell.front() << ": " << command.back() << "\n";
    RC_ASSERT(output_of(command, folder.path()) == expected + expected);
  }
}

// ---- Scripts. Whatever the shell makes of the items, no file PWNED may appear.

const std::vector<std::string>& hostile_items() {
  static const std::vector<std::string> items{
      "touch PWNED",           "$(touch PWNED)",       "`touch PWNED`",
      "; touch PWNED;",        "a[$(touch PWNED)0]",   "1+a[$(touch PWNED)0]",
      "'; touch PWNED; '",     "\"; touch PWNED; \"",  "\ntouch PWNED\n",
      "\nE\ntouch PWNED\nE\n", "& touch PWNED &",      "| touch PWNED",
      ") touch PWNED (",       "} ; touch PWNED; {",   "x=$(touch PWNED)",
      "a[$(touch PWNED)0]=1",  "${x:-$(touch PWNED)}", "-v",
      "-ctouch PWNED",         "\\$(touch PWNED)",     "]]; touch PWNED; [[ x",
  };
  return items;
}

// Whether the script is refused; if it is not, all the items are tried.
bool is_refused(const std::string& shell, const std::string& script, const Words& items) {
  const auto command =
      CommandTemplate::parse(Words{script}, {.reader = Reader::shell, .shell = "/bin/" + shell});
  if (!command) return true;
  for (const auto& item : items) {
    const Folder folder;
    auto words = command->expand({.items = Words{item, "a[$(touch PWNED)0]"}});
    words[2].insert(0, "p() { :; }; f() { :; }; ");
    static_cast<void>(output_of(words, folder.path()));
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "PWNED"))
        << shell << ": " << script << "\nwith " << item;
  }
  return false;
}

// What was read as code once.
const Words were_code{"echo $((${x:-{}}))",
                      "echo $(( $(echo {}) ))",
                      "for i in {}; do echo $((i)); done",
                      "declare -i x; x={}",
                      "x={}; [[ $x -eq 1 ]]",
                      "x={}; echo ${x@P}",
                      "x={}; echo ${!x}",
                      "\\sh -c 'echo {}'",
                      "\"sh\" -c 'echo {}'",
                      "$SHELL -c 'echo {}'",
                      "$SHELL -c {}",
                      "env $SHELL -c {}",
                      "$0 -c {}",
                      "env $0 -c {}",
                      "\\eval {}",
                      "\"eval\" {}",
                      "ev''al {}",
                      "eval echo {}",
                      "command eval {}",
                      "builtin eval {}",
                      "sh <<E\necho {}\nE",
                      "sh -s <<E\n{}\nE",
                      "bash <<< \"echo {}\"",
                      "bash <<< {}",
                      "echo \"echo {}\" | sh",
                      "echo {} | sh",
                      "printf %s {} | /bin/sh -s",
                      "cat <<E | sh\n{}\nE",
                      "su root -c {}",
                      "su root -c 'echo {}'",
                      "runuser -c {}",
                      "flock L -c {}",
                      "script -qc {}",
                      "PS4='{}'; set -x; :",
                      "PS4={}; set -x; :",
                      "set -x; PS4={} :",
                      "BASH_ENV={} sh -c :",
                      "env ENV={} sh -i -c :",
                      "let {}",
                      "let x={}",
                      "declare -i x={}",
                      "export {}",
                      "readonly {}",
                      "typeset -i x={}",
                      "unset {}",
                      "read {}",
                      "printf -v {} x",
                      "printf {} {}",
                      "printf -v x {}; echo $((x))",
                      "test -v {}",
                      "[ -v {} ]",
                      "[ {} {} ]",
                      "[ {} ]",
                      "[ ! {} ]",
                      "[[ {} -eq 1 ]]",
                      "[[ a && b -eq {} ]]",
                      "((x = {}))",
                      "for ((i = {}; i < 1; i++)); do :; done",
                      "echo $[{}]",
                      "a[{}]=1",
                      "a=([{}]=1)",
                      "declare -i a; a=({})",
                      "x={} y",
                      "trap {} EXIT",
                      "trap 'echo {}' EXIT",
                      "alias x={}\nx",
                      "compgen -W {}",
                      "complete -C {} x",
                      "mapfile -C {} -c 1 x < f",
                      "wait -n -p {}",
                      "f() { eval \"$1\"; }; f {}",
                      "set -- {}; eval \"$1\"",
                      ". {}",
                      "source {}",
                      "x=eval; $x {}",
                      "echo ${x:={}}",
                      "echo ${x/{}/y}",
                      "echo `{}`",
                      "echo \"`echo {}`\"",
                      "echo $(echo {})",
                      "echo $'{}'",
                      "coproc {}",
                      "{}",
                      "{} {}",
                      "exec {}",
                      "watch -n 1 {}",
                      "ssh host {}",
                      "cat << E\n$({})\nE",
                      "case {} in *) ;; esac",
                      "case x in {}) ;; esac",
                      "2>/dev/null let {}",
                      "{fd}>/dev/null let {}",
                      "let a &> f x {}",
                      "x=(a {}); echo $((x))",
                      "function f { eval $1; }; f {}",
                      "time let {}",
                      "! let {}",
                      "if let {}; then :; fi",
                      "sort > {}",
                      "echo {} > {}",
                      "cat < {} >> {}",
                      "a=1 let {}",
                      "a[0]=1 let {}",
                      "\\\nlet {}",
                      "l\\\net {}",
                      "time -p let {}",
                      "env -S {}",
                      "env -i -S{}",
                      "[ {} -eq 1 ]",
                      "$empty let {}",
                      "printf %d {}",
                      "exit {}",
                      "return {}",
                      "echo {} | while read x; do echo \"$x\"; done"};

TEST(Script, WhereAnItemWouldBeCodeItIsRefused) {
  for (const auto& script : were_code) {
    for (const char* const shell : {"dash", "bash"}) {
      if (!find_program("/bin/" + std::string(shell))) continue;
      static_cast<void>(is_refused(shell, script, hostile_items()));
    }
  }
}

// A script in pieces by chance.
RC_GTEST_PROP(Script, WhateverTheScriptIsNoItemIsCode, ()) {
  static const Words pieces{
      "{}",        "{}",    " {} ",     "p {}",   "p ",      "echo {}",     " ",        "\n",
      "; ",        "# ",    "\"",       "'",      "`",       "\\",          "$(",       ")",
      "case x ",   " in ",  "x) ",      ";; ",    "esac",    "<<E\n",       "\nE\n",    "${u:-",
      "${x=",      "}",     "$((",      "))",     "1",       "x=",          "$x",       "(",
      "if ",       "then ", "; fi; ",   "\"{}\"", "$'",      "$",           "| ",       "&& ",
      "for i in ", "; do ", "; done; ", "{ ",     "; }",     "<<< ",        "|& ",      ";& ",
      "x=(",       "((",    "$[",       "[[ ",    " ]]",     " -eq ",       "[ ",       " ]",
      "-v ",       "eval ", "\\eval ",  "sh -c ", "let ",    "declare -i ", "test ",    "a[",
      "]=",        "| sh",  "f() { ",   "f ",     "set -- ", "\\\n",        "time ",    "! ",
      "<(p ",      "&> f ", "2> f ",    "> ",     "< ",      "{a}> f ",     "e'v'al ",  "local ",
      "printf ",   "read ", "export ",  "x+=",    "coproc ", "$0 -c ",      "command ", "env "};
  const auto shell = *rc::gen::elementOf(Words{"dash", "bash"});
  const auto items = *rc::gen::container<Words>(2, rc::gen::elementOf(hostile_items()));
  for (int i = 0; i < 10; ++i) {
    std::string script;
    for (const auto piece : *rc::gen::container<std::vector<std::size_t>>(
             *rc::gen::inRange<std::size_t>(1, 9),
             rc::gen::inRange<std::size_t>(0, pieces.size()))) {
      script += pieces[piece];
    }
    RC_LOG() << script << "\n";
    static_cast<void>(is_refused(shell, script, items));
    RC_ASSERT(!testing::Test::HasFailure());
  }
}

TEST(Script, EachItemIsOneArgument) {
  static const auto shells = those_here({{"dash"}, {"bash"}, {"busybox", "sh"}});
  const Words items{"a b", "*", "it's", "-n", "a\nb", "\\", "$x", "\xff", ""};
  const std::string show = "p() { for a do printf '<%s>' \"$a\"; done; }; ";
  for (const auto& shell : shells) {
    for (const auto& item : items) {
      const Folder folder;
      const auto gives = [&](const std::string& script) {
        const auto command = CommandTemplate::parse(Words{script}, Reader::shell);
        EXPECT_TRUE(command) << script;
        auto words = command->expand({.items = Words{item}});
        words[2].insert(0, show);
        words.erase(words.begin());
        words.insert(words.begin(), shell.begin(), shell.end());
        return output_of(words, folder.path());
      };
      const auto whole = '<' + item + '>';
      EXPECT_EQ(gives("p {} {}"), whole + whole);
      EXPECT_EQ(gives("p a-{}.b | cat; (p {}) && { p {}; }"), "<a-" + item + ".b>" + whole + whole);
      EXPECT_EQ(gives("if [ {} = x ]; then p; else p {}; fi"), whole);
      EXPECT_EQ(gives("for i in 1 2; do p {} \"$i\"; done"), whole + "<1>" + whole + "<2>");
      EXPECT_EQ(gives("case a in b) p;; a) p {};; esac"), whole);
      EXPECT_EQ(gives("p \"$(echo 'x)')\" {}"), "<x)>" + whole);
      EXPECT_EQ(gives("p"), whole) << "appended";
      EXPECT_EQ(gives("x=$1; p \"$x\" \"$#\""), whole + "<1>");
      EXPECT_EQ(gives("p x > out-{}; cat out-*"), item.find('/') == 0 ? "" : "<x>");
    }
  }
}

}  // namespace
}  // namespace artel::command
