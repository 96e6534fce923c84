#include "artel/scenario/expression.hpp"

#include <fmt/core.h>
#include <muParser.h>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/require.hpp"

namespace artel::scenario {
namespace {

struct Unit {
  const char* name;
  double (*seconds)(double);
};
constexpr Unit kUnits[] = {
    {"ns", [](double number) { return number * 1e-9; }},
    {"us", [](double number) { return number * 1e-6; }},
    {"ms", [](double number) { return number * 1e-3; }},
    {"s", [](double number) { return number; }},
};

// muParser would take these as assignment and text.
Result<bool> check_characters(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') return fail(ErrorCode::parse, "a formula has no text in quotes");
    if (text[i] != '=') continue;
    const bool doubled = i + 1 < text.size() && text[i + 1] == '=';
    const bool comparison =
        i > 0 && (text[i - 1] == '<' || text[i - 1] == '>' || text[i - 1] == '!');
    if (!doubled && !comparison) {
      return fail(ErrorCode::parse, "'=' assigns nothing here; to compare, write '=='");
    }
    if (doubled) ++i;
  }
  return true;
}

std::string identifier(std::size_t quoted_index) { return fmt::format("quoted{}_", quoted_index); }

struct Unquoted {
  std::string text;                 // with identifiers instead of `names`
  std::vector<std::string> quoted;  // the names, by index
};

Result<Unquoted> replace_quoted_names(std::string_view text) {
  Unquoted result;
  while (true) {
    const auto open = text.find('`');
    result.text += text.substr(0, open);
    if (open == std::string_view::npos) return result;
    const auto close = text.find('`', open + 1);
    if (close == std::string_view::npos)
      return fail(ErrorCode::parse, "a backtick is never closed");
    const auto name = std::string(text.substr(open + 1, close - open - 1));
    auto known = std::find(result.quoted.begin(), result.quoted.end(), name);
    if (known == result.quoted.end()) known = result.quoted.insert(known, name);
    result.text += identifier(static_cast<std::size_t>(known - result.quoted.begin()));
    text.remove_prefix(close + 1);
  }
}

}  // namespace

struct Expression::Compiled {
  std::string text;
  std::vector<std::string> quoted;
  std::vector<std::string> variables;
  std::deque<double> values;  // the parser keeps their addresses
  mu::Parser parser;

  // Called by muParser for every name that it does not know.
  static double* add_variable(const char* name, void* self) {
    auto& compiled = *static_cast<Compiled*>(self);
    std::string variable = name;
    for (std::size_t i = 0; i < compiled.quoted.size(); ++i) {
      if (identifier(i) == variable) variable = compiled.quoted[i];
    }
    const auto known = std::find(compiled.variables.begin(), compiled.variables.end(), variable);
    if (known != compiled.variables.end()) {  // once as it is, once in backticks
      return &compiled.values[static_cast<std::size_t>(known - compiled.variables.begin())];
    }
    compiled.variables.push_back(variable);
    return &compiled.values.emplace_back(1.0);
  }
};

Expression::Expression(std::unique_ptr<Compiled> compiled) : compiled_(std::move(compiled)) {}
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;
Expression::~Expression() = default;

Result<Expression> Expression::compile(std::string_view text) {
  if (text.size() > kBytesMax) {
    return fail(ErrorCode::too_large,
                fmt::format("the formula is longer than {} characters", kBytesMax));
  }
  if (const auto plain = check_characters(text); !plain) return fail(plain);
  auto unquoted = replace_quoted_names(text);
  if (!unquoted) return fail(unquoted);

  auto compiled = std::make_unique<Compiled>();
  compiled->text = text;
  compiled->quoted = std::move(unquoted->quoted);
  try {
    auto& parser = compiled->parser;
    for (const auto& unit : kUnits) parser.DefinePostfixOprt(unit.name, unit.seconds);
    parser.SetVarFactory(&Compiled::add_variable, compiled.get());
    parser.SetExpr(unquoted->text);
    parser.Eval();
    if (parser.GetNumResults() != 1) {
      return fail(ErrorCode::parse,
                  "a formula has one result; a comma outside of a function gives two");
    }
  } catch (const mu::Parser::exception_type& error) {
    std::string what = error.GetMsg();
    if (what.ends_with('.')) what.pop_back();
    return fail(ErrorCode::parse, std::move(what));
  }
  return Expression(std::move(compiled));
}

const std::string& Expression::text() const { return compiled_->text; }

const std::vector<std::string>& Expression::variables() const { return compiled_->variables; }

double Expression::evaluate(std::span<const double> values) {
  auto& slots = compiled_->values;
  ARTEL_REQUIRE(values.size() == slots.size(), "one value per variable", values.size(),
                slots.size());
  std::copy(values.begin(), values.end(), slots.begin());
  return compiled_->parser.Eval();
}

}  // namespace artel::scenario
