// Items that cost every worker its life, among others that do not.
#include <gtest/gtest.h>
#include <poll.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <ranges>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "artel/cluster/cluster.hpp"
#include "artel/cluster/cluster_options.hpp"
#include "artel/cluster/local_server.hpp"
#include "artel/cluster/protocol/queue_options.hpp"
#include "artel/command/child.hpp"
#include "artel/core/error.hpp"
#include "artel/parallel/lazy_map.hpp"
#include "artel/parallel/map.hpp"
#include "artel/pool/task_error.hpp"
#include "tests/cluster/swarm_task.hpp"
#include "tests/cluster/worker_process.hpp"

namespace artel::cluster {
namespace {

using namespace std::chrono_literals;

// Worker processes; when one ends, another takes its place.
class Replacements {
 public:
  Replacements(const ClusterOptions& cluster, std::size_t workers)
      : thread_([=, servers = server_list(cluster)](const std::stop_token& stop) {
          std::vector<command::Child> crew;
          while (!stop.stop_requested()) {
            while (crew.size() < workers) crew.push_back(start_worker(servers, ""));
            std::vector<pollfd> ends;
            for (const auto& worker : crew) ends.push_back({worker.file(), POLLIN, 0});
            ::poll(ends.data(), ends.size(), 50);
            std::erase_if(crew, [&](command::Child& worker) {
              const auto end = std::ranges::find(ends, worker.file(), &pollfd::fd);
              if (end == ends.end() || end->revents == 0) return false;
              worker.wait();
              return true;
            });
          }
        }) {}

 private:
  std::jthread thread_;
};

// Unforgiving: whatever was at hand in one crash is suspect.
// One lost lease is all that it takes: so it is one that a busy machine does not lose.
QueueOptions strict() { return {.lease = 1s, .tries = 1}; }

void expect_its_failure(const auto& outcome, std::uint64_t item) {
  ASSERT_FALSE(outcome.has_value()) << item;
  EXPECT_EQ(outcome.error().index, item);
  EXPECT_EQ(outcome.error().attempts, 3);  // one try, and a trial of two
  try {
    std::rethrow_exception(outcome.error().exception);
  } catch (const pool::TaskError& error) {
    EXPECT_EQ(error.error().code, ErrorCode::closed);
    EXPECT_NE(error.error().what.find("was lost, 3 times"), std::string::npos) << error.what();
  }
}

constexpr std::uint64_t kItems = 60;

TEST(DeadlyItems, AreFailuresOfTheirOwnWhenResultsAreCollected) {
  const auto server = LocalServer::start({.token = false}).value();
  const Replacements workers(server.cluster(), 1);
  auto cluster = Cluster::connect(server.cluster(), strict());
  ASSERT_TRUE(cluster) << to_string(cluster.error());
  std::uint64_t item = 0;
  for (const auto& outcome : parallel::lazy_map_collect(
           *cluster, std::views::iota(std::uint64_t{0}, kItems), swarm_deadly, {.chunk = 1})) {
    if (is_deadly(item)) {
      expect_its_failure(outcome, item);
    } else {
      ASSERT_TRUE(outcome.has_value()) << item;
      EXPECT_EQ(*outcome, item + 1);
    }
    ++item;
  }
  EXPECT_EQ(item, kItems);
  EXPECT_EQ(cluster->counts().dead, 5);
}

TEST(DeadlyItems, TakeTheirChunkWithThem) {
  constexpr std::uint64_t kChunk = 3;
  const auto server = LocalServer::start({.token = false}).value();
  const Replacements workers(server.cluster(), 1);
  auto cluster = Cluster::connect(server.cluster(), strict());
  ASSERT_TRUE(cluster) << to_string(cluster.error());
  const auto outcomes = parallel::map_collect(*cluster, std::views::iota(std::uint64_t{0}, kItems),
                                              swarm_deadly, {.chunk = kChunk});
  ASSERT_EQ(outcomes.size(), kItems);
  for (std::uint64_t item = 0; item < kItems; ++item) {
    const auto chunk = std::views::iota(item / kChunk * kChunk, (item / kChunk + 1) * kChunk);
    const auto& outcome = outcomes[static_cast<std::size_t>(item)];
    if (std::ranges::any_of(chunk, is_deadly)) {
      expect_its_failure(outcome, item);
    } else {
      EXPECT_TRUE(outcome.has_value()) << item;
    }
  }
}

TEST(DeadlyItems, EndAMapThatDoesNotCollect) {
  const auto server = LocalServer::start({.token = false}).value();
  const Replacements workers(server.cluster(), 1);
  auto cluster = Cluster::connect(server.cluster(), strict());
  ASSERT_TRUE(cluster) << to_string(cluster.error());
  std::uint64_t item = 0;
  try {
    for (const auto next : parallel::lazy_map(*cluster, std::views::iota(std::uint64_t{0}, kItems),
                                              swarm_deadly, {.chunk = 1})) {
      ASSERT_EQ(next, ++item);
    }
    ADD_FAILURE() << "nothing was thrown";
  } catch (const pool::TaskError& error) {
    EXPECT_EQ(error.error().code, ErrorCode::closed) << error.what();
    EXPECT_TRUE(is_deadly(item)) << item;
  }
}

}  // namespace
}  // namespace artel::cluster
