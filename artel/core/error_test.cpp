#include "artel/core/error.hpp"

#include <gtest/gtest.h>
#include <string>

namespace artel {
namespace {

Result<int> half(int number) {
  if (number % 2 != 0) return fail(ErrorCode::invalid, "odd number", "input:3:1");
  return number / 2;
}

Result<std::string> half_as_text(int number) {
  const auto result = half(number);
  if (!result) return fail(result);
  return std::to_string(*result);
}

TEST(Error, ReadsAsPlaceThenMessage) {
  EXPECT_EQ(to_string(Error{ErrorCode::parse, "expected a number", "a.toml:2:7"}),
            "a.toml:2:7: expected a number");
}

TEST(Error, WithoutPlaceReadsAsMessage) {
  EXPECT_EQ(to_string(Error{ErrorCode::io, "disk full", ""}), "disk full");
}

TEST(Error, FailurePassesThroughAnotherResultType) {
  const auto result = half_as_text(7);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::invalid);
  EXPECT_EQ(result.error().where, "input:3:1");
  EXPECT_EQ(*half_as_text(8), "4");
}

TEST(Error, EveryCodeHasAName) {
  for (int code = 0; code <= static_cast<int>(ErrorCode::unsupported); ++code) {
    EXPECT_NE(name(static_cast<ErrorCode>(code)), "unknown");
  }
}

}  // namespace
}  // namespace artel
