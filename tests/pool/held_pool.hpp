#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <latch>
#include <thread>
#include <utility>

#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/pool/pool_stats.hpp"

namespace artel::pool {

/// A deadline for what happens at once on a machine with time for it.
inline Instant soon() { return later(steady_now(), std::chrono::seconds(20)); }

/// Whether it becomes true soon.
template <class Condition>
bool happens_soon(const Condition& condition) {
  const Instant end = pool::soon();
  while (!condition()) {
    if (steady_now() >= end) return false;
    std::this_thread::yield();
  }
  return true;
}

/// accepted = done + failed + cancelled + expired.
inline void expect_accounts_close(const PoolStats& stats) {
  EXPECT_EQ(stats.accepted, stats.total.outcomes.ended());
}

/// A pool of one worker that is held up until release() is called.
class HeldPool {
 public:
  explicit HeldPool(PoolOptions options) : pool_(std::move(options)) {
    pool_.post([this] {
      started_.count_down();
      go_.wait();
    });
    started_.wait();
  }
  ~HeldPool() { release(); }
  Pool* operator->() { return &pool_; }
  Pool& operator*() { return pool_; }
  void release() {
    if (!std::exchange(released_, true)) go_.count_down();
  }

 private:
  std::latch started_{1}, go_{1};
  bool released_ = false;
  Pool pool_;
};

}  // namespace artel::pool
