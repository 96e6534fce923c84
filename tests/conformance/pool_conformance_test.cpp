#include <gtest/gtest.h>
#include <rapidcheck.h>  // IWYU pragma: keep

#include <cstddef>
#include <cstdint>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/dispatch/policy.hpp"
#include "tests/conformance/every_policy.hpp"
#include "tests/conformance/happening.hpp"
#include "tests/conformance/ledger.hpp"
#include "tests/conformance/pool_host.hpp"
#include "tests/conformance/recorded_decision.hpp"
#include "tests/conformance/script.hpp"

namespace artel::conformance {
namespace {

class PoolConformance : public ::testing::TestWithParam<std::size_t> {};

TEST_P(PoolConformance, KeepsTheLawsOnEveryScript) {
  const dispatch::Policy policy = every_policy_of_pools()[GetParam()];
  constexpr std::uint64_t kScripts = 40;
  constexpr int kSize = 15;  // up to 60 commands
  std::size_t decisions = 0;
  for (std::uint64_t seed = 0; seed < kScripts && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    const std::vector<Command> script = any_script()(rc::Random(seed), kSize).value();
    const PoolHost::Options options{.policy = policy,
                                    .workers = 1 + static_cast<unsigned>(seed % 3),
                                    .common = static_cast<std::uint32_t>(seed % 4) * 3,
                                    .seed = static_cast<Seed>(seed)};
    Ledger ledger({.common_capacity = options.common, .take_over = true, .binds_late = true});
    PoolHost host(options, [&ledger](const Happening& each) { ledger.hear(each); });
    play(script, host);
    for (const auto& violation : ledger.violations()) ADD_FAILURE() << violation;
    for (const RecordedDecision& each : host.decisions()) EXPECT_TRUE(each.holds_for(policy));
    decisions += host.decisions().size();
  }
  EXPECT_GT(decisions, 0U);
}

INSTANTIATE_TEST_SUITE_P(Policies, PoolConformance,
                         ::testing::Range<std::size_t>(0, every_policy_of_pools().size()),
                         [](const auto& param) {
                           return identifier(every_policy_of_pools()[param.param]);
                         });

}  // namespace
}  // namespace artel::conformance
