#include "artel/lab/schema.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <set>
#include <string_view>
#include <utility>

namespace artel::lab {
namespace {

using ::testing::HasSubstr;

TEST(Schema, HasEveryKeyOnce) {
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (const auto& row : schema()) {
    EXPECT_TRUE(seen.emplace(row.table, row.key).second) << row.table << "." << row.key;
  }
}

TEST(Schema, EveryTableIsReachable) {
  for (const auto& row : schema()) {
    if (row.table.empty()) continue;
    auto path = row.table;
    if (path.ends_with("[]")) path.remove_suffix(2);
    const auto dot = path.rfind('.');
    const auto parent = dot == std::string_view::npos ? std::string_view{} : path.substr(0, dot);
    const auto* key = find_key(parent, dot == std::string_view::npos ? path : path.substr(dot + 1));
    ASSERT_NE(key, nullptr) << row.table;
    EXPECT_EQ(key->type, row.table.ends_with("[]") ? KeyType::list : KeyType::table) << row.table;
  }
}

TEST(Schema, WordsGoWithTheKindsThatExist) {
  const auto kinds = split_words(find_key("workload.arrivals", "kind")->words);
  auto laws = split_words(find_key("workload.service", "distribution")->words);
  laws.push_back("expression");
  for (const auto& row : schema()) {
    const auto& known = row.table == "workload.arrivals" ? kinds : laws;
    for (const auto kind : split_words(row.goes_with)) {
      EXPECT_THAT(known, ::testing::Contains(kind)) << row.table << "." << row.key;
    }
  }
}

TEST(Schema, SaysWhatIsAllowed) {
  EXPECT_EQ(allowed_text(*find_key("pool", "workers")), "a whole number from 1 to 100000");
  EXPECT_EQ(allowed_text(*find_key("pool", "when_full")), "reject, block");
  EXPECT_EQ(allowed_text(*find_key("pool", "common_bound")),
            "a whole number of at least 0, or \"inf\"");
  EXPECT_EQ(allowed_text(*find_key("workload.arrivals", "rate")), "a number above 0");
  EXPECT_EQ(allowed_text(*find_key("run", "precision")), "a number above 0 up to 1");
  EXPECT_EQ(allowed_text(*find_key("run", "duration")), "a duration above 0");
}

TEST(Schema, PrintsKeysDefaultsAndPolicies) {
  const auto text = schema_text();
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
}  // namespace artel::lab
