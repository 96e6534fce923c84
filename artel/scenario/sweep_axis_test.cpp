#include "artel/scenario/sweep_axis.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>
#include "artel/core/error.hpp"

namespace artel::scenario {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

std::vector<std::string> values(std::string_view text) {
  const auto parsed = parse_sweep_values(text);
  EXPECT_TRUE(parsed) << text;
  return parsed.value_or(std::vector<std::string>{});
}

std::string axis_error(std::string_view argument) {
  const auto parsed = parse_sweep(argument);
  return parsed ? "no error" : to_string(parsed.error());
}

TEST(Sweep, RangesIncludeBothEnds) {
  EXPECT_THAT(values("8..32:8"), ElementsAre("8", "16", "24", "32"));
  EXPECT_THAT(values("8..30:8"), ElementsAre("8", "16", "24"));
  EXPECT_THAT(values("1..3"), ElementsAre("1", "2", "3"));
  EXPECT_THAT(values("5..5"), ElementsAre("5"));
  EXPECT_THAT(values("-1..1"), ElementsAre("-1", "0", "1"));
}

TEST(Sweep, DecimalsAreExact) {
  EXPECT_THAT(values("0.7..1:0.1"), ElementsAre("0.7", "0.8", "0.9", "1.0"));
  EXPECT_THAT(values("0..0.5:0.25"), ElementsAre("0.00", "0.25", "0.50"));
  EXPECT_THAT(values("-0.1..0.1:0.1"), ElementsAre("-0.1", "0.0", "0.1"));
}

TEST(Sweep, ListsHoldAnything) {
  EXPECT_THAT(values("8,16, 24"), ElementsAre("8", "16", "24"));
  EXPECT_THAT(values("0.1s,1s"), ElementsAre("0.1s", "1s"));
  EXPECT_THAT(values("reject,block"), ElementsAre("reject", "block"));
}

TEST(Sweep, ArgumentHasAKey) {
  const auto axis = parse_sweep("pool.workers=1,2");
  ASSERT_TRUE(axis);
  EXPECT_EQ(axis->key, "pool.workers");
  EXPECT_THAT(axis->values, ElementsAre("1", "2"));
  EXPECT_EQ(axis_error("pool.workers"),
            "--sweep pool.workers: found 'pool.workers'; expected key.path=values, like "
            "pool.workers=8..32:4");
}

TEST(Sweep, RefusesWhatIsNoSweep) {
  const std::string expected =
      "; expected first..last, first..last:step, or a list a,b,c (8..32:4 is 8, 12, … 32)";
  EXPECT_EQ(axis_error("k=8..4"),
            "--sweep k=8..4: found '8..4': the first value is beyond the last" + expected);
  EXPECT_EQ(axis_error("k=1..4:0"),
            "--sweep k=1..4:0: found '1..4:0': the step must be positive" + expected);
  EXPECT_EQ(axis_error("k=a..b"), "--sweep k=a..b: found 'a..b': not numbers" + expected);
  EXPECT_EQ(axis_error("k=1..9999"),
            "--sweep k=1..9999: found '1..9999': more than 1000 values" + expected);
  EXPECT_EQ(axis_error("k=1,,2"), "--sweep k=1,,2: found '1,,2': a value is missing" + expected);
  EXPECT_EQ(axis_error("k="), "--sweep k=: found '': a value is missing" + expected);
  for (const auto* text :
       {"..", "1..", "..1", "1..2:", "1...2", "1..2:x", "1.-5..2", "99999999999999999..1",
        "0.0000000001..1", "0..999999999999999:0.000000001"}) {
    EXPECT_FALSE(parse_sweep_values(text)) << text;
  }
}

TEST(Sweep, LastAxisChangesFastest) {
  const std::vector<SweepAxis> axes{{"a", {"1", "2"}, "x"}, {"b", {"3", "4"}, "y"}};
  const auto points = combinations(axes);
  ASSERT_TRUE(points);
  ASSERT_THAT(*points, SizeIs(4));
  EXPECT_EQ((*points)[1][0].value, "1");
  EXPECT_EQ((*points)[1][1].value, "4");
  EXPECT_EQ((*points)[2][0].value, "2");
  EXPECT_EQ((*points)[2][1].where, "y: with b = 3");
}

TEST(Sweep, WithoutAxesThereIsOnePoint) { EXPECT_THAT(*combinations({}), SizeIs(1)); }

TEST(Sweep, CombinationsAreBounded) {
  const SweepAxis wide{"a", values("1..100"), "x"};
  std::vector<SweepAxis> axes{wide, wide};
  EXPECT_EQ(to_string(combinations(axes).error()), "x: 'a' is swept twice");
  axes.back().key = "b";
  EXPECT_EQ(to_string(combinations(axes).error()), "x: the sweep has more than 1000 points");
  axes.assign(11, {"a", {"1"}, "x"});
  EXPECT_EQ(to_string(combinations(axes).error()), "x: more than 10 keys are swept");
}

RC_GTEST_PROP(Sweep, RangeStepsFromFirstToLast, ()) {
  const auto first = *rc::gen::inRange(-500, 500);
  const auto step = *rc::gen::inRange(1, 50);
  const auto count = *rc::gen::inRange(1, 200);
  const auto last = first + step * (count - 1) + *rc::gen::inRange(0, step);
  const auto read = parse_sweep_values(std::to_string(first) + ".." + std::to_string(last) + ":" +
                                       std::to_string(step));
  RC_ASSERT(read.has_value());
  RC_ASSERT(read->size() == static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    RC_ASSERT((*read)[static_cast<std::size_t>(i)] == std::to_string(first + i * step));
  }
}

}  // namespace
}  // namespace artel::scenario
