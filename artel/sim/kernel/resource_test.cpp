#include "artel/sim/kernel/resource.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/any_of.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/task.hpp"

namespace artel::sim {
namespace {

using namespace std::chrono_literals;

struct Request {
  std::string name;
  Duration comes;
  std::uint64_t units;
  std::int64_t priority;
  Duration holds;
};
struct Ward {
  Resource beds{3};
  std::vector<std::string> served;
};

Task<> use(Context& context, Ward& ward, Request request) {
  co_await context.sleep(request.comes);
  const Lease lease = co_await ward.beds.acquire(request.units, request.priority);
  ward.served.push_back(std::to_string(to_seconds(context.now() - Instant{})).substr(0, 3) + " " +
                        request.name);
  co_await context.sleep(request.holds);
}

std::vector<std::string> served(const std::vector<Request>& requests) {
  Ward ward;
  Simulation simulation;
  Context& context = simulation.add_context("ward");
  for (const Request& request : requests) context.spawn(use(context, ward, request));
  const auto finished = simulation.finish();
  EXPECT_TRUE(finished.has_value()) << to_string(finished.error());
  return ward.served;
}
using Served = std::vector<std::string>;

TEST(Resource, AnUrgentRequestThatFitsDoesNotWaitBehindALargeOneOfLessPriority) {
  EXPECT_EQ(
      served({{"routine", 0s, 1, 5, 6s}, {"group", 1s, 3, 9, 1s}, {"emergency", 2s, 1, 0, 1s}}),
      (Served{"0.0 routine", "2.0 emergency", "6.0 group"}));
}

TEST(Resource, TheFirstInLineThatDoesNotFitBlocksThoseBehindItAlsoIfTheyFit) {
  EXPECT_EQ(served({{"routine", 0s, 1, 5, 6s},
                    {"group", 1s, 3, 0, 1s},
                    {"equal", 2s, 1, 0, 1s},
                    {"less", 3s, 1, 9, 1s}}),
            (Served{"0.0 routine", "6.0 group", "7.0 equal", "7.0 less"}));
}

TEST(Resource, AnUrgentRequestThatDoesNotFitComesFirstAndBlocks) {
  EXPECT_EQ(served({{"routine", 0s, 2, 5, 6s},
                    {"group", 1s, 3, 9, 1s},
                    {"emergency", 2s, 2, 0, 1s},
                    {"less", 3s, 1, 5, 1s}}),
            (Served{"0.0 routine", "6.0 emergency", "6.0 less", "7.0 group"}));
}

// The process that has a bed waits for one that is more urgent than a request in between.
TEST(Resource, AHolderThatWaitsForAnUrgentProcessIsNoDeadlock) {
  Ward ward;
  Simulation simulation;
  Context& context = simulation.add_context("ward");
  context.spawn([](Context& self, Ward& in) -> Task<> {
    const Lease lease = co_await in.beds.acquire(1, 5);
    co_await self.sleep(2s);
    const Process<> urgent = self.spawn(use(self, in, {"urgent", 0s, 1, 0, 1s}));
    co_await urgent.join();
  }(context, ward));
  context.spawn(use(context, ward, {"group", 1s, 3, 9, 1s}));
  const auto finished = simulation.finish();
  EXPECT_TRUE(finished.has_value()) << to_string(finished.error());
  EXPECT_EQ(ward.served, (Served{"2.0 urgent", "3.0 group"}));
}

// any_of asks whether a part is ready before it starts one.
TEST(Resource, AnUrgentRequestWithinAnyOfIsServedAtOnceToo) {
  Ward ward;
  Simulation simulation;
  Context& context = simulation.add_context("ward");
  context.spawn(use(context, ward, {"routine", 0s, 1, 5, 6s}));
  context.spawn(use(context, ward, {"group", 1s, 3, 9, 1s}));
  Instant at{};
  context.spawn([](Context& self, Ward& in, Instant& served_at) -> Task<> {
    co_await self.sleep(2s);
    co_await any_of(self.sleep(1s), in.beds.acquire(2, 0));
    served_at = self.now();
  }(context, ward, at));
  EXPECT_TRUE(simulation.finish().has_value());
  EXPECT_EQ(at, Instant{2s});
}

}  // namespace
}  // namespace artel::sim
