#include "artel/core/join.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace artel {
namespace {

TEST(Join, PutsTheSeparatorBetweenItemsAlone) {
  EXPECT_EQ(join(std::vector<std::string>{"a", "b", "c"}, ", "), "a, b, c");
  EXPECT_EQ(join(std::vector<std::string_view>{"a"}, ", "), "a");
  EXPECT_EQ(join(std::vector<std::string>{}, ", "), "");
}

TEST(Join, KeepsEmptyItems) { EXPECT_EQ(join(std::vector<std::string>{"", "", "c"}, ","), ",,c"); }

TEST(Join, WritesNumbersThatReadBackTheSame) {
  EXPECT_EQ(join(std::vector<double>{0.1, 1e300, 2}, " "), "0.1 1e+300 2");
  EXPECT_EQ(join(std::vector<int>{3, -4}, " "), "3 -4");
}

}  // namespace
}  // namespace artel
