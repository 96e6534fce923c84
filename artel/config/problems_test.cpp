#include "artel/config/problems.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "artel/core/error.hpp"

namespace artel::config {
namespace {

std::vector<std::string> whats(const Errors& errors) {
  std::vector<std::string> texts;
  for (const auto& error : errors) texts.push_back(error.what);
  return texts;
}

TEST(Problems, ComeInOrderOfPlaceThenOfDiscovery) {
  Problems problems("f");
  problems.add({ErrorCode::invalid, "without a place", "elsewhere"});
  problems.add({7, 1, {}}, "line 7");
  problems.add({2, 9, {}}, "line 2, column 9");
  problems.add({2, 3, {}}, "line 2, column 3");
  problems.add({2, 3, {}}, "and the second there");
  EXPECT_EQ(whats(problems.take()),
            (std::vector<std::string>{"line 2, column 3", "and the second there",
                                      "line 2, column 9", "line 7", "without a place"}));
  EXPECT_TRUE(problems.empty());
}

TEST(Problems, AreCountedBeyondThoseShown) {
  Problems problems("f");
  for (std::uint32_t line = 1; line <= Problems::kShownMax + 2; ++line) {
    problems.add({line, 1, {}}, "wrong");
  }
  const auto errors = problems.take();
  ASSERT_EQ(errors.size(), Problems::kShownMax + 1);
  EXPECT_EQ(errors.back().what, "and 2 more");
}

}  // namespace
}  // namespace artel::config
