#include "artel/dispatch/policy_text.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/dispatch/busyness.hpp"
#include "artel/dispatch/closed_loop.hpp"
#include "artel/dispatch/jsq.hpp"
#include "artel/dispatch/least_loaded.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/policy_table.hpp"
#include "artel/dispatch/sita.hpp"

namespace artel::dispatch {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

TEST(PolicyText, EveryPolicyReadsBackWithItsParameters) {
  std::vector<Policy> policies{
      Jsq{.d = 5, .busyness = Measure::occupancy},
      Jsq{.d = Jsq::kAll},
      Jsq{.d = 2, .different = true},
      LeastLoaded{Measure::delay},
      Sita{.cutoffs = {nanoseconds(100'001), milliseconds(2)}},
      Sita{.intervals = 3},
      PeakEwma{.d = Jsq::kAll, .decay = milliseconds(7)},
      Rendezvous{.bound = 1.25, .subset = 4},
      Maglev{.places = 211},
      C3{.d = 3, .clients = 4, .decay = milliseconds(7)},
      Jbt{.threshold = 3},
      WeightedLeastRequest{.bias = 0.5},
      Jbt{.threshold = kUnbounded},
      Affinity{.beta = 0.125},
      CacheAware{.cache_threshold = 0.1, .balance_abs = 7, .balance_rel = 1.25},
      Prequal{.pool = 5, .r_probe = 0.75, .delta = 0.1, .max_age = milliseconds(7)},
      ClosedLoop{
          .law = Law::yawp, .beacon_every = milliseconds(7), .publish_every = nanoseconds(9)},
  };
  for (const PolicyEntry& entry : policy_table()) {
    if (entry.alone) policies.push_back(*make_policy(entry.name));
  }
  for (const Policy& policy : policies) {
    const std::string text = policy_text(policy);
    const auto back = parse_policy(text);
    ASSERT_TRUE(back) << text << ": " << back.error().what;
    EXPECT_EQ(policy_text(*back), text);
    EXPECT_EQ(back->index(), policy.index());
  }
  EXPECT_EQ(policy_text(policies[0]), "jsq(d=5; busyness=occupancy)");
  EXPECT_EQ(policy_text(policies[4]), "sita(cutoffs=100001ns, 2000000ns)");
}

TEST(PolicyText, RefusesWhatIsNoPolicy) {
  for (const char* text : {"", "jsq(", "jsq(d=2", "jsq(d)", "jsq(e=2)", "jsk(d=2)", "jsq)d=2("}) {
    EXPECT_FALSE(parse_policy(text)) << text;
  }
}

}  // namespace
}  // namespace artel::dispatch
