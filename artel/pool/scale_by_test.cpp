#include "artel/pool/scale_by.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/pool/pool.hpp"
#include "artel/scaling/scaling_policy.hpp"

namespace artel::pool {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

// Waits for so many decisions, and keeps them.
class Decisions {
 public:
  void hear(const scaling::FleetSample& sample) {
    const std::lock_guard lock(lock_);
    samples_.push_back(sample);
  }
  [[nodiscard]] bool wait_for(const std::function<bool(const scaling::FleetSample&)>& seen) {
    const auto end = std::chrono::steady_clock::now() + 60s;
    for (std::size_t next = 0; std::chrono::steady_clock::now() < end;) {
      {
        const std::lock_guard lock(lock_);
        for (; next < samples_.size(); ++next) {
          if (seen(samples_[next])) return true;
        }
      }
      std::this_thread::sleep_for(1ms);
    }
    return false;
  }

 private:
  std::mutex lock_;
  std::vector<scaling::FleetSample> samples_;
};

TEST(ScaleBy, GrowsWithTheWorkAndComesBack) {
  Pool pool({.workers = 1, .workers_min = 1, .workers_max = 4});
  Decisions decisions;
  auto scaling = scale_by(pool,
                          scaling::Hpa{.period = 20ms,
                                       .target = 0.5,
                                       .stabilisation_down = 100ms,
                                       .up = {.workers = 4, .within = 20ms},
                                       .down = {.within = 20ms}},
                          [&](const auto& sample, unsigned) { decisions.hear(sample); });
  ASSERT_TRUE(scaling) << to_string(scaling.error());
  std::atomic<bool> enough = false;
  for (int i = 0; i < 3; ++i) {
    pool.post([&] {
      while (!enough) std::this_thread::sleep_for(1ms);
    });
  }
  EXPECT_TRUE(decisions.wait_for([](const auto& sample) { return sample.workers == 4; }));
  EXPECT_TRUE(decisions.wait_for([](const auto& sample) { return sample.in_service > 2; }))
      << "one runs as soon as there is a worker for it";
  enough = true;
  EXPECT_TRUE(decisions.wait_for(
      [](const auto& sample) { return sample.workers == 1 && sample.in_system == 0; }));
}

TEST(ScaleBy, SamplesSayWhatThePoolDid) {
  Pool pool({.workers = 1, .workers_max = 2});
  Decisions decisions;
  auto scaling =
      scale_by(pool, scaling::CustomScaling{.period = 20ms, .rule = [](const auto&) { return 1U; }},
               [&](const auto& sample, unsigned) { decisions.hear(sample); });
  ASSERT_TRUE(scaling);
  std::promise<void> go;
  pool.post([&] { go.get_future().wait(); });
  for (int i = 0; i < 10; ++i) pool.post([] {});
  EXPECT_TRUE(decisions.wait_for([](const auto& sample) { return sample.waiting == 10; }));
  EXPECT_TRUE(decisions.wait_for(
      [](const auto& sample) { return sample.in_system == 11 && sample.ready == 1; }));
  EXPECT_TRUE(decisions.wait_for([](const auto& sample) { return sample.arrivals > 0; }));
  go.set_value();
  EXPECT_TRUE(decisions.wait_for([](const auto& sample) { return sample.service_s > 0; }));
}

TEST(ScaleBy, RefusesWhatCannotBe) {
  Pool fixed({.workers = 2, .workers_min = 2});
  const auto refused = scale_by(fixed, scaling::Hpa{});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().what, HasSubstr("always has 2 workers"));
  Pool pool({.workers = 1, .workers_max = 2});
  const auto wrong = scale_by(pool, scaling::Hpa{.target = -1});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().what, "hpa: target: found -1, allowed: a number above 0");
}

TEST(ScaleBy, EndsWithItsHandle) {
  Pool pool({.workers = 2, .workers_min = 1, .workers_max = 2});
  std::atomic<int> asked = 0;
  {
    const auto scaling =
        scale_by(pool, scaling::CustomScaling{.period = 1ms, .rule = [&](const auto&) {
                                                ++asked;
                                                return 1U;
                                              }});
    while (asked < 3) std::this_thread::sleep_for(1ms);
  }
  const int then = asked;
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(asked, then);
  EXPECT_TRUE(pool.wait_resized());
  EXPECT_EQ(pool.size(), 1U);
}

TEST(PoolStats, AWorkerThatWasAwayWasNotBusy) {
  Pool pool({.workers = 2, .workers_min = 1, .workers_max = 2});
  pool.post([] {});
  ASSERT_TRUE(pool.wait_idle());
  ASSERT_TRUE(pool.resize(1));
  ASSERT_TRUE(pool.wait_resized());
  const auto before = pool.stats().workers[1].busy_time;
  std::this_thread::sleep_for(100ms);
  EXPECT_EQ(pool.stats().workers[1].busy_time, before);
  ASSERT_TRUE(pool.resize(2));
  EXPECT_LT(pool.stats().workers[1].busy_time, before + 90ms);
}

}  // namespace
}  // namespace artel::pool
