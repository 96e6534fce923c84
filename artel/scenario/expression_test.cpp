#include "artel/scenario/expression.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "artel/core/error.hpp"

namespace artel::scenario {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string formula_error(std::string_view text) {
  const auto compiled = Expression::compile(text);
  return compiled ? "no error" : to_string(compiled.error());
}

TEST(Expression, ComputesOverNamedNumbers) {
  auto service = Expression::compile("0.05 + 0.00012*ContextTokens + 0.012*GeneratedTokens");
  ASSERT_TRUE(service);
  EXPECT_THAT(service->variables(), ElementsAre("ContextTokens", "GeneratedTokens"));
  EXPECT_DOUBLE_EQ(service->evaluate(std::vector{4808.0, 10.0}), 0.05 + 0.57696 + 0.12);
  EXPECT_DOUBLE_EQ(service->evaluate(std::vector{0.0, 0.0}), 0.05);
}

TEST(Expression, UnitsTurnNumbersIntoSeconds) {
  auto sum = Expression::compile("50ms + 0.12ms * a + 3us + 2ns + 1s");
  ASSERT_TRUE(sum);
  EXPECT_DOUBLE_EQ(sum->evaluate(std::vector{10.0}), 0.05 + 0.0012 + 3e-6 + 2e-9 + 1);
}

TEST(Expression, NamesInBackticksMayHoldAnything) {
  auto sum = Expression::compile("`prompt tokens` + 2 * `size (kB)` + `prompt tokens` + a + `a`");
  ASSERT_TRUE(sum);
  EXPECT_THAT(sum->variables(), ElementsAre("prompt tokens", "size (kB)", "a"));
  EXPECT_EQ(sum->evaluate(std::vector{1.0, 10.0, 100.0}), 222);
}

TEST(Expression, ConditionsAndFunctionsWork) {
  auto cut = Expression::compile("a > 3 ? min(a, 5) : max(a, 1)");
  ASSERT_TRUE(cut);
  EXPECT_EQ(cut->evaluate(std::vector{9.0}), 5);
  EXPECT_EQ(cut->evaluate(std::vector{0.0}), 1);
}

TEST(Expression, ConstantsNeedNoNames) {
  auto constant = Expression::compile("2 * 3");
  ASSERT_TRUE(constant);
  EXPECT_THAT(constant->variables(), IsEmpty());
  EXPECT_EQ(constant->evaluate({}), 6);
}

TEST(Expression, ImpossibleArithmeticIsNotFinite) {
  EXPECT_TRUE(std::isinf(Expression::compile("1 / a")->evaluate(std::vector{0.0})));
  EXPECT_TRUE(std::isnan(Expression::compile("ln(a)")->evaluate(std::vector{-1.0})));
}

TEST(Expression, SurvivesBeingMoved) {
  auto first = Expression::compile("a + 1");
  Expression second = std::move(*first);
  EXPECT_EQ(second.evaluate(std::vector{41.0}), 42);
}

TEST(Expression, SaysWhatIsWrong) {
  EXPECT_EQ(formula_error(""), "Expression is empty");
  EXPECT_EQ(formula_error("1 +"), "Unexpected end of expression at position 4");
  EXPECT_EQ(formula_error("a b"), "Unexpected variable \"b\" found at position 2");
  EXPECT_EQ(formula_error("a = 3"), "'=' assigns nothing here; to compare, write '=='");
  EXPECT_EQ(formula_error("1, 2"),
            "a formula has one result; a comma outside of a function gives two");
  EXPECT_EQ(formula_error("`a + 1"), "a backtick is never closed");
  EXPECT_EQ(formula_error("\"a\""), "a formula has no text in quotes");
  EXPECT_EQ(formula_error(std::string(1001, '1')), "the formula is longer than 1000 characters");
}

}  // namespace
}  // namespace artel::scenario
