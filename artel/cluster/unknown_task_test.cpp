// Maps for which there is no worker, or none that knows the task.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <string>
#include <thread>
#include <vector>

#include "artel/cluster/cluster.hpp"
#include "artel/cluster/protocol/queue_options.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/cluster/protocol/worker_report.hpp"
#include "artel/cluster/remote_task.hpp"
#include "artel/cluster/task_registry.hpp"
#include "artel/core/error.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/parallel/map.hpp"
#include "artel/pool/task_error.hpp"
#include "tests/cluster/worker_fleet.hpp"

namespace artel::cluster {

ARTEL_TASK(cubed, std::int64_t, int x) { return std::int64_t{x} * x * x; }

namespace {

using namespace std::chrono_literals;

std::ptrdiff_t pulling_from(const std::string& queue, const std::vector<WorkerReport>& workers) {
  return std::ranges::count_if(workers, [&](const WorkerReport& report) {
    return std::ranges::find(report.queues, queue) != report.queues.end();
  });
}

TEST(Cluster, AnUnknownTaskIsRefusedByName) {
  const TaskRegistry nothing;  // outlives the worker that reads it
  Crew crew;
  crew.hire(1, {.threads = 1, .registry = &nothing});
  QueueOptions options = Crew::impatient();
  options.worker_timeout = 500ms;
  Cluster cluster = crew.connect(options);
  try {
    static_cast<void>(parallel::map(cluster, std::views::iota(0, 5), cubed));
    FAIL() << "nothing was thrown";
  } catch (const pool::TaskError& error) {
    EXPECT_EQ(error.error().code, ErrorCode::not_found);
    EXPECT_NE(error.error().what.find("cubed"), std::string::npos) << error.what();
  }
}

// Whoever is the first to answer does not decide for all.
TEST(Cluster, AWorkerThatKnowsTheTaskMayComeAfterOneThatDoesNot) {
  const TaskRegistry nothing;
  Crew crew;
  crew.hire(1, {.threads = 1, .registry = &nothing});
  Cluster cluster = crew.connect();
  std::vector<std::int64_t> results;
  std::atomic<bool> read = false;
  const auto source = std::views::iota(0, 20) | std::views::transform([&](int x) {
                        read = true;
                        read.notify_all();
                        return x;
                      });
  std::thread caller([&] { results = parallel::map(cluster, source, cubed, {.chunk = 1}); });
  read.wait(false);  // it has begun, with nobody who could do it
  crew.hire(1, {.threads = 1});
  caller.join();
  EXPECT_EQ(results.size(), 20);
}

TEST(Cluster, WhatNeedsATagGoesToThoseWhoHaveIt) {
  Crew crew;
  crew.hire(1, {.threads = 1});
  crew.hire(1, {.threads = 1, .tags = {"gpu", "big-memory"}});
  for (const bool own : {false, true}) {
    QueueOptions options = Crew::impatient();
    options.needs = {"gpu"};
    if (own) options.dispatch = dispatch::RoundRobin{};
    Cluster cluster = crew.connect(options);
    EXPECT_EQ(parallel::map(cluster, std::views::iota(0, 20), cubed, {.chunk = 1}).size(), 20);
    if (own) continue;  // then the policy may choose one that passes it on
    EXPECT_EQ(cluster.counts().refused, 0);
    EXPECT_EQ(pulling_from(Subjects::queue_of(cubed.key(), {}, {"gpu"}), cluster.workers()), 1);
  }
  QueueOptions options = Crew::impatient();
  options.worker_timeout = 300ms;
  options.needs = {"gpu", "host:nowhere"};
  Cluster cluster = crew.connect(options);
  try {
    static_cast<void>(parallel::map(cluster, std::views::iota(0, 5), cubed));
    FAIL() << "nothing was thrown";
  } catch (const pool::TaskError& error) {
    EXPECT_NE(error.error().what.find("no tag 'host:nowhere'"), std::string::npos) << error.what();
  }
}

TEST(Cluster, WithoutWorkersItGivesUpInTheEnd) {
  Crew crew;
  QueueOptions options = Crew::impatient();
  options.worker_timeout = 200ms;
  Cluster cluster = crew.connect(options);
  const auto code_of = [](const auto& call) {
    try {
      static_cast<void>(call());
    } catch (const pool::TaskError& error) {
      return error.error().code;
    }
    return ErrorCode{};
  };
  const auto items = std::views::iota(0, 5);
  EXPECT_EQ(code_of([&] { return parallel::map(cluster, items, cubed); }), ErrorCode::timeout);
  EXPECT_EQ(code_of([&] { return parallel::map_collect(cluster, items, cubed); }),
            ErrorCode::timeout);
}

}  // namespace
}  // namespace artel::cluster
