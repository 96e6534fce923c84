// Arguments that the command reads once more: as code, as numbers, as the names of variables.
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "artel/command/detail/script_finder.hpp"
#include "artel/command/detail/shell_scanner.hpp"

namespace artel::command::detail {
namespace {

constexpr std::array<std::string_view, 3> kPrefixCommands{"command", "builtin", "exec"};
constexpr std::array<std::string_view, 9> kTakeNames{
    "read", "unset", "declare", "typeset", "local", "readonly", "export", "mapfile", "readarray"};
constexpr std::array<std::string_view, 6> kComparisons{"-eq", "-ne", "-lt", "-le", "-gt", "-ge"};

}  // namespace

void ShellScanner::only_numbers(std::size_t first_place) {
  for (auto i = first_place; i < places_.size(); ++i) places_[i].number = true;
}

void ShellScanner::one_word(std::size_t first_place) {
  for (auto i = first_place; i < places_.size(); ++i) places_[i].one_word = true;
}

// [[ a -eq b ]] calculates.
void ShellScanner::test_word(Frame& frame, const Word& word) {
  if (word.is_plain && word.plain == "]]") {
    if (frame.test_parentheses != 0) refuse(word.at, "a ( in [[ ]] is not closed");
    frame.in_test = false;
    frame.expect = Expect::argument;
    frame.watch = {};
    return;
  }
  if (word.is_plain && is_one_of(kComparisons, word.plain)) {
    only_numbers(frame.operand_places);
    frame.number_next = true;
    return;
  }
  if (frame.watch.last == "-v" && has_place(word)) refuse(word.at, "-v takes it for a variable");
  if (frame.number_next) only_numbers(word.first_place);
  frame.number_next = false;
  frame.operand_places = word.first_place;
  frame.watch.last = word.is_plain ? word.plain : "";
}

void ShellScanner::command_word(Frame& frame, const Word& word) {
  if (word.is_plain && is_one_of(kPrefixCommands, word.plain)) return;
  frame.expect = Expect::argument;
  frame.watch = {.name = word.is_plain ? word.plain : "", .last = {}};
  shell_argument(frame.watch, word);
}

void ShellScanner::argument(Frame& frame, const Word& word) {
  Watch& watch = frame.watch;
  shell_argument(watch, word);
  const bool declares = is_one_of(kTakeNames, watch.name);
  if (word.is_plain && declares && word.plain.starts_with('-') &&
      word.plain.find('i') != std::string::npos) {
    watch.integer = true;
  }
  if (has_place(word)) {
    if (watch.name == "eval" || watch.name == "trap") {
      return refuse(word.at, watch.name +
                                 " reads it as code: write v={} before, and \"$v\" in single "
                                 "quotes");
    }
    const bool takes_name =
        (watch.name == "test" || watch.name == "[" || watch.name == "printf") && watch.last == "-v";
    if (takes_name || (declares && !word.assignment)) {
      return refuse(word.at, watch.name + " takes it for a variable, and may calculate in its […]");
    }
    if (watch.name == "let" || watch.integer) only_numbers(word.first_place);
  }
  watch.last = word.is_plain ? word.plain : "";
}

// sh -c SCRIPT
void ShellScanner::shell_argument(Watch& watch, const Word& word) {
  std::optional<std::string_view> known;
  if (word.is_plain && !has_place(word)) known = text_.substr(word.at, at_ - word.at);
  if (watch.script.take(known) && has_place(word)) {
    refuse(word.at, "that shell reads it as code: write sh -c '… \"$1\" …' sh {}");
  }
}

}  // namespace artel::command::detail
