#include "artel/scenario/scenario_schema.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <set>
#include <string_view>
#include <utility>

#include "artel/config/schema.hpp"

namespace artel::scenario {
namespace {

using ::testing::HasSubstr;

TEST(ScenarioSchema, HasEveryKeyOnce) {
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (const auto& row : scenario_schema().keys()) {
    EXPECT_TRUE(seen.emplace(row.table, row.key).second) << row.table << "." << row.key;
  }
}

TEST(ScenarioSchema, EveryTableIsReachable) {
  for (const auto& row : scenario_schema().keys()) {
    if (row.table.empty()) continue;
    auto path = row.table;
    if (path.ends_with("[]")) path.remove_suffix(2);
    const auto dot = path.rfind('.');
    const auto parent = dot == std::string_view::npos ? std::string_view{} : path.substr(0, dot);
    const auto* key =
        scenario_schema().find(parent, dot == std::string_view::npos ? path : path.substr(dot + 1));
    ASSERT_NE(key, nullptr) << row.table;
    EXPECT_EQ(key->type, row.table.ends_with("[]") ? config::KeyType::list : config::KeyType::table)
        << row.table;
  }
}

TEST(ScenarioSchema, WordsGoWithTheKindsThatExist) {
  const auto kinds =
      config::split_words(scenario_schema().find("workload.arrivals", "kind")->words);
  auto laws =
      config::split_words(scenario_schema().find("workload.service", "distribution")->words);
  laws.push_back("expression");
  const auto policies =
      config::split_words(scenario_schema().find("pool.scaling", "policy")->words);
  const auto admissions =
      config::split_words(scenario_schema().find("pool.admission", "policy")->words);
  for (const auto& row : scenario_schema().keys()) {
    const auto& known = row.table == "workload.arrivals" ? kinds
                        : row.table == "pool.scaling"    ? policies
                        : row.table == "pool.admission"  ? admissions
                                                         : laws;
    for (const auto kind : config::split_words(row.goes_with)) {
      EXPECT_THAT(known, ::testing::Contains(kind)) << row.table << "." << row.key;
    }
  }
}

TEST(ScenarioSchema, SaysWhatIsAllowed) {
  EXPECT_EQ(config::allowed_text(*scenario_schema().find("pool", "workers")),
            "a whole number from 1 to 100000");
  EXPECT_EQ(config::allowed_text(*scenario_schema().find("pool", "when_full")), "reject, block");
  EXPECT_EQ(config::allowed_text(*scenario_schema().find("pool", "common_bound")),
            "a whole number of at least 0, or \"inf\"");
  EXPECT_EQ(config::allowed_text(*scenario_schema().find("workload.arrivals", "rate")),
            "a number above 0");
  EXPECT_EQ(config::allowed_text(*scenario_schema().find("run", "precision")),
            "a number above 0 up to 1");
  EXPECT_EQ(config::allowed_text(*scenario_schema().find("run", "duration")), "a duration above 0");
}

TEST(ScenarioSchema, PrintsKeysDefaultsAndPolicies) {
  const auto text = scenario_schema_text();
  EXPECT_THAT(text, HasSubstr("\n[pool]\n  workers          a whole number from 1 to 100000\n"));
  EXPECT_THAT(text, HasSubstr("  when_full        reject, block; default \"reject\"\n"));
  EXPECT_THAT(text, HasSubstr("\nitems of workload.arrivals.states\n"));
  EXPECT_THAT(text, HasSubstr("  closed_loop"));
  for (std::size_t at = 0; at < text.size();) {
    const auto end = text.find('\n', at);
    EXPECT_LE(end - at, 103U) << text.substr(at, end - at);
    at = end + 1;
  }
}

}  // namespace
}  // namespace artel::scenario
