// What docs/cluster-security.md lets every role do is enough, and no more than it says: its own
// configuration, on a real server.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nats/nats.h>
#include <nats/status.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <mutex>
#include <sstream>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "artel/cluster/cluster.hpp"
#include "artel/cluster/cluster_options.hpp"
#include "artel/cluster/connection.hpp"
#include "artel/cluster/dead_letters.hpp"
#include "artel/cluster/engine_handle.hpp"
#include "artel/cluster/local_server.hpp"
#include "artel/cluster/pool_status.hpp"
#include "artel/cluster/protocol/queue_options.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/cluster/remote_task.hpp"
#include "artel/cluster/remove_pool.hpp"
#include "artel/cluster/secret.hpp"
#include "artel/cluster/worker_node.hpp"
#include "artel/core/error.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/parallel/map.hpp"
#include "tests/cluster/swarm_task.hpp"

namespace artel::cluster {

ARTEL_TASK(rights_large, std::string, int size) {
  return std::string(static_cast<std::size_t>(size), 'x');
}

namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

// The block of the page that begins with "authorization", with every password the same.
std::string accounts() {
  std::stringstream page;
  page << std::ifstream(ARTEL_SOURCE_DIR "/docs/cluster-security.md").rdbuf();
  const std::string text = page.str();
  const auto begin = text.find("\nauthorization");
  std::string block = text.substr(begin, text.find("\n```", begin) - begin + 1);
  for (auto at = block.find("password: $"); at != std::string::npos;
       at = block.find("password: $", at + 1)) {
    const auto name = at + std::string_view("password: ").size();
    block.replace(name, block.find(',', name) - name, "p");
  }
  return block;
}

class Roles : public testing::Test {
 protected:
  [[nodiscard]] ClusterOptions as(const std::string& user, const std::string& inbox) const {
    ClusterOptions options = server_.cluster();
    options.pool = "films";
    options.user = user;
    options.password = Secret("p");
    options.inbox_prefix = inbox;
    return options;
  }
  [[nodiscard]] ClusterOptions worker() const { return as("worker", "_W.worker"); }
  [[nodiscard]] ClusterOptions ann() const { return as("ann", "_M.ann"); }
  [[nodiscard]] ClusterOptions anns_operator() const { return as("operator", "_M.operator"); }

  // What the server says of it.
  enum class Deed : std::uint8_t { publish, subscribe };
  static std::string refusal(const ClusterOptions& who, Deed deed, const std::string& subject) {
    std::mutex lock;
    std::string said;
    const auto connection = Connection::connect(who, {.problem = [&](const Error& error) {
                                                  const std::scoped_lock guard(lock);
                                                  said = error.what;
                                                }});
    if (!connection) return to_string(connection.error());
    EngineHandle<natsSubscription> subscription;
    if (deed == Deed::publish) {
      EXPECT_EQ(natsConnection_PublishString(connection->handle(), subject.c_str(), ""), NATS_OK);
    } else {
      EXPECT_EQ(natsConnection_SubscribeSync(OutHandle(subscription), connection->handle(),
                                             subject.c_str()),
                NATS_OK);
    }
    EXPECT_TRUE(connection->flush(5s));
    const auto deadline = std::chrono::steady_clock::now() + 5s;
    while (std::chrono::steady_clock::now() < deadline) {
      const std::scoped_lock guard(lock);
      if (!said.empty()) return said;
    }
    return "nothing";
  }

  LocalServer server_ = LocalServer::start({.settings = accounts(), .token = false}).value();
};

TEST_F(Roles, AreEnoughForWhatEachDoes) {
  std::mutex mutex;
  std::vector<std::string> problems;
  const auto node = WorkerNode::connect(
      {.cluster = worker(), .threads = 2, .on_problem = [&](const Error& error) {
         const std::scoped_lock lock(mutex);
         problems.push_back(to_string(error));
       }});
  ASSERT_TRUE(node) << to_string(node.error());
  const std::jthread working([&](const std::stop_token& stop) { (*node)->run(stop); });

  std::vector<std::uint64_t> items;
  for (std::uint64_t i = 0; i < 100; ++i) items.push_back(i);
  // From the queue that all share, and from its own, with beacons.
  for (const auto& queue : {QueueOptions{}, QueueOptions{.dispatch = dispatch::ClosedLoop{}}}) {
    auto cluster = Cluster::connect(ann(), queue);
    ASSERT_TRUE(cluster) << to_string(cluster.error());
    EXPECT_EQ(cluster->workers().size(), 1);
    const auto results = parallel::map(*cluster, items, swarm_work);
    ASSERT_EQ(results.size(), items.size());
    for (const auto item : items)
      EXPECT_EQ(results[static_cast<std::size_t>(item)], swarm_work(item));
    // In pieces, which the master answers.
    const auto large = parallel::map(*cluster, std::vector{9 << 20}, rights_large);
    EXPECT_EQ(large.front().size(), std::size_t{9} << 20U);
  }
  const auto connection = Connection::connect(anns_operator()).value();
  const auto status = pool_status(connection, "films", 10ms);
  ASSERT_TRUE(status) << to_string(status.error());
  EXPECT_EQ(status->workers.size(), 1);
  EXPECT_TRUE(dead_letters(connection, Subjects("films")));
  const auto removed = remove_pool(connection, "films", WhatWaits::remove);
  EXPECT_TRUE(removed) << to_string(removed.error());
  const std::scoped_lock lock(mutex);
  EXPECT_EQ(problems, std::vector<std::string>{});
}

TEST_F(Roles, AreNoMoreThanThat) {
  const auto violation = HasSubstr("Permissions Violation");
  EXPECT_THAT(refusal(worker(), Deed::publish, "mr.films.t.s.S_1.job.0"), violation);
  EXPECT_THAT(refusal(worker(), Deed::publish, "mr.other.hb.w"), violation);
  EXPECT_THAT(refusal(worker(), Deed::publish, "$JS.API.STREAM.DELETE.MR_films"), violation);
  EXPECT_THAT(refusal(worker(), Deed::publish, "$JS.API.STREAM.MSG.GET.MR_films"), violation);
  EXPECT_THAT(refusal(worker(), Deed::subscribe, "mr.films.t.>"), violation);
  EXPECT_THAT(refusal(worker(), Deed::subscribe, "_M.>"), violation);
  EXPECT_THAT(refusal(worker(), Deed::subscribe, "_W.>"), violation);
  EXPECT_THAT(refusal(worker(), Deed::subscribe, "_W.worker-lab7.>"), violation);
  EXPECT_THAT(refusal(ann(), Deed::subscribe, "_M.>"), violation);
  EXPECT_THAT(refusal(ann(), Deed::subscribe, "_M.bob.>"), violation);
  EXPECT_THAT(refusal(ann(), Deed::subscribe, "_W.>"), violation);
  EXPECT_THAT(refusal(ann(), Deed::publish, "mr.films.hb.w"), violation);
  EXPECT_THAT(refusal(ann(), Deed::publish, "$JS.API.STREAM.DELETE.MR_films"), violation);
  EXPECT_THAT(refusal(anns_operator(), Deed::subscribe, "mr.films.hb.*"), violation);
  EXPECT_THAT(refusal(anns_operator(), Deed::publish, "_M.ann.x"), violation);
  EXPECT_THAT(refusal(anns_operator(), Deed::publish, "mr.films.hb.w"), violation);
  EXPECT_THAT(refusal(anns_operator(), Deed::subscribe, "_M.ann.>"), violation);
}

TEST(Accounts, OfTwoTeamsWithAPoolOfOneNameDoNotSeeEachOther) {
  const auto server = LocalServer::start({.settings = R"(accounts {
  ours { jetstream: enabled, users: [{ user: ours, password: p }] }
  theirs { jetstream: enabled, users: [{ user: theirs, password: p }] }
})",
                                          .token = false});
  ASSERT_TRUE(server) << to_string(server.error());
  const auto as = [&](const std::string& user) {
    ClusterOptions options = server->cluster();
    options.pool = "films";
    options.user = user;
    options.password = Secret("p");
    return options;
  };
  const auto node = WorkerNode::connect({.cluster = as("ours"), .threads = 1}).value();
  const std::jthread working([&](const std::stop_token& stop) { node->run(stop); });
  auto cluster = Cluster::connect(as("ours")).value();
  EXPECT_EQ(parallel::map(cluster, std::vector<std::uint64_t>{1}, swarm_work).size(), 1);
  const auto status_of = [&](const std::string& user) {
    return pool_status(Connection::connect(as(user)).value(), "films", 10ms).value();
  };
  EXPECT_EQ(status_of("ours").workers.size(), 1);
  EXPECT_GT(status_of("ours").arrived, 0);
  EXPECT_EQ(status_of("theirs").workers.size(), 0);
  EXPECT_EQ(status_of("theirs").arrived, 0);
}

// With one user each, but no prefix of their own, everybody receives what is for anybody.
TEST(Inboxes, AreBelowOneSubjectWithoutAPrefix) {
  const auto server = LocalServer::start().value();
  ClusterOptions options = server.cluster();
  EXPECT_TRUE(Connection::connect(options).value().new_inbox().starts_with("_INBOX."));
  options.inbox_prefix = "_M.ann";
  EXPECT_TRUE(Connection::connect(options).value().new_inbox().starts_with("_M.ann."));
}

}  // namespace
}  // namespace artel::cluster
