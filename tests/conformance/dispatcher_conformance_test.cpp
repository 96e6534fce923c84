#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>  // IWYU pragma: keep

#include <cctype>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "artel/dispatch/busyness.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/placement.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/unit/id.hpp"
#include "artel/unit/instant.hpp"
#include "tests/conformance/dispatcher_host.hpp"
#include "tests/conformance/happening.hpp"
#include "tests/conformance/ledger.hpp"
#include "tests/conformance/recorded_decision.hpp"
#include "tests/conformance/script.hpp"

namespace artel::conformance {
namespace {

using dispatch::Busyness;
using dispatch::Measure;
using dispatch::Policy;

/// A user's policy that asks everything there is to ask.
dispatch::Custom busiest_of_two() {
  return {.function = [](const dispatch::AnyLoads& loads,
                         const dispatch::Draw& draw) -> std::optional<WorkerId> {
            dispatch::Dice dice(draw);
            if (dice.below(4) == 0) return std::nullopt;
            const auto a = dispatch::worker(dice.below(loads.size()));
            const auto b = dispatch::worker(dice.below(loads.size()));
            return loads.load(a).queued > loads.load(b).queued ? a : b;
          },
          .name = "busiest-of-two"};
}

std::vector<Policy> all_policies() {
  const Busyness longest([](const dispatch::Load& load) { return -1.0 * load.queued; });
  std::vector<Policy> all{dispatch::Random{},
                          dispatch::RoundRobin{},
                          dispatch::WeightedRoundRobin{},
                          dispatch::LeastLoaded{longest},
                          dispatch::Jsq{.d = 1},
                          dispatch::Jsq{.d = 2},
                          dispatch::Jsq{.d = dispatch::Jsq::kAll},
                          dispatch::Jiq{},
                          dispatch::LeastWorkLeft{},
                          dispatch::Sita{.cutoffs = {Duration{10}, Duration{30}}},
                          busiest_of_two()};
  for (const Measure measure :
       {Measure::queued, Measure::occupancy, Measure::weighted, Measure::work, Measure::delay}) {
    all.emplace_back(dispatch::LeastLoaded{measure});
    all.emplace_back(dispatch::Jsq{.d = 3, .busyness = measure});
  }
  for (const dispatch::Law law : {dispatch::Law::level, dispatch::Law::yawp}) {
    all.emplace_back(dispatch::ClosedLoop{law, Duration{20}, Duration{10}});
  }
  return all;
}

struct Outcome {
  std::vector<Happening> transcript;
  std::vector<std::string> violations;
  std::vector<RecordedDecision> decisions;
};

Outcome run(dispatch::DispatcherOptions options, const std::vector<Command>& script) {
  Outcome result;
  Ledger ledger({.common_capacity = options.common_capacity, .take_over = options.take_over});
  options.on_decision = [&](const auto& loads, const dispatch::Draw& draw, WorkerId chosen) {
    result.decisions.emplace_back(loads, draw, chosen);
  };
  DispatcherHost host(options, [&](const Happening& happening) {
    result.transcript.push_back(happening);
    ledger.hear(happening);
  });
  play(script, host);
  result.violations = ledger.violations();
  return result;
}

class DispatcherConformance : public ::testing::TestWithParam<std::size_t> {};

TEST_P(DispatcherConformance, KeepsTheLawsOnEveryScript) {
  const Policy policy = all_policies()[GetParam()];
  EXPECT_TRUE(rc::check(dispatch::name(policy), [&] {
    auto script = *any_script();
    const auto workers = *rc::gen::inRange<std::uint32_t>(0, 5);
    for (std::uint32_t i = 0; i < workers; ++i) {
      script.insert(script.begin(), Command{Command::Kind::join, i, i});
    }
    const dispatch::DispatcherOptions options{
        .policy = policy,
        .common_capacity = *rc::gen::element<std::uint32_t>(0, 3, dispatch::kUnbounded),
        .take_over = *rc::gen::arbitrary<bool>(),
        .seed = *rc::gen::arbitrary<std::uint64_t>()};

    const Outcome first = run(options, script);
    for (const std::string& violation : first.violations) RC_FAIL(violation);
    // The same inputs give the same decisions, and each can be replayed by itself.
    RC_ASSERT(run(options, script).transcript == first.transcript);
    for (const RecordedDecision& decision : first.decisions) RC_ASSERT(decision.holds_for(policy));
  }));
}

INSTANTIATE_TEST_SUITE_P(Policies, DispatcherConformance,
                         ::testing::Range<std::size_t>(0, all_policies().size()),
                         [](const auto& param) {
                           auto text = dispatch::name(all_policies()[param.param]);
                           for (char& c : text) {
                             if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
                           }
                           return text;
                         });

}  // namespace
}  // namespace artel::conformance
