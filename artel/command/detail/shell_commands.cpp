// The grammar of commands, as far as it tells which word is what.
#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "artel/command/detail/shell_place.hpp"
#include "artel/command/detail/shell_scanner.hpp"

namespace artel::command::detail {
namespace {

// Those behind which a command may follow.
constexpr std::array<std::string_view, 14> kReserved{"if", "then", "else",  "elif",  "fi",
                                                     "do", "done", "while", "until", "!",
                                                     "{",  "}",    "time",  "coproc"};

// Length of the variable's name that `text` begins with.
std::size_t name_length(std::string_view text) {
  if (text.empty() || !is_letter(text.front())) return 0;
  const auto end =
      std::ranges::find_if_not(text, [](char c) { return is_letter(c) || is_digit(c); });
  return static_cast<std::size_t>(end - text.begin());
}

// x=…, x+=…, x[1]=…
bool is_assignment(std::string_view text) {
  const auto name = name_length(text);
  if (name == 0) return false;
  text.remove_prefix(name);
  if (text.starts_with('[')) text.remove_prefix(std::min(text.find(']') + 1, text.size()));
  if (text.starts_with('+')) text.remove_prefix(1);
  return text.starts_with('=');
}

// x[…, without its end.
bool is_subscript(std::string_view text) {
  const auto name = name_length(text);
  return name > 0 && text.substr(name).starts_with('[') && text.find(']') == std::string_view::npos;
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

void ShellScanner::commands(bool in_parentheses) {
  const std::size_t opened = at_;
  if (++depth_ > kDepthMax) return refuse(opened, "too much is nested");
  for (Frame frame; !refusal_;) {
    const int c = look();
    if (c == kEnd) {
      if (in_parentheses) return refuse(opened, "this ( is not closed");
      if (!pending_.empty()) return refuse(opened, "a here-document is not there");
      break;
    }
    if (c == ' ' || c == '\t') {
      ++at_;
    } else if (c == '\\' && look(1) == '\n') {
      at_ += 2;
    } else if (c == '\n') {
      newline(frame);
    } else if (c == '#') {
      comment();
    } else if (c == '(') {
      open(frame);
    } else if (c == ')') {
      if (closes(frame, in_parentheses)) break;
    } else if (c == ';' || c == '&' || c == '|') {
      separator(frame);
    } else if (c == '<' || c == '>') {
      redirection(frame);
    } else {
      after_word(frame, word());
    }
  }
  --depth_;
}

void ShellScanner::newline(Frame& frame) {
  ++at_;
  here_documents();
  const bool stays = frame.in_test || frame.expect == Expect::case_in ||
                     frame.expect == Expect::case_pattern || frame.expect == Expect::case_subject;
  if (!stays) frame.expect = Expect::command;
}

// ")": whether it ends these commands.
bool ShellScanner::closes(Frame& frame, bool in_parentheses) {
  const std::size_t here = at_++;
  if (frame.in_test) {
    if (frame.test_parentheses-- == 0) refuse(here, "this ) closes nothing");
    return false;
  }
  if (frame.expect == Expect::case_pattern) {
    frame.expect = Expect::command;
    return false;
  }
  if (!in_parentheses) refuse(here, "this ) closes nothing");
  if (frame.cases > 0) refuse(here, "a case ends before its esac");
  if (!pending_.empty()) refuse(here, "a here-document begins behind the ) that ends its command");
  return true;
}

void ShellScanner::open(Frame& frame) {
  const std::size_t opened = at_++;
  if (frame.in_test) {
    ++frame.test_parentheses;
  } else if (frame.expect != Expect::case_pattern) {
    frame.expect = Expect::command;
    if (look() != '(') return commands(true);
    if (dialect_ == ShellDialect::sh) {
      return refuse(opened, "some shells calculate in ((…)): write ( (, or --shell=bash");
    }
    ++at_;
    arithmetic(opened);
  }
}

void ShellScanner::separator(Frame& frame) {
  const std::size_t here = at_++;
  const char c = text_[here];
  if (frame.in_test) {
    if (c == ';') refuse(here, "a [[ is not closed");
    return;
  }
  if (frame.expect == Expect::case_pattern) {
    if (c != '|') refuse(here, "the pattern of a case is not closed");
    return;
  }
  if (c == '&' && look() == '>') return;  // &> or >: a redirection comes
  frame.expect = Expect::command;
  if (c == ';' && (look() == ';' || (look() == '&' && frame.cases > 0))) {
    if (frame.cases == 0) return refuse(here, "this ;; is in no case");
    ++at_;
    if (text_[at_ - 1] == ';' && look() == '&') ++at_;
    frame.expect = Expect::case_pattern;
  }
}

void ShellScanner::redirection(Frame& frame) {
  if (look(1) == '(') return after_word(frame, word());
  if (frame.in_test) {
    ++at_;
    return;
  }
  const char c = text_[at_++];
  if (c == '<' && look() == '<' && look(1) != '<') {
    ++at_;
    return delimiter(frame);
  }
  if (c == '<' && look() == '<') ++at_;  // <<<
  if (look() == '<' || look() == '>' || look() == '&' || look() == '|') ++at_;
  frame.target = true;
}

// ---- words --------------------------------------------------------------------------------------

// `element`: of an array.
ShellScanner::Word ShellScanner::word(bool element) {
  Word word{.at = at_, .first_place = places_.size(), .plain = {}};
  while (!refusal_ && word_part(word, element)) {
  }
  word.assignment = is_assignment(word.plain);
  return word;
}

// False: the word ends here.
bool ShellScanner::word_part(Word& word, bool element) {
  const std::size_t here = at_;
  switch (look()) {
    case kEnd:
    case ' ':
    case '\t':
    case '\n':
    case ';':
    case '&':
    case '|':
    case ')':
      return false;
    case '(':
      if (!word.is_plain || !is_assignment(word.plain) || !word.plain.ends_with('=')) return false;
      ++at_;
      array();
      break;
    case '<':
    case '>':
      if (look(1) != '(') return false;
      at_ += 2;
      commands(true);
      break;
    case kPlaceMark:
      if (word.is_plain && (is_subscript(word.plain) || (element && word.plain.starts_with('[')))) {
        refuse(at_, "the shell may calculate in […]: put the word in quotes");
        return false;
      }
      place(Spelling::quoted);
      places_.back().one_word = is_assignment(word.plain);
      ++at_;
      break;
    case '\'':
      ++at_;
      single_quotes(here);
      break;
    case '"':
      ++at_;
      double_quotes(here);
      break;
    case '\\':
      escaped(Around::words);
      break;
    default:
      if (expansion(Around::words)) break;
      if (word.is_plain) word.plain += text_[at_];
      ++at_;
      return true;
  }
  word.is_plain = false;
  return true;
}

// The words of x=(…).
void ShellScanner::array() {
  const std::size_t opened = at_;
  while (!refusal_) {
    const int c = look();
    if (c == ' ' || c == '\t' || c == '\n') {
      ++at_;
    } else if (c == '#') {
      comment();
    } else if (c == ')') {
      ++at_;
      return;
    } else {
      const std::size_t begin = at_;
      static_cast<void>(word(true));
      if (look() == kEnd) return refuse(opened, "the ( of this array is not closed");
      if (at_ == begin) return refuse(at_, "an array has words alone");  // ; & | ( < >
    }
  }
}

void ShellScanner::after_word(Frame& frame, const Word& word) {
  if (frame.target) {
    frame.target = false;
    one_word(word.first_place);
    return;
  }
  if ((look() == '<' || look() == '>') && word.is_plain && is_number(word.plain)) return;  // 2>
  if (frame.in_test) return test_word(frame, word);
  switch (frame.expect) {
    case Expect::command:
      if (word.is_plain && reserved(frame, word)) return;
      [[fallthrough]];
    case Expect::prefix:
      frame.expect = Expect::prefix;
      if (!word.assignment) command_word(frame, word);
      return;
    case Expect::argument:
      return argument(frame, word);
    default:
      return after_part_of_loop_or_case(frame, word);
  }
}

void ShellScanner::after_part_of_loop_or_case(Frame& frame, const Word& word) {
  const bool plain = word.is_plain;
  switch (frame.expect) {
    case Expect::case_subject:
      one_word(word.first_place);
      frame.expect = Expect::case_in;
      return;
    case Expect::case_in:
      if (!plain || word.plain != "in") return refuse(word.at, "'in' is missing behind case");
      ++frame.cases;
      frame.expect = Expect::case_pattern;
      return;
    case Expect::case_pattern:
      if (plain && word.plain == "esac") {
        --frame.cases;
        frame.expect = Expect::command;
      }
      return;
    case Expect::loop_name:
      frame.expect = Expect::loop_in;
      return;
    case Expect::loop_in:
      frame.expect = plain && word.plain == "do" ? Expect::command : Expect::argument;
      frame.watch = {};
      return;
    default:  // function_name
      frame.expect = Expect::command;
  }
}

bool ShellScanner::reserved(Frame& frame, const Word& word) {
  if (word.plain == "case") {
    frame.expect = Expect::case_subject;
  } else if (word.plain == "esac") {
    if (frame.cases-- == 0) refuse(word.at, "this esac ends no case");
    frame.expect = Expect::command;
  } else if (word.plain == "for" || word.plain == "select") {
    frame.expect = Expect::loop_name;
  } else if (word.plain == "function") {
    frame.expect = Expect::function_name;
  } else if (word.plain == "[[") {
    frame.in_test = true;
    frame.test_parentheses = 0;
    frame.number_next = false;
    frame.operand_places = places_.size();
  } else {
    return is_one_of(kReserved, word.plain);
  }
  return true;
}

}  // namespace artel::command::detail
