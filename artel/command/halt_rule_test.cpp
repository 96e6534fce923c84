#include "artel/command/halt_rule.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "artel/core/error.hpp"

namespace artel::command {
namespace {

TEST(HaltRule, ReadsWhatIsWritten) {
  EXPECT_EQ(parse_halt_rule("never")->halt, Halt::never);
  EXPECT_EQ(parse_halt_rule("soon")->jobs, 1);
  const auto rule = parse_halt_rule("now,success=3");
  ASSERT_TRUE(rule);
  EXPECT_EQ(rule->halt, Halt::now);
  EXPECT_EQ(rule->of, HaltRule::Of::succeeded);
  EXPECT_EQ(rule->jobs, 3);
  EXPECT_EQ(parse_halt_rule("soon,fail=12.5%")->percent, 12.5);
  for (const auto* const wrong :
       {"", "later", "never,fail=1", "now,", "now,fail=", "now,fail=0", "now,fail=0%",
        "now,fail=101%", "now,done=5%", "now,fail=1x", "now,lost=1"}) {
    EXPECT_FALSE(parse_halt_rule(wrong)) << wrong;
  }
}

TEST(HaltRule, CountsWhatItIsAbout) {
  EXPECT_FALSE(HaltRule{}.reached(1000, 1000));
  EXPECT_FALSE(parse_halt_rule("now,fail=2")->reached(1, 9));
  EXPECT_TRUE(parse_halt_rule("now,fail=2")->reached(2, 0));
  EXPECT_TRUE(parse_halt_rule("now,done=2")->reached(1, 1));
  EXPECT_FALSE(parse_halt_rule("now,success=2")->reached(5, 1));
}

TEST(HaltRule, APercentageNeedsThreeJobs) {
  const auto half = *parse_halt_rule("now,fail=50%");
  EXPECT_FALSE(half.reached(2, 0));
  EXPECT_TRUE(half.reached(3, 3));
  EXPECT_FALSE(half.reached(3, 4));
}

}  // namespace
}  // namespace artel::command
