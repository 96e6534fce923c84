#include "artel/scenario/parse_slo.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/scenario/objective.hpp"

namespace artel::scenario {
namespace {

using ::testing::HasSubstr;

Objective one(const std::string& text) {
  const auto slo = parse_slo(text);
  EXPECT_TRUE(slo) << slo.error().what;
  EXPECT_EQ(slo->size(), 1U);
  return slo->front();
}

std::string refusal(const std::string& text) {
  const auto slo = parse_slo(text);
  return slo ? "none" : slo.error().what;
}

TEST(SloText, NamesStatisticAndQuantity) {
  const auto wait = one("mean_wait<5ms");
  EXPECT_EQ(wait.name, "mean_wait");
  EXPECT_EQ(wait.quantity, Quantity::wait);
  EXPECT_EQ(wait.statistic, Statistic::mean);
  EXPECT_DOUBLE_EQ(wait.limit, 0.005);
}

TEST(SloText, StatisticAloneIsOfTheResponse) {
  const auto p99 = one("p99<80ms");
  EXPECT_EQ(p99.name, "p99_response");
  EXPECT_EQ(p99.quantity, Quantity::response);
  EXPECT_EQ(p99.statistic, Statistic::p99);
  EXPECT_EQ(one("p99.9<1s").statistic, Statistic::p999);
  EXPECT_EQ(one("p99.9_wait<1s").name, "p999_wait");
}

TEST(SloText, RejectedIsAShare) {
  EXPECT_DOUBLE_EQ(one("rejected<0.1%").limit, 0.001);
  EXPECT_DOUBLE_EQ(one("rejected<=0.02").limit, 0.02);
  EXPECT_DOUBLE_EQ(one("rejected<0").limit, 0);
}

TEST(SloText, BlanksAndTheEqualsSignMakeNoDifference) {
  EXPECT_DOUBLE_EQ(one("  p99   <=   1.5 s ").limit, 1.5);
  EXPECT_DOUBLE_EQ(one("rejected < 2 %").limit, 0.02);
}

TEST(SloText, CommasPartSeveral) {
  const auto slo = parse_slo("p99<80ms, mean_wait<5ms,rejected<0.1%");
  ASSERT_TRUE(slo);
  ASSERT_EQ(slo->size(), 3U);
  EXPECT_EQ((*slo)[1].name, "mean_wait");
  EXPECT_EQ((*slo)[2].quantity, Quantity::rejected);
}

TEST(SloText, RefusalsSayWhatIsAllowed) {
  EXPECT_THAT(refusal(""), HasSubstr("found '', allowed: a name, < and a limit, like p99<80ms"));
  EXPECT_THAT(refusal("p99"), HasSubstr("found 'p99', allowed: a name"));
  EXPECT_THAT(refusal("p99>80ms"), HasSubstr("found 'p99>80ms', allowed"));
  EXPECT_THAT(refusal("p99<80ms,"), HasSubstr("found '', allowed"));
  EXPECT_THAT(refusal("p98<80ms"), HasSubstr("unknown objective 'p98'"));
  EXPECT_THAT(refusal("p99_respnse<80ms"), HasSubstr("did you mean 'p99_response'?"));
  EXPECT_THAT(refusal("rejected_wait<1s"), HasSubstr("unknown objective"));
  EXPECT_THAT(refusal("p99<80"),
              HasSubstr("p99_response: found '80', allowed: a duration above 0"));
  EXPECT_THAT(refusal("p99<-1s"), HasSubstr("found '-1s'"));
  EXPECT_THAT(refusal("p99<0s"), HasSubstr("found '0s'"));
  EXPECT_THAT(refusal("p99<inf"), HasSubstr("found 'inf'"));
  EXPECT_THAT(refusal("p99<"), HasSubstr("found ''"));
  EXPECT_THAT(refusal("rejected<2"), HasSubstr("allowed: a share of the tasks from 0% to 100%"));
  EXPECT_THAT(refusal("rejected<101%"), HasSubstr("found '101%'"));
  EXPECT_THAT(refusal("rejected<1s"), HasSubstr("found '1s'"));
  EXPECT_THAT(refusal("p99<1s,p99_response<2s"), HasSubstr("p99_response has two limits"));
}

RC_GTEST_PROP(SloText, LimitsAreExact, ()) {
  const auto microseconds = *rc::gen::inRange<std::int64_t>(1, 1'000'000'000);
  const auto name = *rc::gen::element<std::string>("mean", "p50_wait", "p999", "max_response");
  const auto blanks = std::string(*rc::gen::inRange<std::size_t>(0, 3), ' ');
  const auto slo = parse_slo(fmt::format("{}{}<{}{}us", name, blanks, blanks, microseconds));
  RC_ASSERT(slo.has_value());
  RC_ASSERT(from_seconds(slo->front().limit) == std::chrono::microseconds(microseconds));
}

RC_GTEST_PROP(SloText, AnyTextIsReadOrRefused, (const std::string& text)) {
  const auto slo = parse_slo(text);
  const bool sound = slo ? !slo->empty() : !slo.error().what.empty();
  RC_ASSERT(sound);
}

}  // namespace
}  // namespace artel::scenario
