// Workers' caches and what fills them: the exact words for what does not go together.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "artel/config/problems.hpp"
#include "artel/core/instant.hpp"
#include "artel/scenario/features.hpp"
#include "artel/scenario/load_scenario.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/study.hpp"
#include "artel/scenario/worker_settings.hpp"
#include "artel/scenario/workload_trace.hpp"
#include "tests/scenario/broken_scenario.hpp"
#include "tests/temporary_folder.hpp"

namespace artel::scenario {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kRows = "at,size,tokens,blocks\n0,5,25,1-3\n1,3,10,1\n2,1,0,\n3,4,21,1 7 9\n";

struct CacheParts {
  std::string arrivals = "{ kind = \"trace\" }";
  std::string service = "{ expression = \"size\" }";
  std::string trace =
      "time = \"at\", prefix = \"blocks\", prefix_tokens = \"tokens\", "
      "block_tokens = 10";
  std::string cache = "cache = { blocks = 5, saves = { expression = \"0.1 * tokens\" } }";
  std::string policies = "\"affinity\"";
  std::string rows = kRows;
};

config::Checked<Scenario> parse(const CacheParts& parts, const TemporaryFolder& folder) {
  std::ofstream(folder.path() / "t.csv") << parts.rows;
  return parse_scenario("[workload]\narrivals = " + parts.arrivals +
                            "\nservice = " + parts.service + "\ntrace = { file = \"t.csv\", " +
                            parts.trace + " }\n[pool]\nworkers = 2\n" + parts.cache +
                            "\n[dispatch]\npolicies = [" + parts.policies + "]\n",
                        (folder.path() / "s.toml").string());
}

std::string error(const CacheParts& parts) {
  const TemporaryFolder folder;
  const auto parsed = parse(parts, folder);
  return parsed ? "no error\n" : texts_of(parsed.error());
}

TEST(Caches, AreReadWithTheRowsThatFillThem) {
  const TemporaryFolder folder;
  const auto scenario = parse({}, folder);
  ASSERT_TRUE(scenario) << texts_of(scenario.error());
  EXPECT_FALSE(is_plain(*scenario));
  EXPECT_EQ(scenario->pool.worker.cache.value_or(CacheSettings{.blocks = 0}).blocks, 5U);
  const auto& trace = *scenario->workload.trace;
  EXPECT_THAT(trace.prefixes.of(0), ElementsAre(1, 2, 3));
  EXPECT_THAT(trace.prefixes.of(1), ElementsAre(1));
  EXPECT_THAT(trace.prefixes.of(2), ElementsAre());
  EXPECT_THAT(trace.prefixes.of(3), ElementsAre(1, 7, 9));
  EXPECT_EQ(trace.prefixes.tokens_of(0, 2), 20U);
  EXPECT_EQ(trace.prefixes.tokens_of(0, 3), 25U);
  EXPECT_THAT(trace.saves,
              ElementsAre(from_seconds(2.5), from_seconds(1), from_seconds(0), from_seconds(2.1)));
}

TEST(Caches, BlocksCountOneEachIfNothingElseIsSaid) {
  const TemporaryFolder folder;
  const auto scenario = parse(
      {.trace = "time = \"at\", prefix = \"blocks\"", .cache = "cache = { blocks = \"inf\" }"},
      folder);
  ASSERT_TRUE(scenario) << texts_of(scenario.error());
  EXPECT_EQ(scenario->workload.trace->prefixes.tokens_of(0, 3), 3U);
  EXPECT_EQ(scenario->pool.worker.cache.value_or(CacheSettings{.blocks = 0}).blocks, UINT32_MAX);
}

TEST(CacheErrors, NeedRowsThatAreReplayed) {
  EXPECT_THAT(error({.trace = "time = \"at\""}),
              HasSubstr("workload.trace.prefix is missing; expected the column with the keys of "
                        "blocks: pool.cache goes by it\n"));
  EXPECT_THAT(error({.trace = "time = \"at\", prefix_tokens = \"tokens\"", .cache = ""}),
              HasSubstr("workload.trace.prefix is missing; expected the column that "
                        "prefix_tokens belongs to\n"));
  const auto drawn = error({.arrivals = "{ kind = \"poisson\", rate = 0.1 }"});
  EXPECT_THAT(drawn, HasSubstr("workload.arrivals: must be replayed: pool.cache goes by the "
                               "trace's rows\n"));
  EXPECT_THAT(drawn, HasSubstr("workload.trace.prefix: is for tasks that are replayed row by row: "
                               "trace arrivals\n"));
  EXPECT_THAT(error({.trace = "time = \"at\", prefix = \"block\""}), HasSubstr("'blocks'"));
}

TEST(CacheErrors, SaveAPartOfWhatIsThere) {
  EXPECT_THAT(error({.service = "{ distribution = \"constant\", value = 1 }"}),
              HasSubstr("workload.service: must be an expression: pool.cache.saves is a part of "
                        "it\n"));
  EXPECT_THAT(error({.cache = "cache = { saves = { expression = \"size + 1\" } }"}),
              HasSubstr("t.csv:2: size + 1 saves 6.00 s of 5.00 s, size\n"));
  EXPECT_THAT(error({.cache = "cache = { saves = \"1s\" }"}),
              HasSubstr("pool.cache.saves: found '1s', allowed: { expression = \"0.1ms * tokens\" "
                        "}, over the trace's columns\n"));
  EXPECT_THAT(error({.cache = "cache = { saves = { expression = \"2 *\" } }"}),
              HasSubstr("pool.cache.saves.expression: "));
  EXPECT_THAT(error({.cache = "cache = { blocks = 0 }"}), HasSubstr("pool.cache.blocks: found 0"));
  EXPECT_EQ(error({.cache = "cache = { saves = { expression = \"tokens\" } }\nbatch = { most = 2, "
                            "per_join = { expression = \"tokens\" } }"}),
            "no error\n");
  EXPECT_THAT(error({.cache = "cache = { saves = { expression = \"size\" } }\nbatch = { most = 2, "
                              "per_join = { expression = \"0.5 * size\" } }"}),
              HasSubstr("t.csv:2: size saves 5.00 s of 2.50 s, 0.5 * size\n"));
}

TEST(CacheErrors, Rows) {
  const auto row = [](const std::string& rest) {
    return error({.rows = "at,size,tokens,blocks\n0,3," + rest + "\n"});
  };
  EXPECT_EQ(row("20,5 8"), "no error\n");
  EXPECT_EQ(row("11, 5 8 "), "no error\n");
  EXPECT_THAT(row("21,5 8"), HasSubstr("t.csv:2:5: column 'tokens': found '21'; 2 blocks of 10 "
                                       "hold 11 to 20\n"));
  EXPECT_THAT(row("10,5 8"), HasSubstr("found '10'; 2 blocks of 10 hold 11 to 20\n"));
  EXPECT_THAT(row("1,"), HasSubstr("found '1'; 0 blocks of 10 hold 0 to 0\n"));
  for (const auto* wrong : {"5,8", "x", "5--8", "-5", "8-5", "5-", "1.5", "1e3"})
    EXPECT_NE(row(std::string("11,\"") + wrong + "\""), "no error\n") << wrong;
  EXPECT_THAT(row("11,5-8x"),
              HasSubstr("column 'blocks': found '5-8x'; expected keys of blocks, whole numbers "
                        "with blanks between, or 3-6 for 3 4 5 6\n"));
  EXPECT_THAT(row("11,0-18446744073709551615"),
              HasSubstr("more than 1000000 blocks, up to '0-18446744073709551615'\n"));
  EXPECT_THAT(row("11,0-999999 5"), HasSubstr("more than 1000000 blocks, up to '5'\n"));
  EXPECT_THAT(row("11,18446744073709551614-18446744073709551615"), HasSubstr("no error"));
}

TEST(CacheErrors, PoliciesThatAskForCachesNeedSome) {
  EXPECT_THAT(error({.cache = "", .policies = "\"cache_aware\""}),
              HasSubstr("dispatch.policies: policy cache_aware(0.3, 64, 1.5) reads matched, which "
                        "a pool without caches does not know; give pool.cache, like { blocks = "
                        "10000 }\n"));
  EXPECT_THAT(error({.policies = "\"affinity\"]\nview = \"own\"\n#"}),
              HasSubstr("reads matched, which a dispatcher with its own view does not know\n"));
  // The first block is a key.
  EXPECT_EQ(error({.cache = "", .policies = "\"rendezvous\""}), "no error\n");
  EXPECT_THAT(error({.cache = "cache = {}\n[[stages]]\nname = \"b\"\nservice = 1\npool = { "
                              "workers = 1, cache = {} }\n"}),
              HasSubstr("cache is for the first pool only"));
}

TEST(Study, ItsFingerprintIsOfPrefixesToo) {
  const auto of_rows = [](const std::string& row) {
    const TemporaryFolder folder;
    std::ofstream(folder.path() / "t.csv") << "at,size,tokens,blocks\n" << row << "\n";
    const auto study = parse_study(
        "[workload]\narrivals = { kind = \"trace\" }\nservice = { expression = \"3\" }\n"
        "trace = { file = \"t.csv\", time = \"at\", prefix = \"blocks\", prefix_tokens = "
        "\"tokens\", block_tokens = 10 }\n[pool]\nworkers = 1\ncache = { saves = { expression = "
        "\"size\" } }\n[dispatch]\npolicies = [\"random\"]\n",
        (folder.path() / "s.toml").string());
    return study ? fingerprint(*study) : texts_of(study.error());
  };
  const std::vector<std::string> rows{"0,1,15,1 2", "0,2,15,1 2", "0,1,16,1 2", "0,1,15,1 3"};
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows.size(); ++j)
      EXPECT_EQ(of_rows(rows[i]) == of_rows(rows[j]), i == j) << rows[i] << " " << rows[j];
}

}  // namespace
}  // namespace artel::scenario
