#include "artel/command/detail/simple_script.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

#include "artel/command/detail/is_plain_character.hpp"

namespace artel::command::detail {
namespace {

template <std::size_t n>
bool is_among(const std::array<std::string_view, n>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

// Wherever they stand, something may be read as code that was a text before: by another shell, on
// another host, later, by arithmetic, or with other parameters.
constexpr std::array<std::string_view, 38> kReadCode{
    "eval",           "trap",     "alias", "sh",      "dash",   "ash",
    "bash",           "rbash",    "ksh",   "ksh93",   "mksh",   "zsh",
    "fish",           "csh",      "tcsh",  "busybox", "su",     "runuser",
    "flock",          "script",   "ssh",   "rsh",     "at",     "batch",
    "watch",          "parallel", "tmux",  "screen",  "[[",     "SHELL",
    "BASH",           "BASH_ENV", "ENV",   "PS4",     "source", "shift",
    "PROMPT_COMMAND", "function"};
// Those that take arguments for names of variables, numbers to calculate or commands of the shell,
// and the words of the grammar that do not begin a simple command.
constexpr std::array<std::string_view, 27> kEvaluate{
    "let",     "declare", "typeset", "local",    "readonly",  "export",  "read",
    "unset",   "mapfile", "getopts", "complete", "readarray", "compgen", "compopt",
    "builtin", "command", "bind",    "enable",   "wait",      "for",     "select",
    "case",    "coproc",  ".",       "set",      "printf -v", "env -S"};
// Behind them a command begins; those with a dash are of time.
constexpr std::array<std::string_view, 16> kReserved{"-p",    "--", "if",   "then", "else", "elif",
                                                     "fi",    "do", "done", "esac", "time", "while",
                                                     "until", "!",  "{",    "}"};

bool is_of_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Length of the expansion of a parameter that `text` begins with, as $1 and ${#@; 0: it has none.
std::size_t parameter_length(std::string_view text) {
  if (!text.starts_with('$')) return 0;
  if (text.starts_with("$#")) return 2;
  std::size_t at = 1;
  if (text.substr(at).starts_with('{')) ++at;
  if (at == 2 && (text.substr(at).starts_with('#') || text.substr(at).starts_with('!'))) ++at;
  const bool parameter =
      at < text.size() && std::string_view("0123456789@*").find(text[at]) != std::string_view::npos;
  return parameter ? at + 1 : 0;
}

// x=…, x+=…, x[1]=…
bool is_assignment(std::string_view word) {
  const auto* const name = std::ranges::find_if_not(word, is_of_name);
  const auto rest = word.substr(static_cast<std::size_t>(name - word.begin()));
  return rest.size() < word.size() && (rest.starts_with('=') || rest.starts_with("+=") ||
                                       (rest.starts_with('[') && rest.find(']') < rest.find('=')));
}

class ScriptReader {
 public:
  explicit ScriptReader(std::string_view text) : text_(text) {}

  tl::expected<SimpleScript, ScriptRefusal> read() {
    while (!refusal_ && at_ < text_.size()) part();
    if (!refusal_ && !script_.words.empty()) look_for_code();
    if (refusal_) return tl::unexpected(*std::move(refusal_));
    return std::move(script_);
  }

 private:
  static constexpr int kDepthMax = 100;

  /// Of a word, without what its expansions give.
  struct Word {
    std::size_t begin = 0;
    std::string text;
    bool literal = true;  // no quotes, no expansions
    bool plain = true;    // neither patterns nor such, either
    bool marked = false;
  };

  [[nodiscard]] char look(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\n';
  }
  [[nodiscard]] bool comes(std::string_view expected) const {
    return text_.substr(at_).starts_with(expected);
  }
  void refuse(std::size_t at, std::string why) {
    if (!refusal_) refusal_ = {.at = at, .why = std::move(why)};
    at_ = text_.size();
  }

  void part() {
    switch (const char c = look()) {
      case ' ':
      case '\t':
        ++at_;
        break;
      case '#':
        return comment();
      case '(':
        if (comes("((")) return refuse(at_, "the shell calculates in ((…))");
        if (!expects_command_ || !stands_apart()) {
          return refuse(at_, "a function or an array is in the script");
        }
        ++at_;
        break;
      case '&':
        if (look(1) == '>') {  // for bash a redirection, for sh two commands
          name_.clear();
          ++at_;
          break;
        }
        [[fallthrough]];
      case '\n':
      case ';':
      case '|':
      case ')':
        ++at_;
        expects_command_ = true;
        break;
      case '<':
      case '>':
        if (look(1) == '(') return after_word(word());
        if (c == '<' && look(1) == '<') return refuse(at_, "a here-document is in the script");
        while (std::string_view("<>&|").find(look()) != std::string_view::npos) ++at_;
        expects_target_ = true;
        break;
      default:
        if (comes("\\\n")) {
          at_ += 2;
        } else {
          after_word(word());
        }
    }
  }

  [[nodiscard]] bool stands_apart() const {
    return at_ == 0 || std::string_view(" \t\n;&|(").find(text_[at_ - 1]) != std::string_view::npos;
  }

  // Nobody reads what stands there.
  void comment() {
    for (; at_ < text_.size() && look() != '\n'; ++at_) {
      if (look() == kPlaceMark) script_.words.push_back({at_, at_ + 1, true});
    }
  }

  // Nothing of what is skipped may be marked.
  void skip_to(std::size_t end, std::string_view what) {
    const auto mark = text_.find(kPlaceMark, at_);
    if (mark < end) return refuse(mark, fmt::format("it stands in {}", what));
    at_ = end;
  }

  void quotes() {
    const auto end = text_.find('\'', at_ + 1);
    if (end == std::string_view::npos) return refuse(at_, "this ' is not closed");
    skip_to(end + 1, "quotes");
  }

  void double_quotes() {
    const std::size_t opened = at_++;
    while (at_ < text_.size() && look() != '"') inner(true);
    if (!refusal_ && at_ == text_.size()) refuse(opened, "this \" is not closed");
    ++at_;
  }

  void back_quotes() {
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != '`') end += text_[end] == '\\' ? 2 : 1;
    if (end >= text_.size()) return refuse(at_, "this ` is not closed");
    if (mentions_parameters(text_.substr(at_, end - at_))) script_.has_parameters = true;
    skip_to(end + 1, "`…`");
  }

  // One step within quotes, $(…) or ${…}.
  void inner(bool quoted) {
    const char c = look();
    if (c == kPlaceMark) return refuse(at_, "it stands in quotes or an expansion");
    if (c == '\\') {
      skip_to(std::min(at_ + 2, text_.size()), "quotes");
    } else if (c == '$') {
      dollar(quoted);
    } else if (c == '`') {
      back_quotes();
    } else if (c == '\'' && !quoted) {
      quotes();
    } else if (c == '"' && !quoted) {
      double_quotes();
    } else {
      ++at_;
    }
  }

  void dollar(bool quoted) {
    if (const auto length = parameter_length(text_.substr(at_)); length > 0) {
      script_.has_parameters = true;
      if (look(1) != '{') {
        at_ += length;
        return;
      }
    }
    if (!quoted && (look(1) == '\'' || look(1) == '[')) {
      return refuse(at_, fmt::format("shells read ${} in different ways", look(1)));
    }
    if (look(1) == '(' || look(1) == '{') return expansion(quoted);
    ++at_;
  }

  // $(…), ${…} and <(…), up to the end of it.
  void expansion(bool quoted) {
    const std::size_t opened = at_;
    const bool braces = look(1) == '{';
    if (++depth_ > kDepthMax) return refuse(opened, "too much is nested");
    at_ += braces && look(2) == '#' ? 3 : 2;
    for (int open = 1; open > 0 && !refusal_;) {
      if (at_ >= text_.size()) return refuse(opened, "this expansion is not closed");
      const char c = look();
      if (braces && quoted && (c == '\'' || c == '"')) {
        refuse(at_, "shells read quotes in \"${…}\" in different ways");
      } else if (!braces && (comes("<<") || comes("case ") || (c == '#' && begins_word()))) {
        refuse(at_, "a here-document, a case or a comment is in $(…)");
      } else if (c == (braces ? '}' : ')')) {
        --open;
        ++at_;
      } else if (c == '(' && !braces) {
        ++open;
        ++at_;
      } else {
        inner(braces && quoted);
      }
    }
    --depth_;
  }

  [[nodiscard]] bool begins_word() const {
    return !is_of_name(text_[at_ - 1]) && text_[at_ - 1] != '$';
  }

  Word word() {
    Word word{.begin = at_, .text = {}};
    while (at_ < text_.size()) {
      const char c = look();
      if ((c == '<' || c == '>') && look(1) == '(' && at_ == word.begin) {
        word.literal = false;
        expansion(false);
      } else if (std::string_view(" \t\n;&|()<>").find(c) != std::string_view::npos) {
        break;
      } else if (comes("\\\n")) {
        at_ += 2;
      } else if (c == kPlaceMark) {
        word.marked = true;
        ++at_;
      } else if (std::string_view("'\"\\`$").find(c) != std::string_view::npos) {
        word.literal = false;
        inner(false);
      } else {
        word.plain = word.plain && is_plain_character(c);
        word.text += c;
        ++at_;
      }
    }
    return word;
  }

  void after_word(const Word& word) {
    if (refusal_) return;
    if (word.marked && !(word.plain && word.literal)) {
      return refuse(word.begin, "its word has quotes, expansions or patterns, too");
    }
    if (std::exchange(expects_target_, false)) {
      if (word.marked) add(word, true);
      return;
    }
    const bool is_file = word.text.find_first_not_of("0123456789") == std::string::npos &&
                         word.literal && !word.marked && (look() == '<' || look() == '>');
    if (is_file) return;  // 2>
    if (expects_command_) return first_word(word);
    argument(word);
    last_ = word;
  }

  void first_word(const Word& word) {
    if (word.marked) return refuse(word.begin, "it would be a command or an assignment");
    if (is_assignment(word.text) || (word.literal && is_among(kReserved, word.text))) return;
    expects_command_ = false;
    const bool known = word.literal && (word.plain || word.text == "[");
    name_ = known ? word.text.substr(word.text.rfind('/') + 1) : "";
    last_ = word;
    first_argument_ = true;
  }

  void argument(const Word& word) {
    const bool first = std::exchange(first_argument_, false);
    const bool tests = name_ == "test" || name_ == "[";
    if (name_ == "set" && !word.text.starts_with('+') &&
        (!word.text.starts_with('-') || word.text == "--" || word.text == "-") &&
        !last_.text.ends_with('o')) {
      sets_parameters_ = true;
    }
    if (first && name_ == "printf" && word.text.starts_with("-v")) name_ = "printf -v";
    if (name_ == "env" && (word.text.starts_with("-S") || word.text.starts_with("--s"))) {
      name_ = "env -S";
    }
    if (!word.marked) return;
    if (name_.empty()) return refuse(word.begin, "the command's name is not a plain word");
    if (is_among(kEvaluate, name_)) {
      return refuse(word.begin, fmt::format("'{}' may evaluate it", name_));
    }
    // test -v evaluates the subscript of a variable.
    const bool behind_name = last_.text == "-v" || last_.text == "-R" || last_.marked;
    if ((tests && behind_name) || (name_ == "printf" && first)) {
      return refuse(word.begin, fmt::format("'{}' may take it for an option", name_));
    }
    add(word, tests);
  }

  void add(const Word& word, bool one_word) {
    script_.words.push_back({.begin = word.begin, .end = at_, .one_word = one_word});
  }

  // In the whole of a script with marks.
  void look_for_code() {
    const auto first = script_.words.front().begin;
    if (script_.has_parameters || sets_parameters_) {
      return refuse(first, "the script has parameters, too");
    }
    std::string name;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= text_.size() && !refusal_; ++i) {
      const char c = i < text_.size() ? text_[i] : ' ';
      if (std::string_view("'\"\\").find(c) != std::string_view::npos) continue;
      if (is_of_name(c) || c == '.' || c == '-' || c == '[') {
        if (name.empty()) begin = i;
        name += c;
        continue;
      }
      if (is_among(kReadCode, name)) refuse(begin, fmt::format("'{}' may read it as code", name));
      name.clear();
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool expects_command_ = true;
  bool expects_target_ = false;
  std::string name_;  // of the command; empty: it is not known
  Word last_;         // before the next argument
  bool first_argument_ = true;
  bool sets_parameters_ = false;
  SimpleScript script_;
  std::optional<ScriptRefusal> refusal_;
};

}  // namespace

tl::expected<SimpleScript, ScriptRefusal> read_script(std::string_view script) {
  return ScriptReader(script).read();
}

bool mentions_parameters(std::string_view script) {
  for (auto at = script.find('$'); at != std::string_view::npos; at = script.find('$', at + 1)) {
    if (parameter_length(script.substr(at)) > 0) return true;
  }
  return false;
}

std::string place_of(std::string_view text, std::size_t at) {
  const auto before = text.substr(0, at);
  const auto line = std::ranges::count(before, '\n') + 1;
  const auto column = at - (before.rfind('\n') + 1) + 1;  // npos + 1 is 0
  return line == 1 ? fmt::format("column {}", column)
                   : fmt::format("line {}, column {}", line, column);
}

}  // namespace artel::command::detail
