#include "artel/scenario/override.hpp"

#include <gtest/gtest.h>
#include <string>
#include <string_view>

#include "artel/config/toml_value.hpp"
#include "artel/core/error.hpp"

namespace artel::scenario {
namespace {

using Kind = config::TomlValue::Kind;

class OverrideTest : public ::testing::Test {
 protected:
  std::string apply(std::string_view argument) {
    const auto override = parse_override(argument);
    if (!override) return to_string(override.error());
    const auto applied = apply_override(root_, *override);
    return applied ? "no error" : to_string(applied.error());
  }

  config::TomlValue root_ = *config::parse_toml(
      "name = 'x'\n[pool]\nworkers = 8\n[dispatch]\npolicies = ['random', { name = 'jsq', d = 2 "
      "}]\n",
      "s.toml");
};

TEST_F(OverrideTest, ReplacesAValueAndItsPlace) {
  EXPECT_EQ(apply("pool.workers=16"), "no error");
  const auto* workers = root_.find("pool")->find("workers");
  EXPECT_EQ(workers->integer, 16);
  EXPECT_EQ(workers->place.where("s.toml"), "--set pool.workers=16");
}

TEST_F(OverrideTest, MakesTablesThatAreMissing) {
  EXPECT_EQ(apply("run.warm_up=20%"), "no error");
  EXPECT_EQ(root_.find("run")->find("warm_up")->text, "20%");
}

TEST_F(OverrideTest, PicksFromListsByNumber) {
  EXPECT_EQ(apply("dispatch.policies.1.d=3"), "no error");
  EXPECT_EQ(root_.find("dispatch")->find("policies")->items[1].find("d")->integer, 3);
  EXPECT_EQ(apply("dispatch.policies.2.d=3"),
            "--set dispatch.policies.2.d=3: 'dispatch.policies' is a list of 2; '2' picks none of "
            "them, the first is 0");
  EXPECT_EQ(
      apply("dispatch.policies.x=3"),
      "--set dispatch.policies.x=3: 'dispatch.policies' is a list of 2; 'x' picks none of them, "
      "the first is 0");
}

TEST_F(OverrideTest, ReadsAnyTomlValue) {
  EXPECT_EQ(apply("pool.speeds=[1, 2.5]"), "no error");
  EXPECT_EQ(root_.find("pool")->find("speeds")->items[1].number, 2.5);
  EXPECT_EQ(apply("workload.arrivals={ kind = 'trace' }"), "no error");
  EXPECT_EQ(root_.find("workload")->find("arrivals")->find("kind")->text, "trace");
}

TEST_F(OverrideTest, WhatIsNotTomlIsText) {
  for (const auto* text : {"50ms", "least_loaded", "", "a=b", "1\n[pool]", "[1"}) {
    ASSERT_EQ(apply(std::string("name=") + text), "no error");
    EXPECT_EQ(root_.find("name")->kind, Kind::text);
    EXPECT_EQ(root_.find("name")->text, text);
  }
}

TEST_F(OverrideTest, PathsLeadThroughTables) {
  EXPECT_EQ(apply("pool.workers.x=3"),
            "--set pool.workers.x=3: 'pool.workers' is 8, not a table that could have 'x'");
}

TEST_F(OverrideTest, NeedsAKeyAndAValue) {
  for (const auto* argument : {"pool.workers", "=3", ".a=3", "a.=3", "a..b=3", ""}) {
    EXPECT_EQ(apply(argument), std::string("--set ") + argument + ": found '" + argument +
                                   "'; expected key.path=value, like pool.workers=16");
  }
}

}  // namespace
}  // namespace artel::scenario
