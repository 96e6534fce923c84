#include "artel/cluster/detail/result_journal.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "artel/cluster/cluster.hpp"
#include "artel/cluster/protocol/chunk_result.hpp"
#include "artel/cluster/remote_task.hpp"
#include "artel/core/error.hpp"
#include "artel/parallel/lazy_map.hpp"
#include "artel/parallel/map.hpp"
#include "tests/cluster/worker_fleet.hpp"
#include "tests/temporary_folder.hpp"

namespace artel::cluster::detail {

ARTEL_TASK(threefold, int, int x) { return 3 * x; }

namespace {

ChunkResult result_of(std::uint64_t index, std::string output) {
  ChunkResult result{.job = "job", .worker = "worker"};
  result.index = index;
  result.output = std::move(output);
  return result;
}

TEST(ResultJournal, FindsWhatIsThereWhenOpenedAgain) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "j";
  {
    const auto journal = ResultJournal::open(path).value();
    ASSERT_TRUE(journal->begin_job("job-1"));
    ASSERT_TRUE(journal->add(7, result_of(0, "zero")));
    ASSERT_TRUE(journal->add(8, result_of(1, "one")));
    EXPECT_TRUE(journal->earlier_jobs().empty());
  }
  const auto journal = ResultJournal::open(path).value();
  EXPECT_EQ(journal->size(), 2);
  EXPECT_EQ(journal->earlier_jobs(), std::vector<std::string>{"job-1"});
  // NOLINTNEXTLINE(bugprone-unchecked-optional-access): a missing one throws, and the test fails
  EXPECT_EQ(journal->find(1, 8).value().value().output, "one");
  EXPECT_FALSE(journal->find(1, 9).value());  // another chunk
  EXPECT_FALSE(journal->find(2, 8).value());
}

TEST(ResultJournal, DropsWhatACrashCutOff) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "j";
  {
    const auto journal = ResultJournal::open(path).value();
    ASSERT_TRUE(journal->add(7, result_of(0, "zero")));
    ASSERT_TRUE(journal->add(8, result_of(1, "one")));
  }
  const auto whole = std::filesystem::file_size(path);
  for (std::uintmax_t size = whole; size-- > 0;) {
    std::filesystem::resize_file(path, size);
    const auto journal = ResultJournal::open(path).value();
    EXPECT_LE(journal->size(), 1);
    ASSERT_TRUE(journal->add(9, result_of(5, "five")));
    // NOLINTNEXTLINE(bugprone-unchecked-optional-access): a missing one throws, and the test fails
    EXPECT_EQ(journal->find(5, 9).value().value().output, "five");
  }
}

TEST(ResultJournal, RefusesOtherFilesAndASecondUser) {
  const TemporaryFolder folder;
  const auto text = folder.path() / "text";
  std::ofstream(text) << "this is precious";
  const auto refused = ResultJournal::open(text);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::parse);
  EXPECT_EQ(std::filesystem::file_size(text), 16);

  const auto path = folder.path() / "j";
  const auto first = ResultJournal::open(path);
  ASSERT_TRUE(first);
  EXPECT_EQ(ResultJournal::open(path).error().code, ErrorCode::full);
}

TEST(ResultJournal, AMapGoesOnWhereADeadMasterStopped) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "j";
  std::vector<int> items(200);
  for (int i = 0; i < 200; ++i) items[static_cast<std::size_t>(i)] = i;
  Crew crew;
  crew.hire(1);
  {
    Cluster cluster = crew.connect();
    auto resumable = cluster.resumable(path);
    ASSERT_TRUE(resumable) << to_string(resumable.error());
    int seen = 0;
    for (const int result : parallel::lazy_map(*resumable, items, threefold, {.chunk = 10})) {
      ASSERT_EQ(result, 3 * seen);
      if (++seen == 95) break;
    }
  }
  Cluster cluster = crew.connect();
  items[0] = 1000;  // the first chunk is another one now
  auto resumable = cluster.resumable(path);
  ASSERT_TRUE(resumable) << to_string(resumable.error());
  EXPECT_GE(resumable->chunks_kept(), 10);
  const auto results = parallel::map(*resumable, items, threefold, {.chunk = 10});
  for (std::size_t i = 0; i < 200; ++i) ASSERT_EQ(results[i], 3 * items[i]);
  EXPECT_GE(cluster.counts().resumed, 9);
  EXPECT_EQ(cluster.counts().resumed + cluster.counts().chunks.done, 20);
}

}  // namespace
}  // namespace artel::cluster::detail
