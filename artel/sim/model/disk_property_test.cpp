#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/component.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/task.hpp"
#include "artel/sim/model/disk.hpp"
#include "artel/sim/model/operation_id.hpp"
#include "artel/trace/fingerprint.hpp"

namespace artel::sim {
namespace {

// 1000 bytes, reads 100 bytes/s, writes 50 bytes/s.
DiskOptions plain_disk() {
  return {.capacity = 1000, .read = {.bandwidth = 100}, .write = {.bandwidth = 50}};
}

/// Writes down when reads end.
struct Witness : Component<DiskReadDone> {
  void on(const DiskReadDone& done) { ends.emplace_back(done.operation, now()); }
  std::vector<std::pair<OperationId, Instant>> ends;
};

// --- Both styles are the same model.

struct Go {
  std::uint64_t bytes = 0;
};

/// Reads, then writes as much, then frees the space, for each Go. Both versions begin in a process,
/// so that their events can be the same.
struct Copier : Component<Go, DiskReadDone, DiskWriteDone> {
  Copier(Disk& on_disk, bool in_tasks) : disk(&on_disk), tasks(in_tasks) {}

  void on(const Go& go) { spawn(tasks ? copy(go.bytes) : begin(go.bytes)); }
  Task<> copy(std::uint64_t bytes) {
    const DiskOutcome reading = co_await disk->read(bytes);
    if (reading != DiskOutcome::done) co_return;
    const DiskOutcome writing = co_await disk->write(bytes);
    if (writing == DiskOutcome::done) disk->free(bytes);
  }
  Task<> begin(std::uint64_t bytes) {
    disk->start_read(bytes, id());
    co_return;
  }
  void on(const DiskReadDone& done) {
    if (done.outcome == DiskOutcome::done) disk->start_write(done.bytes, id());
  }
  void on(const DiskWriteDone& done) {
    if (done.outcome == DiskOutcome::done) disk->free(done.bytes);
  }

  Disk* disk;
  bool tasks;
};

struct Submission {
  std::uint64_t bytes = 0;
  Duration at{};
};

std::pair<trace::Fingerprint, std::uint64_t> copy_all(const std::vector<Submission>& submissions,
                                                      bool in_tasks) {
  Simulation simulation({.fingerprint = true});
  DiskOptions options = plain_disk();
  options.write.operations_max = 3;
  Disk& disk = simulation.add<Disk>("disk", options);
  Copier& copier = simulation.add<Copier>("copier", disk, in_tasks);
  for (const Submission& one : submissions) copier.emit_self(Go{one.bytes}, one.at);
  simulation.run();
  EXPECT_EQ(disk.used(), 0U);
  return {simulation.fingerprint(), simulation.event_count()};
}

RC_GTEST_PROP(DiskProperty, CallbacksAndTasksGiveTheSameFingerprint, ()) {
  std::vector<Submission> submissions;
  for (int i = *rc::gen::inRange(1, 20); i > 0; --i) {
    submissions.push_back({*rc::gen::inRange<std::uint64_t>(0, 1100),
                           std::chrono::milliseconds(*rc::gen::inRange(0, 5000))});
  }
  RC_ASSERT(copy_all(submissions, true) == copy_all(submissions, false));
}

// --- Against the definition, computed anew at every end.

/// One channel of a disk: who is under way gets an equal part, the others wait in order.
std::vector<double> naive_ends(const std::vector<Submission>& reads, double bandwidth,
                               std::size_t operations_max) {
  std::vector<double> ends(reads.size());
  std::vector<double> left;
  for (const Submission& one : reads) left.push_back(static_cast<double>(one.bytes));
  std::vector<std::size_t> under_way;
  std::deque<std::size_t> waiting;
  std::size_t next = 0;
  double now = 0;
  while (next < reads.size() || !under_way.empty()) {
    double least = 1e18;
    for (const std::size_t i : under_way) least = std::min(least, left[i]);
    const auto n = static_cast<double>(under_way.size());
    const double end = under_way.empty() ? 1e18 : now + least * n / bandwidth;
    const double arrival = next < reads.size() ? to_seconds(reads[next].at) : 1e18;
    const double then = std::min(end, arrival);
    for (const std::size_t i : under_way) left[i] -= (then - now) * bandwidth / n;
    now = then;
    if (arrival < end) {
      waiting.push_back(next++);
    } else {
      std::erase_if(under_way, [&](std::size_t i) {
        const bool ended = left[i] < 1e-6;
        if (ended) ends[i] = now;
        return ended;
      });
    }
    while (!waiting.empty() && under_way.size() < operations_max) {
      under_way.push_back(waiting.front());
      waiting.pop_front();
    }
  }
  return ends;
}

RC_GTEST_PROP(DiskProperty, AgreesWithRecomputingEveryRate, ()) {
  std::vector<Submission> reads;
  Duration at{};
  for (int i = *rc::gen::inRange(1, 30); i > 0; --i) {
    at += std::chrono::milliseconds(*rc::gen::inRange(0, 3000));
    reads.push_back({*rc::gen::inRange<std::uint64_t>(1, 500), at});
  }
  const auto operations_max = *rc::gen::inRange<std::size_t>(1, 6);
  Simulation simulation;
  DiskOptions options = plain_disk();
  options.read.operations_max = operations_max;
  Disk& disk = simulation.add<Disk>("disk", options);
  Witness& witness = simulation.add<Witness>("witness");
  std::vector<OperationId> ids;
  for (const Submission& one : reads) {
    simulation.run_until(Instant{one.at});
    ids.push_back(disk.start_read(one.bytes, witness.id()));
  }
  simulation.run();
  const std::vector<double> ends = naive_ends(reads, 100, operations_max);
  RC_ASSERT(witness.ends.size() == reads.size());
  for (const auto& [operation, end] : witness.ends) {
    std::size_t i = ids.size();
    while (ids[--i] != operation) RC_ASSERT(i > 0U);
    RC_ASSERT(std::abs(to_seconds(end) - ends[i]) < 1e-6);
  }
}

}  // namespace
}  // namespace artel::sim
