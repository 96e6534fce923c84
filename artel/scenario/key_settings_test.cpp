#include "artel/scenario/key_settings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "artel/scenario/load_scenario.hpp"
#include "artel/scenario/scenario.hpp"
#include "tests/scenario/broken_scenario.hpp"

namespace artel::scenario {
namespace {

using ::testing::HasSubstr;

std::string keyed(const std::string& keys, const std::string& policy = "\"rendezvous\"") {
  return ScenarioParts{.workload = ScenarioParts{}.workload + keys,
                       .dispatch = "policies = [" + policy + "]\n"}
      .text();
}

TEST(KeySettings, AreAllAlikeWithoutAnExponent) {
  const KeySettings keys(4, 0);
  EXPECT_EQ(keys.at(0), 1U);
  EXPECT_EQ(keys.at(0.2499), 1U);
  EXPECT_EQ(keys.at(0.25), 2U);
  EXPECT_EQ(keys.at(0.999999), 4U);
}

TEST(KeySettings, FollowZipfsLaw) {
  const KeySettings keys(3, 1);  // 1 : 1/2 : 1/3, so 6/11, 3/11, 2/11
  EXPECT_EQ(keys.at(0.545), 1U);
  EXPECT_EQ(keys.at(0.546), 2U);
  EXPECT_EQ(keys.at(0.818), 2U);
  EXPECT_EQ(keys.at(0.819), 3U);
  EXPECT_EQ(keys.at(0.9999999999999999), 3U);
}

TEST(KeySettings, AreReadAsWritten) {
  const auto read = parse_scenario(keyed("keys = { count = 100, exponent = 0.9 }\n"), "s.toml");
  ASSERT_TRUE(read);
  const auto keys = read->workload.keys.value_or(KeySettings{});
  EXPECT_EQ(keys.count, 100U);
  EXPECT_EQ(keys.exponent, 0.9);
}

TEST(KeySettings, APolicyThatGoesByKeyNeedsThem) {
  EXPECT_THAT(errors_of(keyed("", "\"jiq\", { name = \"rendezvous\", subset = 2 }")),
              HasSubstr("rendezvous(subset=2) goes by key; give workload.keys, like { count = "));
  EXPECT_THAT(errors_of(keyed("", "\"maglev\"")), HasSubstr("maglev goes by key"));
  const std::string classes =
      "classes = [{ name = \"a\", share = 0.5, key = 7 }, { name = \"b\", "
      "share = 0.5";
  EXPECT_THAT(errors_of(keyed(classes + " }]\n")), HasSubstr("give workload.keys"));
  EXPECT_TRUE(parse_scenario(keyed(classes + ", key = 8 }]\n"), "s.toml"));
  EXPECT_TRUE(parse_scenario(keyed("", "\"peak_ewma\""), "s.toml"));
}

TEST(KeySettings, RefuseWhatIsNoLaw) {
  EXPECT_THAT(errors_of(keyed("keys = { count = 0 }\n")), HasSubstr("workload.keys.count"));
  EXPECT_THAT(errors_of(keyed("keys = { count = 5, exponent = -1 }\n")),
              HasSubstr("workload.keys.exponent"));
  EXPECT_THAT(errors_of(keyed("keys = { exponent = 1 }\n")), HasSubstr("count"));
}

}  // namespace
}  // namespace artel::scenario
