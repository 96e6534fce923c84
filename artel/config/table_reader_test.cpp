#include "artel/config/table_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "artel/config/problems.hpp"
#include "artel/config/schema.hpp"
#include "artel/config/toml_value.hpp"

namespace artel::config {
namespace {

using ::testing::HasSubstr;

constexpr SchemaKey kTableKeys[] = {
    {"pool", "workers", KeyType::count, kRequired, "how many", 1, 100},
    {"pool", "speed", KeyType::number, "1", "of all", 0, 10, true},
    {"pool", "load", KeyType::number, "0.5", "offered"},
    {"pool", "wait", KeyType::duration, "\"1 s\"", "at most", 0, 1e9},
    {"pool", "when", KeyType::word, "\"reject\"", "full", 0, 0, false, "reject|block"},
    {"pool", "speeds", KeyType::numbers, "1", "of each", 0, 10, true},
    {"pool", "bounds", KeyType::bounds, "\"inf\"", "of each", 1, 100},
    {"pool", "gaps", KeyType::durations, "", "between", 0, 1e9},
};

const Schema& pool() {
  static const Schema schema(kTableKeys);
  return schema;
}

/// A table [pool], and what is found wrong with it.
class Pool {
 public:
  explicit Pool(std::string_view toml)
      : table_(*parse_toml(toml, "f")), reader_(pool(), table_, "pool", problems_) {}

  const TableReader* operator->() const { return &reader_; }
  /// What was found since the last call.
  std::string mistakes() {
    std::string lines;
    for (const auto& error : problems_.take()) lines += error.where + ": " + error.what + "\n";
    return lines;
  }

 private:
  Problems problems_{"f"};
  TomlValue table_;
  TableReader reader_;
};

constexpr TableReader::Each kTwo{2, "worker"};

TEST(TableReader, ReadsWhatIsAllowed) {
  Pool pool(
      "workers = 1e2\nspeed = 10\nload = -3.5\nwait = '250ms'\nwhen = 'block'\n"
      "speeds = [1, 2.5]\nbounds = [7, 'inf']\ngaps = ['1 s', 2]\n");
  EXPECT_EQ(pool->count("workers"), 100U);
  EXPECT_EQ(pool->number("speed"), 10);
  EXPECT_EQ(pool->number("load"), -3.5);
  EXPECT_EQ(pool->duration("wait"), std::chrono::milliseconds(250));
  EXPECT_EQ(pool->word("when"), "block");
  EXPECT_EQ(pool->numbers("speeds", kTwo), (std::vector<double>{1, 2.5}));
  EXPECT_EQ(pool->bounds("bounds", kTwo),
            (std::vector<std::uint32_t>{7, std::numeric_limits<std::uint32_t>::max()}));
  EXPECT_EQ(pool->seconds_list("gaps"), (std::vector<double>{1, 2}));
  EXPECT_EQ(pool.mistakes(), "");
}

TEST(TableReader, WhatIsNotGivenHasItsDefault) {
  Pool pool("workers = 1");
  EXPECT_EQ(pool->number("load"), 0.5);
  EXPECT_EQ(pool->seconds("wait"), 1);
  EXPECT_EQ(pool->numbers("speeds", kTwo), (std::vector<double>{1, 1}));
  EXPECT_EQ(pool.mistakes(), "");
}

TEST(TableReader, RefusesWhatIsBeyondARange) {
  Pool pool("workers = 101\nspeed = 0\nspeeds = [0.1, 10.1]\nbounds = 0\ngaps = [-1]");
  static_cast<void>(pool->count("workers"));
  static_cast<void>(pool->number("speed"));  // above 0: not 0 itself
  static_cast<void>(pool->numbers("speeds", kTwo));
  static_cast<void>(pool->bounds("bounds", kTwo));
  static_cast<void>(pool->seconds_list("gaps"));
  EXPECT_EQ(pool.mistakes(),
            "f:1:11: pool.workers: found 101, allowed: a whole number from 1 to 100\n"
            "f:2:9: pool.speed: found 0, allowed: a number above 0 up to 10\n"
            "f:3:16: pool.speeds: found 10.1, allowed: a number above 0 up to 10, or a list of "
            "them\n"
            "f:4:10: pool.bounds: found 0, allowed: a whole number from 1 to 100, \"inf\", or a "
            "list of them\n"
            "f:5:9: pool.gaps: found -1, allowed: a list of durations of at least 0 (\"250ms\", or "
            "a number of seconds)\n");
}

TEST(TableReader, SaysTheUpperEndToWhomIsBeyondIt) {
  const auto refused = [](const char* gap) {
    Pool pool("workers = 1\ngaps = [" + std::string(gap) + "]");
    static_cast<void>(pool->seconds_list("gaps"));
    return pool.mistakes();
  };
  EXPECT_THAT(refused("2e9"),
              HasSubstr("allowed: a list of durations from 0 to 1000000000 (\"250"));
  EXPECT_THAT(refused("'1000000 d'"), HasSubstr("durations from 0 to 1000000000 (\"250"));
  EXPECT_THAT(refused("'inf'"), HasSubstr("durations from 0 to 1000000000 (\"250"));
  EXPECT_THAT(refused("-1"), HasSubstr("durations of at least 0 (\"250"));
  EXPECT_THAT(refused("'soon'"), HasSubstr("durations of at least 0 (\"250"));
}

TEST(TableReader, RefusesFractionsWhereNumbersAreWhole) {
  Pool pool("workers = 2.5\nbounds = [1, 1.5]");
  static_cast<void>(pool->count("workers"));
  static_cast<void>(pool->bounds("bounds", kTwo));
  EXPECT_EQ(pool.mistakes(),
            "f:1:11: pool.workers: found 2.5, allowed: a whole number from 1 to 100\n"
            "f:2:14: pool.bounds: found 1.5, allowed: a whole number from 1 to 100, \"inf\", or a "
            "list of them\n");
}

TEST(TableReader, RefusesNumbersThatAreNotFinite) {
  Pool pool("workers = 1\nload = inf\nspeed = nan\nwait = 'inf'");
  static_cast<void>(pool->number("load"));
  static_cast<void>(pool->number("speed"));
  static_cast<void>(pool->seconds("wait"));
  const auto mistakes = pool.mistakes();
  EXPECT_NE(mistakes.find("pool.load: found inf, allowed: a number\n"), std::string::npos)
      << mistakes;
  EXPECT_NE(mistakes.find("pool.speed: found nan"), std::string::npos) << mistakes;
  EXPECT_NE(mistakes.find("pool.wait: found 'inf'"), std::string::npos) << mistakes;
}

TEST(TableReader, AListHasOneForEach) {
  Pool pool("workers = 3\nspeeds = [1, 2, 3]\nbounds = [1]");
  EXPECT_EQ(pool->numbers("speeds", kTwo).size(), 2U);
  EXPECT_EQ(pool->bounds("bounds", kTwo).size(), 2U);
  EXPECT_EQ(pool.mistakes(),
            "f:2:10: pool.speeds: found a list of 3, allowed: one per worker, 2\n"
            "f:3:10: pool.bounds: found a list of 1, allowed: one per worker, 2\n");
}

TEST(TableReader, UnknownWordsAndKeysAreNamed) {
  Pool pool("worker = 1\nwhen = 'blok'");
  static_cast<void>(pool->word("when"));
  EXPECT_EQ(pool.mistakes(),
            "f:1:1: pool: unknown key 'worker' (did you mean 'workers'?); allowed: workers, speed, "
            "load, wait, when, speeds, bounds, gaps\n"
            "f:2:8: pool: unknown when 'blok' (did you mean 'block'?); allowed: reject, block\n");
}

}  // namespace
}  // namespace artel::config
