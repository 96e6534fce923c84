#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/service/service_options.hpp"
#include "artel/service/service_pool.hpp"

// What the tests of services share.

namespace artel::service {

/// The deadline of what should happen at once.
inline Instant soon() { return later(steady_now(), std::chrono::seconds(30)); }

/// accepted = done + failed + cancelled + expired.
template <class Service>
void expect_accounts_close(Service& service) {
  ASSERT_TRUE(service.wait_idle(soon()));
  const auto stats = service.stats().pool;
  EXPECT_EQ(stats.accepted, stats.total.outcomes.ended());
}

struct Add {
  int number;
};
struct Break {};
struct Throw {};
struct Where {};

/// What the workers of a test share.
struct World {
  std::atomic<int> built = 0;
  std::atomic<int> alive = 0;
  std::atomic<int> terminated = 0;
  std::atomic<int> refuse = 0;  // so many constructors throw
};

/// Adds up, throws and breaks as it is told; only on its own thread.
class Counter {
 public:
  explicit Counter(World* world) : world_(world) {
    if (world_->refuse.fetch_sub(1) > 0) throw std::runtime_error("no connection");
    ++world_->built;
    ++world_->alive;
  }
  Counter(const Counter&) = delete;
  Counter& operator=(const Counter&) = delete;
  ~Counter() {
    EXPECT_EQ(thread_, std::this_thread::get_id());
    --world_->alive;
  }

  int handle(const Add& add) {
    EXPECT_EQ(thread_, std::this_thread::get_id());
    return sum_ += add.number;
  }
  void handle(const Break& /*request*/) { throw WorkerFailure("lost the connection"); }
  void handle(const Throw& /*request*/) { throw std::invalid_argument("bad request"); }
  std::thread::id handle(const Where& /*request*/) { return thread_; }
  void terminate() noexcept { ++world_->terminated; }

 private:
  World* world_;
  std::thread::id thread_ = std::this_thread::get_id();
  int sum_ = 0;
};

using CounterPool = ServicePool<Counter>;

}  // namespace artel::service
