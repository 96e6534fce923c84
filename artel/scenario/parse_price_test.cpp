#include "artel/scenario/parse_price.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include "artel/core/error.hpp"
#include "artel/scenario/load_scenario.hpp"

namespace artel::scenario {
namespace {

using ::testing::HasSubstr;

constexpr const char* kScenario = R"(
[workload]
arrivals = { kind = "poisson", load = 0.6 }
service  = { distribution = "exponential", mean = "1 s" }
[pool]
workers = 4
[dispatch]
policies = ["central"]
[plan]
)";

TEST(Price, IsPerHour) {
  EXPECT_DOUBLE_EQ(*parse_price("0.12/h"), 0.12);
  EXPECT_DOUBLE_EQ(*parse_price("0.12"), 0.12);
  EXPECT_DOUBLE_EQ(*parse_price("48/d"), 2);
  EXPECT_DOUBLE_EQ(*parse_price("0.001/s"), 3.6);
  EXPECT_DOUBLE_EQ(*parse_price("0"), 0);
}

TEST(Price, RefusalSaysWhatIsAllowed) {
  for (const auto* text : {"", "x", "-1/h", "1/", "1/fortnight", "1/0h", "inf", "1 EUR/h"}) {
    const auto price = parse_price(text);
    ASSERT_FALSE(price) << text;
    EXPECT_THAT(to_string(price.error()), HasSubstr("\"0.12/h\"")) << text;
  }
}

TEST(Price, StandsInTheScenario) {
  const auto scenario = [](const std::string& price) {
    return scenario::parse_scenario(kScenario + price, "s.toml");
  };
  EXPECT_DOUBLE_EQ(scenario("price = \"24/d\"")->price_per_hour.value_or(0), 1);
  EXPECT_DOUBLE_EQ(scenario("price = 2")->price_per_hour.value_or(0), 2);
  EXPECT_FALSE(scenario("")->price_per_hour.has_value());
  const auto refused = scenario("price = true");
  ASSERT_FALSE(refused);
  EXPECT_THAT(to_string(refused.error().front()),
              HasSubstr("s.toml:10:9: plan.price: found 'true'"));
}

}  // namespace
}  // namespace artel::scenario
