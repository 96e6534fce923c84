#include <gtest/gtest.h>
#include <rapidcheck.h>  // IWYU pragma: keep

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/dispatch/busyness.hpp"
#include "artel/dispatch/jsq.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/policy.hpp"
#include "tests/conformance/every_policy.hpp"
#include "tests/conformance/happening.hpp"
#include "tests/conformance/ledger.hpp"
#include "tests/conformance/recorded_decision.hpp"
#include "tests/conformance/script.hpp"
#include "tests/conformance/table_host.hpp"

namespace artel::conformance {
namespace {

using dispatch::Policy;

struct TaskOutcome {
  std::vector<Happening> transcript;
  std::vector<std::string> violations;
  std::vector<RecordedDecision> decisions;
};

TaskOutcome run(TableHost::Options options, const std::vector<Command>& script) {
  TaskOutcome result;
  Ledger ledger({.common_capacity = options.common_capacity});
  options.on_decision = [&](const auto& loads, const dispatch::Draw& draw, WorkerId chosen) {
    result.decisions.emplace_back(loads, draw, chosen);
  };
  TableHost host(options, [&](const Happening& happening) {
    result.transcript.push_back(happening);
    ledger.hear(happening);
  });
  play(script, host);
  result.violations = ledger.violations();
  return result;
}

class TableConformance : public ::testing::TestWithParam<std::size_t> {};

TEST_P(TableConformance, KeepsTheLawsOnEveryScript) {
  const Policy policy = every_policy()[GetParam()];
  EXPECT_TRUE(rc::check(dispatch::name(policy), [&] {
    auto script = *any_script();
    const auto workers = *rc::gen::inRange<std::uint32_t>(0, 5);
    for (std::uint32_t i = 0; i < workers; ++i) {
      script.insert(script.begin(), Command{Command::Kind::join, i, i});
    }
    const TableHost::Options options{
        .policy = policy,
        .common_capacity = *rc::gen::element<std::uint32_t>(0, 3, dispatch::kUnbounded),
        .seed = *rc::gen::arbitrary<std::uint64_t>()};

    const TaskOutcome first = run(options, script);
    for (const std::string& violation : first.violations) RC_FAIL(violation);
    // The same inputs give the same decisions, and each can be replayed by itself.
    RC_ASSERT(run(options, script).transcript == first.transcript);
    for (const RecordedDecision& decision : first.decisions) RC_ASSERT(decision.holds_for(policy));
  }));
}

// Beyond so many workers JSQ of all asks an index, which a copy of the loads does not have.
TEST(ManyWorkers, AnIndexDecidesAsAScan) {
  using dispatch::Measure;
  for (const auto measure :
       {Measure::queued, Measure::occupancy, Measure::weighted, Measure::work, Measure::delay}) {
    const Policy policy = dispatch::Jsq{.d = dispatch::Jsq::kAll, .busyness = measure};
    EXPECT_TRUE(rc::check(dispatch::name(policy), [&] {
      auto script = *any_script();
      for (std::uint32_t i = 0; i < 2 * dispatch::Jsq::kThrowsMax; ++i)
        script.insert(script.begin(), Command{Command::Kind::join, i / 3, i});
      const TaskOutcome outcome = run({.policy = policy}, script);
      for (const std::string& violation : outcome.violations) RC_FAIL(violation);
      for (const RecordedDecision& decision : outcome.decisions)
        RC_ASSERT(decision.holds_for(policy));
    }));
  }
}

INSTANTIATE_TEST_SUITE_P(Policies, TableConformance,
                         ::testing::Range<std::size_t>(0, every_policy().size()),
                         [](const auto& param) { return identifier(every_policy()[param.param]); });

}  // namespace
}  // namespace artel::conformance
