#include "artel/cluster/protocol/worker_machine.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/chunk_result.hpp"
#include "artel/cluster/protocol/worker_action.hpp"
#include "artel/cluster/protocol/worker_event.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster {
namespace {

using std::chrono::microseconds;
using std::chrono::seconds;

constexpr const char* kQueue = "S_1";

// A worker of that many threads that pulls from one queue.
class Puller {
 public:
  explicit Puller(unsigned threads)
      : machine_({.id = "w1", .threads = threads, .report_every = seconds(1)}, now_) {
    step(QueueCalled{{.queue = kQueue}});
    step(QueueLookedUp{kQueue, true});
  }

  // All that was asked for last comes.
  void get() {
    for (std::size_t i = asked_.back(); i > 0; --i) {
      auto order = std::make_shared<ChunkOrder>();
      order->index = came_++;
      order->lease = seconds(3);
      step(ChunkCame{kQueue, std::move(order), 1, "ack"});
    }
  }
  // The next one, in no time.
  void work() {
    step(ThreadReady{++worked_});
    step(ChunkWorked{.lease = worked_, .outcome = ChunkOutcome::done, .worked = microseconds(1)});
  }

  [[nodiscard]] std::size_t leased() const { return machine_.leased(); }
  [[nodiscard]] const std::vector<std::size_t>& asked() const { return asked_; }

 private:
  void step(const WorkerEvent& event) {
    for (const WorkerAction& action : machine_.step(event, now_)) {
      if (const auto* pull = std::get_if<Pull>(&action)) asked_.push_back(pull->batch);
    }
  }

  Instant now_ = later(Instant(), seconds(1));
  WorkerMachine machine_;
  std::vector<std::size_t> asked_;
  std::uint64_t came_ = 0;
  LeaseId worked_ = 0;
};

TEST(WorkerMachine, AsksForManyShortChunksTogetherWhenFewAreLeft) {
  Puller one(1);
  one.get();
  one.work();  // so it knows how short they are
  one.get();
  ASSERT_EQ(one.asked(), (std::vector<std::size_t>{2, 16}));
  while (one.asked().size() == 2 && one.leased() > 0) one.work();
  EXPECT_EQ(one.leased(), 5);
  EXPECT_EQ(one.asked().back(), 12);
}

TEST(WorkerMachine, OfSeveralThreadsAsksWhenHalfIsLeft) {
  Puller two(2);
  two.get();
  two.work();
  two.get();
  while (two.asked().size() == 2 && two.leased() > 0) two.work();
  EXPECT_EQ(two.leased(), 10);
  EXPECT_EQ(two.asked().back(), 8);
}

}  // namespace
}  // namespace artel::cluster
