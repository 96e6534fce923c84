#include "artel/service/pool_registry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/service/service_pool.hpp"

namespace artel::service {
namespace {

using ::testing::HasSubstr;

struct Doubler {
  int handle(int number) { return 2 * number; }
};
struct Tripler {
  int handle(int number) { return 3 * number; }
};

TEST(PoolRegistry, FindsPoolsAndServicesByName) {
  PoolRegistry pools;
  ASSERT_TRUE(pools.make<pool::Pool>({.name = "io", .workers = 1}));
  ASSERT_TRUE(pools.make<ServicePool<Doubler>>({.pool = {.name = "double", .workers = 1}}));
  EXPECT_EQ((*pools.find("io"))->submit([] { return 1; }).get(), 1);
  EXPECT_EQ((*pools.find<ServicePool<Doubler>>("double"))->call(4).get(), 8);
  const auto listed = pools.list();
  ASSERT_EQ(listed.size(), 2U);
  EXPECT_EQ(listed[0].name, "io");
  EXPECT_FALSE(listed[0].service);
  EXPECT_EQ(listed[0].stats.accepted, 1U);
  EXPECT_EQ(listed[1].name, "double");
  EXPECT_TRUE(listed[1].service);
}

TEST(PoolRegistry, AnUnknownNameIsAnErrorWithTheNearest) {
  PoolRegistry pools;
  EXPECT_EQ(pools.find("io").error().what, "unknown pool 'io'; there are none");
  ASSERT_TRUE(pools.make<pool::Pool>({.name = "requests", .workers = 1}));
  const auto found = pools.find("request");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::not_found);
  EXPECT_THAT(found.error().what, HasSubstr("did you mean 'requests'?"));
  EXPECT_THAT(pools.remove("request").error().what, HasSubstr("did you mean 'requests'?"));
}

TEST(PoolRegistry, ANameCanBeTakenOnce) {
  PoolRegistry pools;
  ASSERT_TRUE(pools.make<pool::Pool>({.name = "io", .workers = 1}));
  const auto again = pools.make<ServicePool<Doubler>>({.pool = {.name = "io", .workers = 1}});
  ASSERT_FALSE(again);
  EXPECT_THAT(again.error().what, HasSubstr("there is a pool 'io' already"));
  EXPECT_FALSE(
      pools.add(std::make_shared<pool::Pool>(pool::PoolOptions{.name = "io", .workers = 1})));
  ASSERT_TRUE(pools.remove("io"));
  EXPECT_TRUE(pools.make<ServicePool<Doubler>>({.pool = {.name = "io", .workers = 1}}));
}

TEST(PoolRegistry, APoolOfAnotherKindIsAnError) {
  PoolRegistry pools;
  ASSERT_TRUE(pools.make<pool::Pool>({.name = "io", .workers = 1}));
  ASSERT_TRUE(pools.make<ServicePool<Doubler>>({.pool = {.name = "double", .workers = 1}}));
  EXPECT_THAT(pools.find<ServicePool<Doubler>>("io").error().what, HasSubstr("'io' is a Pool"));
  EXPECT_THAT(pools.find<ServicePool<Tripler>>("double").error().what,
              HasSubstr("is a ServicePool"));
  EXPECT_FALSE(pools.find("double"));
}

TEST(PoolRegistry, OptionsThatAreWrongAreAnError) {
  PoolRegistry pools;
  EXPECT_THAT(pools.make<pool::Pool>({.workers_min = 0}).error().what,
              HasSubstr("workers_min is 0"));
  EXPECT_EQ(pools.size(), 0U);
}

TEST(PoolRegistry, WhoeverFoundAPoolKeepsItButItIsStopped) {
  std::shared_ptr<pool::Pool> kept;
  {
    PoolRegistry pools;
    kept = *pools.make<pool::Pool>({.name = "io", .workers = 1});
    EXPECT_TRUE(kept->post([] {}) == pool::Admission::accepted);
  }
  EXPECT_TRUE(kept->stopped());
  EXPECT_TRUE(kept->post([] {}) == pool::Admission::closed);
}

TEST(PoolRegistry, StopsTheLastFirst) {
  std::vector<std::string> stopped;
  {
    PoolRegistry pools;
    for (const char* const name : {"first", "second", "third"}) {
      ASSERT_TRUE(pools.make<pool::Pool>(
          {.name = name, .workers = 1, .on_stop = [&stopped, name](WorkerId) {
             stopped.emplace_back(name);  // one thread at a time: the registry joins each
           }}));
    }
  }
  EXPECT_EQ(stopped, (std::vector<std::string>{"third", "second", "first"}));
}

TEST(PoolRegistry, CanBeUsedFromManyThreads) {
  PoolRegistry pools;
  std::atomic<int> made = 0, removed = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) {
        const std::string name = "pool" + std::to_string((i + t) % 5);
        if (pools.make<pool::Pool>({.name = name, .workers = 1})) ++made;
        if (auto found = pools.find(name)) static_cast<void>((*found)->submit([] {}));
        if (i % 10 == 0) static_cast<void>(pools.list());
        if (i % 3 == 0 && pools.remove(name)) ++removed;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(static_cast<std::size_t>(made - removed), pools.size());
}

}  // namespace
}  // namespace artel::service
