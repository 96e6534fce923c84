// What a master and a worker say, and do in the end, when their server is gone, or refuses them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nats/nats.h>
#include <nats/status.h>
#include <signal.h>

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <mutex>
#include <sstream>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "artel/cluster/cluster.hpp"
#include "artel/cluster/cluster_options.hpp"
#include "artel/cluster/connection.hpp"
#include "artel/cluster/local_server.hpp"
#include "artel/cluster/protocol/queue_options.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/cluster/remote_task.hpp"
#include "artel/cluster/secret.hpp"
#include "artel/cluster/worker_node.hpp"
#include "artel/core/error.hpp"
#include "artel/parallel/map.hpp"
#include "artel/pool/task_error.hpp"
#include "tests/cluster/worker_fleet.hpp"
#include "tests/temporary_folder.hpp"

namespace artel::cluster {

ARTEL_TASK(halved, int, int x) { return x / 2; }
ARTEL_TASK(measured, std::size_t, const std::string& text) { return text.size(); }

namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;

const std::vector<int> numbers{2, 4, 6, 8};
const QueueOptions impatient{.lease = 300ms, .patience = 300ms, .worker_timeout = 1s};

// What was told on the way.
class Heard {
 public:
  std::function<void(const Error&)> hook() {
    return [this](const Error& error) {
      const std::scoped_lock lock(mutex_);
      all_ += to_string(error) + "\n";
      changed_.notify_all();
    };
  }
  bool wait_for(const std::string& text) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, 20s, [&] { return all_.find(text) != std::string::npos; });
  }
  std::string all() {
    const std::scoped_lock lock(mutex_);
    return all_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string all_;
};

template <class Items, class Task>
Error failure_of(Cluster& cluster, const Items& items, const Task& task) {
  try {
    static_cast<void>(parallel::map(cluster, items, task, {.chunk = 1}));
  } catch (const pool::TaskError& error) {
    return error.error();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

TEST(LostConnection, AServerThatIsGoneIsSaidAtOnceAndEndsTheMap) {
  Heard heard;  // outlives the cluster
  Crew crew;
  crew.hire(1);
  auto cluster = Cluster::connect(crew.server().cluster(), impatient, heard.hook());
  ASSERT_TRUE(cluster) << to_string(cluster.error());
  EXPECT_EQ(parallel::map(*cluster, numbers, halved).size(), 4);
  crew.server().stop(0, SIGKILL);
  EXPECT_TRUE(heard.wait_for("the connection is lost; trying to get it back"));
  EXPECT_THAT(heard.all(), HasSubstr("nats://127.0.0.1:"));
  const Error error = failure_of(*cluster, numbers, halved);
  EXPECT_EQ(error.code, ErrorCode::timeout);
  EXPECT_THAT(error.what, HasSubstr("no connection to the server for 1.00 s"));
  // It is tried again all the while.
  ASSERT_TRUE(crew.server().start_again(0));
  for (int tries = 0;; ++tries) {
    try {
      EXPECT_EQ(parallel::map(*cluster, numbers, halved).size(), 4);
      break;
    } catch (const pool::TaskError& again) {
      ASSERT_LT(tries, 20) << again.what();
    }
  }
}

void restart(LocalServer& server) {
  server.stop(0, SIGTERM);
  const auto started = server.start_again(0);
  ASSERT_TRUE(started) << to_string(started.error());
}

// Restarts it with another file.
void restart_with(LocalServer& server, const std::function<void(std::string&)>& change) {
  const auto file = server.folder() / "node1.conf";
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  std::string changed = text.str();
  change(changed);
  std::ofstream(file) << changed;
  restart(server);
}

// As an operator does who changes the password.
void change_token(LocalServer& server, const std::string& token) {
  restart_with(server, [&](std::string& text) {
    const std::string known = server.cluster().token.reveal();
    text.replace(text.find(known), known.size(), token);
  });
}

// Core NATS works, and the connection breaks and is there again all the while: each time the
// workers report, and the queue does not answer.
TEST(LostConnection, AServerWithoutItsQueueEndsTheMapHoweverOftenTheConnectionIsBack) {
  Crew crew;
  crew.hire(1);
  QueueOptions options = impatient;
  options.worker_timeout = 3s;  // which a restart never takes
  auto cluster = Cluster::connect(crew.server().cluster(), options);
  ASSERT_TRUE(cluster) << to_string(cluster.error());
  restart_with(crew.server(), [](std::string& text) {
    const auto at = text.find("jetstream {");
    ASSERT_NE(at, std::string::npos);
    text.erase(at, text.find('\n', at) - at);
  });
  const std::jthread breaking([&](const std::stop_token& stop) {
    const auto deadline = std::chrono::steady_clock::now() + 60s;
    while (!stop.stop_requested() && std::chrono::steady_clock::now() < deadline)
      restart(crew.server());
    EXPECT_TRUE(stop.stop_requested()) << "the map goes on";
    crew.server().stop(0, SIGKILL);  // which ends it in any case
  });
  const Error error = failure_of(*cluster, numbers, halved);
  EXPECT_EQ(error.code, ErrorCode::timeout);
  EXPECT_THAT(error.what, HasSubstr("the queue has said nothing for 3.60 s"));
}

TEST(LostConnection, WhoIsNotKnownAnyMoreIsToldAndEnds) {
  Heard of_master;
  Heard of_worker;
  auto server = LocalServer::start().value();
  auto cluster = Cluster::connect(server.cluster(), impatient, of_master.hook());
  ASSERT_TRUE(cluster) << to_string(cluster.error());
  auto node = WorkerNode::connect(
      {.cluster = server.cluster(), .threads = 1, .on_problem = of_worker.hook()});
  ASSERT_TRUE(node) << to_string(node.error());
  std::jthread working([&](const std::stop_token& stop) { (*node)->run(stop); });
  change_token(server, "another");
  EXPECT_TRUE(of_master.wait_for("the server has shut the connection for good"));
  const Error error = failure_of(*cluster, numbers, halved);
  EXPECT_EQ(error.code, ErrorCode::closed);
  EXPECT_THAT(error.what, AllOf(HasSubstr("shut the connection for good"), HasSubstr("uthoriz")));
  EXPECT_TRUE(of_worker.wait_for("the server has shut the connection for good"));
  working.join();  // by itself
  EXPECT_TRUE((*node)->shut());
}

TEST(LostConnection, WhatIsNotPermittedIsSaidAtOnceAndInTheEnd) {
  Heard heard;
  Crew crew({.settings = R"(authorization { users: [
      { user: all, password: x }
      { user: ann, password: x, permissions: { publish: ["$JS.API.>", "mr.artel.who"] } } ] })",
             .token = false});
  ClusterOptions options = crew.server().cluster();
  options.password = Secret("x");
  options.user = "all";
  auto node = WorkerNode::connect({.cluster = options, .threads = 1});
  ASSERT_TRUE(node) << to_string(node.error());
  const std::jthread working([&](const std::stop_token& stop) { (*node)->run(stop); });
  options.user = "ann";
  auto cluster = Cluster::connect(options, impatient, heard.hook());
  ASSERT_TRUE(cluster) << to_string(cluster.error());
  const Error error = failure_of(*cluster, numbers, halved);
  EXPECT_THAT(heard.all(), HasSubstr(R"(Permissions Violation for Publish to "mr.artel.t.)"));
  EXPECT_EQ(heard.all().find("Permissions"), heard.all().rfind("Permissions"));  // once
}

TEST(LostConnection, AFullStoreEndsTheMapInTheServersWords) {
  const TemporaryFolder store;
  Crew crew({.settings = "jetstream { store_dir: \"" + store.path().string() +
                         "\", max_file: 1MB, max_mem: 1MB }\n",
             .jetstream = false});
  crew.hire(1);
  auto cluster = Cluster::connect(crew.server().cluster(), impatient);
  ASSERT_TRUE(cluster) << to_string(cluster.error());
  // For workers who never come.
  const auto connection = Connection::connect(crew.server().cluster()).value();
  const Subjects subjects("artel");
  const std::string large(100'000, 'x');
  natsStatus status = NATS_OK;
  for (std::uint64_t i = 0; i < 20 && status == NATS_OK; ++i) {
    jsErrCode detail{};
    status =
        js_Publish(nullptr, connection.jetstream(), subjects.task("S_nobody", {"other", i}).c_str(),
                   large.data(), static_cast<int>(large.size()), nullptr, &detail);
  }
  ASSERT_NE(status, NATS_OK);
  const Error error = failure_of(*cluster, std::vector<std::string>(4, large), measured);
  EXPECT_EQ(error.code, ErrorCode::full);
  EXPECT_THAT(error.what, AllOf(HasSubstr("the queue has been full"), HasSubstr("resource")));
}

}  // namespace
}  // namespace artel::cluster
