// Executions on hosts of several cores take as long here, on time-shared cores, as in SimGrid 3.32:
// n of them on c cores go at speed · min(n, c) / n each.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/random/stream.hpp"
#include "artel/sim/platform/parse_simgrid_platform.hpp"
#include "tests/simgrid/artel_run.hpp"
#include "tests/simgrid/random_platform.hpp"
#include "tests/simgrid/simgrid_run.hpp"
#include "tests/simgrid/workload.hpp"

namespace artel::sim::simgrid_check {
namespace {

constexpr double kAgree = 1e-6;  // relative

struct Site {
  std::string xml;
  std::vector<ExecutionPlan> plan;
};

Site random_site(random::Stream& dice) {
  Site site{.xml = "<zone id=\"all\" routing=\"None\">\n"};
  const std::uint64_t hosts = 1 + dice.below(4);
  for (std::uint64_t i = 0; i < hosts; ++i) {
    site.xml += fmt::format("<host id=\"h{}\" speed=\"{:.3f}Mf\" core=\"{}\"/>\n", i,
                            1 + dice.uniform() * 1000, 1 + dice.below(8));
  }
  site.xml = simgrid_document(site.xml + "</zone>\n");
  constexpr int kExecutions = 60;
  for (int i = 0; i < kExecutions; ++i) {
    site.plan.push_back({.start = std::chrono::milliseconds(dice.below(20'000)),
                         .host = fmt::format("h{}", dice.below(hosts)),
                         .flops = 1e8 + dice.uniform() * 1e9});
  }
  return site;
}

TEST(ComputeAgreesSimgrid, OnHostsOfSeveralCores) {
  for (std::uint32_t number = 0; number < 30 && !testing::Test::HasFailure(); ++number) {
    random::Stream dice(Seed{number}, "executions");
    const Site site = random_site(dice);
    const auto platform = parse_simgrid_platform(site.xml, "random.xml");
    ASSERT_TRUE(platform) << to_string(platform.error().front());
    const std::vector<double> ours = artel_ends(*platform, site.plan);
    const std::vector<double> theirs = simgrid_ends(site.xml, site.plan);
    for (std::size_t i = 0; i < site.plan.size(); ++i) {
      const double taken = theirs[i] - to_seconds(site.plan[i].start);
      EXPECT_LE(std::abs(ours[i] - theirs[i]) / taken, kAgree)
          << site.plan[i].flops << " flops on " << site.plan[i].host << " from "
          << to_seconds(site.plan[i].start) << " s: " << ours[i] << " s here, " << theirs[i]
          << " s in SimGrid\n"
          << site.xml;
    }
  }
}

}  // namespace
}  // namespace artel::sim::simgrid_check
