// Transfers on random platforms take as long here as in SimGrid 3.32, and share as they do there.
// simgrid_run.hpp says which of SimGrid's corrections are off.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/random/stream.hpp"
#include "artel/sim/platform/parse_simgrid_platform.hpp"
#include "artel/sim/platform/platform.hpp"
#include "tests/simgrid/artel_run.hpp"
#include "tests/simgrid/random_platform.hpp"
#include "tests/simgrid/simgrid_run.hpp"
#include "tests/simgrid/workload.hpp"

namespace artel::sim::simgrid_check {
namespace {

using namespace std::chrono_literals;

constexpr double kAgree = 1e-6;  // relative

Platform parse(const std::string& xml) {
  auto parsed = parse_simgrid_platform(xml, "random.xml");
  if (parsed) return std::move(*parsed);
  for (const auto& error : parsed.error()) ADD_FAILURE() << to_string(error) << "\n" << xml;
  return {};
}

// The largest relative difference; what is compared are lengths of time since the starts.
double difference_of_ends(const RandomPlatform& random, const std::vector<TransferPlan>& plan) {
  const std::vector<double> ours = artel_ends(parse(random.xml), plan);
  const std::vector<double> theirs = simgrid_ends(random.xml, plan);
  double most = 0;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const double start = to_seconds(plan[i].start);
    const double difference = std::abs(ours[i] - theirs[i]) / (theirs[i] - start);
    EXPECT_LE(difference, kAgree) << plan[i].from << " to " << plan[i].to << " from " << start
                                  << " s: " << ours[i] << " s here, " << theirs[i]
                                  << " s in SimGrid\n"
                                  << random.xml;
    most = std::max(most, difference);
  }
  return most;
}

double difference_of_rates(const RandomPlatform& random, std::vector<TransferPlan> plan) {
  constexpr std::uint64_t kTooManyToEnd = 1'000'000'000'000;
  for (TransferPlan& transfer : plan) {
    transfer.start = Duration{};
    transfer.bytes = kTooManyToEnd;
  }
  const std::vector<double> ours = artel_rates(parse(random.xml), plan, 1s, 101s);
  const std::vector<double> theirs = simgrid_rates(random.xml, plan, 1s, 101s);
  double most = 0;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const double difference = std::abs(ours[i] - theirs[i]) / theirs[i];
    EXPECT_LE(difference, kAgree) << plan[i].from << " to " << plan[i].to << ": " << ours[i]
                                  << " bytes/s here, " << theirs[i] << " in SimGrid\n"
                                  << random.xml;
    most = std::max(most, difference);
  }
  return most;
}

// Prints by how much they differ at most.
void compare(Shape shape) {
  constexpr std::uint32_t kPlatforms = 15;
  constexpr std::uint32_t kTransfers = 60;
  double ends = 0;
  double rates = 0;
  for (std::uint32_t i = 0; i < kPlatforms && !testing::Test::HasFailure(); ++i) {
    random::Stream dice(Seed{i}, fmt::format("platform {}", static_cast<int>(shape)));
    const RandomPlatform platform = random_platform(shape, dice);
    const auto plan = random_transfers(platform, kTransfers, 20s, dice);
    ends = std::max(ends, difference_of_ends(platform, plan));
    rates = std::max(rates, difference_of_rates(platform, plan));
  }
  fmt::print("{} platforms: ends differ by {:.1e} at most, shares by {:.1e}\n", kPlatforms, ends,
             rates);
}

TEST(NetworkAgreesSimgrid, OnRoutesOverSharedFatAndSplitLinks) { compare(Shape::full); }
TEST(NetworkAgreesSimgrid, OnClustersWithBackbones) { compare(Shape::clusters); }
TEST(NetworkAgreesSimgrid, OnShortestPathsInNestedZones) { compare(Shape::tree); }

// Nothing is shared: each transfer takes latency + bytes / least bandwidth, in both.
TEST(NetworkAgreesSimgrid, OnLatenciesThatDiffer) {
  for (std::uint32_t i = 0; i < 10 && !testing::Test::HasFailure(); ++i) {
    random::Stream dice(Seed{i}, "uncontended");
    const RandomPlatform platform = random_uncontended_platform(dice);
    std::vector<TransferPlan> plan;
    for (std::size_t from = 0; from < platform.hosts.size(); ++from) {
      plan.push_back({.start = std::chrono::milliseconds(dice.below(100)),
                      .from = platform.hosts[from],
                      .to = platform.hosts[(from + 1) % platform.hosts.size()],
                      .bytes = 10'000'000 + dice.below(1'000'000'000)});
    }
    difference_of_ends(platform, plan);
  }
}

// Two flows over one link of 4 MB/s, with latencies of 1 ms and 3 ms. Max-min fairness gives 2 MB/s
// to each. SimGrid gives shares in proportion to 1 / latency, as TCP's round trips do: 3 and 1. (So
// it does even for fat pipes: when the nearest flow has all of the bandwidth, the others stop at
// their proportion of it.)
TEST(NetworkDiffersFromSimgrid, WhichSharesByRoundTripTimes) {
  const RandomPlatform platform{
      .xml = simgrid_document(
          "<zone id=\"all\" routing=\"Full\">"
          "<host id=\"a\" speed=\"1f\"/><host id=\"b\" speed=\"1f\"/><host id=\"c\" "
          "speed=\"1f\"/>"
          "<link id=\"near\" bandwidth=\"1GBps\" latency=\"1ms\"/>"
          "<link id=\"far\" bandwidth=\"1GBps\" latency=\"3ms\"/>"
          "<link id=\"both\" bandwidth=\"4MBps\" latency=\"0\"/>"
          "<route src=\"a\" dst=\"b\"><link_ctn id=\"near\"/><link_ctn id=\"both\"/></route>"
          "<route src=\"a\" dst=\"c\"><link_ctn id=\"far\"/><link_ctn id=\"both\"/></route>"
          "</zone>"),
      .hosts = {"a", "b", "c"}};
  const std::vector<TransferPlan> plan = {{.from = "a", .to = "b", .bytes = 1'000'000'000},
                                          {.from = "a", .to = "c", .bytes = 1'000'000'000}};
  const std::vector<double> ours = artel_rates(parse(platform.xml), plan, 1s, 2s);
  EXPECT_NEAR(ours[0], 2e6, 1);
  EXPECT_NEAR(ours[1], 2e6, 1);
  const std::vector<double> theirs = simgrid_rates(platform.xml, plan, 1s, 2s);
  EXPECT_NEAR(theirs[0], 3e6, 1);
  EXPECT_NEAR(theirs[1], 1e6, 1);
}

}  // namespace
}  // namespace artel::sim::simgrid_check
