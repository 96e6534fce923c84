#include "artel/arena/parameter_range.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"

namespace artel::arena {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

ParameterRange range_of(const std::string& text) {
  auto range = parse_parameter_range(text);
  EXPECT_TRUE(range) << to_string(range.error());
  return *std::move(range);
}

std::vector<std::string> policies_of(const ParameterRange& range, std::size_t count) {
  std::vector<std::string> labels;
  for (const double value : spread(range, range.low, range.high, count))
    labels.push_back(policy_at(range, value)->label);
  return labels;
}

TEST(ParameterRange, WholeNumbersStayWhole) {
  const auto range = range_of("jsq(d=1..4)");
  EXPECT_TRUE(range.whole);
  EXPECT_EQ(range.parameter, "d");
  EXPECT_THAT(policies_of(range, 17), ElementsAre("jsq(d=1)", "jsq(d=2)", "jsq(d=3)", "jsq(d=4)"));
}

TEST(ParameterRange, NumbersAndTimesGrowByAFactor) {
  EXPECT_THAT(policies_of(range_of("sita(cutoffs=0.5..8.0)"), 5),
              ElementsAre("sita(cutoffs=0.5)", "sita(cutoffs=1)", "sita(cutoffs=2)",
                          "sita(cutoffs=4)", "sita(cutoffs=8)"));
  EXPECT_THAT(policies_of(range_of("closed_loop(law=yawp; beacon_every=10ms..1s)"), 3),
              ElementsAre("closed_loop(law=yawp; beacon_every=0.01s)",
                          "closed_loop(law=yawp; beacon_every=0.1s)",
                          "closed_loop(law=yawp; beacon_every=1s)"));
}

TEST(ParameterRange, APolicyCanLeaveItToItself) {
  EXPECT_EQ(policy_without(range_of("jsq(d=1..4)"))->label, "jsq");
  EXPECT_EQ(policy_without(range_of("jsq(d=1..4; busyness=work)"))->label, "jsq(busyness=work)");
  EXPECT_EQ(policy_without(range_of("jsq(busyness=work; d=1..4)"))->label, "jsq(busyness=work)");
}

TEST(ParameterRange, SaysWhatIsWrong) {
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"jsq(d=2)", "expected one parameter with a range, like jsq(d=1..16)"},
      {"jsq", "expected one parameter with a range"},
      {"1..2", "expected one parameter with a range"},
      {"jsq(d=1..4; busyness=1..2)", "expected one parameter with a range"},
      {"jsq(d=1..)", "expected a range of numbers or of times"},
      {"jsq(d=1..4s)", "expected a range of numbers or of times"},
      {"jsq(d=4..1)", "the range ends before it begins"},
      {"jsq(d=1.0..4)", "d of jsq: found 1.09"},
      {"jsq(d=0..4)", "d of jsq: found 0, allowed: whole number"},
      {"jsk(d=1..4)", "unknown policy 'jsk' (did you mean 'jsq'?)"},
      {"jsq(e=1..4)", "unknown parameter of jsq 'e'"},
  };
  for (const auto& [text, what] : wrong) {
    const auto range = parse_parameter_range(text);
    ASSERT_FALSE(range) << text;
    EXPECT_THAT(to_string(range.error()), HasSubstr(what));
    EXPECT_THAT(to_string(range.error()), HasSubstr(text));
  }
}

}  // namespace
}  // namespace artel::arena
