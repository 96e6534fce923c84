#include "artel/command/detail/shell_scanner.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "artel/command/detail/shell_place.hpp"

namespace artel::command::detail {
namespace {

// Of ${x…}, those that all shells have; the longer ones first.
constexpr std::array<std::string_view, 12> kOperations{":-", ":=", ":?", ":+", "##", "%%",
                                                       "-",  "=",  "?",  "+",  "#",  "%"};

bool is_pattern(std::string_view operation) {
  return operation.starts_with('#') || operation.starts_with('%');
}

}  // namespace

tl::expected<std::vector<ShellPlace>, ShellRefusal> places_in_script(std::string_view script,
                                                                     ShellDialect dialect) {
  ShellScanner scanner(script, dialect);
  scanner.whole_script();
  if (const auto& refusal = scanner.refusal()) return tl::unexpected(*refusal);
  return std::move(scanner.places());
}

int ShellScanner::look(std::size_t ahead) const {
  return at_ + ahead < end_ ? static_cast<unsigned char>(text_[at_ + ahead]) : kEnd;
}

void ShellScanner::refuse(std::size_t at, std::string why) {
  if (!refusal_) {
    const std::size_t origin = origin_.empty() ? at : origin_[std::min(at, origin_.size() - 1)];
    refusal_ = ShellRefusal{origin, std::move(why)};
  }
  at_ = end_;
}

// ---- quotes -------------------------------------------------------------------------------------

void ShellScanner::single_quotes(std::size_t opened) {
  while (look() != '\'') {
    if (look() == kEnd) return refuse(opened, "this ' is not closed");
    if (look() == kPlaceMark) place(Spelling::in_single);
    ++at_;
  }
  ++at_;
}

// dash takes $'…' for a dollar sign and '…'; all agree on where it ends unless it has a \'.
void ShellScanner::dollar_single_quotes(std::size_t opened) {
  while (look() != '\'') {
    if (look() == kEnd) return refuse(opened, "this $' is not closed");
    if (look() == kPlaceMark) {
      if (dialect_ == ShellDialect::sh)
        return refuse(at_, "$'…' is not in every sh: write --shell=bash");
      place(Spelling::in_dollar_single);
    }
    if (look() == '\\') {
      if (look(1) == kPlaceMark) return refuse(at_, "a backslash stands before the placeholder");
      if (dialect_ == ShellDialect::sh && (look(1) == '\'' || look(1) == '\\'))
        return refuse(opened, "$'…' is not in every sh: write --shell=bash");
      if (look(1) != kEnd) ++at_;
    }
    ++at_;
  }
  ++at_;
}

void ShellScanner::double_quotes(std::size_t opened, bool may_have_places) {
  while (look() != '"') {
    switch (look()) {
      case kEnd:
        return refuse(opened, "this \" is not closed");
      case kPlaceMark:
        if (!may_have_places) {
          return refuse(at_,
                        "shells do not agree on quotes in \"${…}\": write v={} before, and $v");
        }
        place(Spelling::bare);
        ++at_;
        break;
      case '\\':
        escaped(Around::double_quotes);
        break;
      default:
        if (!expansion(Around::double_quotes)) ++at_;
    }
  }
  ++at_;
}

// A backslash and what it quotes.
void ShellScanner::escaped(Around around) {
  if (look(1) == kPlaceMark) {
    return refuse(at_, around == Around::words ? "a backslash stands before the placeholder"
                                               : "a backslash stands before the placeholder: "
                                                 "write \\\\ for one that is to stay");
  }
  at_ += look(1) == kEnd ? 1 : 2;
}

void ShellScanner::comment() {
  for (; look() != '\n' && look() != kEnd; ++at_) {
    if (look() == kPlaceMark) place(Spelling::nothing);
  }
}

// ---- expansions ---------------------------------------------------------------------------------

// $… or `…`; false: neither begins here.
bool ShellScanner::expansion(Around around) {
  if (look() == '$') {
    dollar(around);
  } else if (look() == '`') {
    back_quotes(around);
  } else {
    return false;
  }
  return true;
}

void ShellScanner::dollar(Around around) {
  const std::size_t opened = at_;
  const int next = look(1);
  if (next == kPlaceMark) return refuse(at_, "a $ stands before the placeholder: write \\$");
  if (next == '(' && look(2) == '(') {
    at_ += 3;
    return arithmetic(opened);
  }
  if (next == '(') {
    at_ += 2;
    return commands(true);
  }
  if (next == '{') {
    at_ += 2;
    return parameter(around);
  }
  if (next == '[') return refuse(at_, "some shells calculate in $[…]: write $((…)), or \\$[");
  if (next == '\'' && around == Around::words) {
    at_ += 2;
    return dollar_single_quotes(opened);
  }
  const bool special = is_digit(next) ||
                       (next != kEnd && std::string_view("$#?!*@-").find(static_cast<char>(next)) !=
                                            std::string_view::npos);
  at_ += special ? 2 : 1;
}

// The text between has one level of backslashes less.
void ShellScanner::back_quotes(Around around) {
  const std::size_t opened = at_++;
  std::string inner;
  std::vector<std::size_t> origin;
  for (; look() != '`'; ++at_) {
    if (look() == kEnd) return refuse(opened, "this ` is not closed");
    if (look() == '\\' && look(1) != kEnd) {
      const int next = look(1);
      if (next == '"' && around == Around::here_document) {
        return refuse(at_, "shells do not agree on \\\" here: write $(…) instead of `…`");
      }
      const bool unquoted =
          next == '$' || next == '`' || next == '\\' || (next == '"' && around != Around::words);
      if (!unquoted) {
        inner += '\\';
        origin.push_back(origin_.empty() ? at_ : origin_[at_]);
      }
      ++at_;
    }
    inner += text_[at_];
    origin.push_back(origin_.empty() ? at_ : origin_[at_]);
  }
  ++at_;
  if (depth_ >= kDepthMax) return refuse(opened, "too much is nested");
  ShellScanner nested(inner, dialect_);
  origin.push_back(origin_.empty() ? opened : origin_[opened]);  // of the end
  nested.origin_ = std::move(origin);
  nested.depth_ = depth_ + 1;
  nested.whole_script();
  if (nested.refusal_) {
    refusal_ = refusal_ ? refusal_ : nested.refusal_;
    at_ = end_;
    return;
  }
  places_.insert(places_.end(), nested.places_.begin(), nested.places_.end());
}

// Up to "))": an expression, in which an item is no text.
void ShellScanner::arithmetic(std::size_t opened) {
  for (int depth = 0; !refusal_;) {
    switch (look()) {
      case kEnd:
        return refuse(opened, "this (( is not closed");
      case '(':
        ++depth;
        ++at_;
        break;
      case ')':
        if (depth == 0 && look(1) != ')') {
          return refuse(opened, "this may be (( or ( (: write a space for the latter");
        }
        at_ += depth == 0 ? 2 : 1;
        if (depth-- == 0) return;
        break;
      case kPlaceMark:
        places_.push_back({.spelling = Spelling::bare, .number = true});
        ++at_;
        break;
      case '\\':
      case '\'':
        return refuse(at_, "quotes in $((…)) are not followed");
      default:
        if (!expansion(Around::double_quotes)) ++at_;
    }
  }
}

void ShellScanner::parameter(Around around) {
  const std::size_t opened = at_ - 2;
  parameter_name();
  if (look() == '}') {
    ++at_;
    return;
  }
  const auto rest = text_.substr(at_, end_ - at_);
  const auto* const operation =
      std::ranges::find_if(kOperations, [&](auto each) { return rest.starts_with(each); });
  if (operation == kOperations.end()) return parameter_word(around, {}, opened);
  at_ += operation->size();
  parameter_word(around, *operation, opened);
}

void ShellScanner::parameter_name() {
  // ${#x} and ${!x}; but ${#}, ${#-…}.
  if ((look() == '#' || look() == '!') && (is_letter(look(1)) || is_digit(look(1)))) ++at_;
  if (is_letter(look()) || is_digit(look())) {
    while (is_letter(look()) || is_digit(look())) ++at_;
  } else if (look() != kPlaceMark && look() != '}' && look() != kEnd) {
    ++at_;
  }
}

// `operation`: empty if it is not one that all shells have.
void ShellScanner::parameter_word(Around around, std::string_view operation, std::size_t opened) {
  const bool quoted = around != Around::words;
  const bool pattern = is_pattern(operation);
  while (look() != '}') {
    const std::size_t here = at_;
    switch (look()) {
      case kEnd:
        return refuse(opened, "this ${ is not closed");
      case kPlaceMark:
        parameter_place(around, operation);
        break;
      case '\\':
        escaped(around);
        break;
      case '\'':
        if (quoted && (!pattern || around == Around::here_document)) {
          return refuse(at_, "shells do not agree on ' here: set a variable before");
        }
        ++at_;
        single_quotes(here);
        break;
      case '"':
        if (around == Around::here_document) {
          return refuse(at_, "shells do not agree on \" here: set a variable before");
        }
        ++at_;
        double_quotes(here, !quoted || pattern);
        break;
      case '$':
        dollar(quoted && pattern ? Around::double_quotes : around);
        break;
      case '`':
        back_quotes(around);
        break;
      default:
        ++at_;
    }
  }
  ++at_;
}

void ShellScanner::parameter_place(Around around, std::string_view operation) {
  if (operation.empty()) {
    return refuse(at_, "the shell would evaluate it here: write v={} before, and use $v");
  }
  if (around == Around::here_document) {
    return refuse(at_, "shells do not agree on quotes here: write v={} before the document");
  }
  if (around == Around::words && operation.ends_with('=')) {
    return refuse(at_, "what is assigned here is split: write \"${…}\"");
  }
  const bool bare = around == Around::double_quotes && !is_pattern(operation);
  place(bare ? Spelling::bare : Spelling::quoted);
  ++at_;
}

}  // namespace artel::command::detail
