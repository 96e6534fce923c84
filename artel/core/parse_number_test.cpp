#include "artel/core/parse_number.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace artel {
namespace {

TEST(ParseNumber, IsTheWholeText) {
  EXPECT_EQ(parse_number<double>("-0.5e1"), -5.0);
  EXPECT_EQ(parse_number<std::int64_t>("-12"), -12);
  for (const char* text : {"", " 1", "1 ", "1s", "one", "+1"})
    EXPECT_EQ(parse_number<double>(text), std::nullopt) << text;
  EXPECT_EQ(parse_number<std::uint8_t>("256"), std::nullopt);
  EXPECT_EQ(parse_number<double>("1e400"), std::nullopt);
}

TEST(ParseNumber, TakesWhatTheTextBeginsWith) {
  std::string_view text = "1.5 GiB";
  EXPECT_EQ(take_number<double>(text), 1.5);
  EXPECT_EQ(text, " GiB");
  EXPECT_EQ(take_number<double>(text), std::nullopt);
  EXPECT_EQ(text, " GiB");
}

}  // namespace
}  // namespace artel
