#include "artel/experiment/replication_job.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/experiment/state_json.hpp"
#include "artel/fleet/batch_series.hpp"
#include "artel/fleet/run_replication.hpp"
#include "artel/scenario/study.hpp"
#include "artel/stat/mser5.hpp"

namespace artel::experiment {
namespace {

scenario::Study short_study() {
  return *scenario::parse_study(R"(
[workload]
arrivals = { kind = "poisson", load = 0.6 }
service  = { distribution = "exponential", mean = "1 s" }
[pool]
workers = 2
[dispatch]
policies = ["central", "random"]
[run]
tasks        = 500
replications = 4
)",
                                "queue.toml");
}

TEST(PoolRunner, RunsEveryJobOnce) {
  const auto queue = short_study();
  std::vector<ReplicationJob> jobs;
  for (unsigned i = 0; i < 20; ++i) jobs.push_back({.policy = i % 2, .index = i});
  for (const unsigned threads : {1U, 2U, 8U}) {
    std::vector<int> calls(jobs.size());
    const auto ran = pool_runner(threads)(queue, jobs, {},
                                          [&](std::size_t job, const ReplicationOutcome& o) {
                                            ++calls[job];
                                            EXPECT_EQ(o.replication.index, jobs[job].index);
                                          },
                                          {});
    EXPECT_TRUE(ran);
    EXPECT_EQ(std::count(calls.begin(), calls.end(), 1), 20) << threads;
  }
}

TEST(PoolRunner, StoppedItIsNoError) {
  std::stop_source stop;
  stop.request_stop();
  const std::vector<ReplicationJob> jobs(3);
  int calls = 0;
  EXPECT_TRUE(pool_runner(2)(short_study(), jobs, stop.get_token(),
                             [&](std::size_t, const ReplicationOutcome&) { ++calls; }, {}));
  EXPECT_EQ(calls, 0);
}

// Stands for other machines: makes the study anew from its source, sends outcomes as text, in some
// other order.
Result<void> far_away(const scenario::Study& study, std::span<const ReplicationJob> jobs,
                      const std::stop_token& stop, const OutcomeSink& sink, const PartSink&) {
  const auto& source = study.source;
  const auto there =
      scenario::parse_study(source.text, source.file_name, source.overrides, source.sweep);
  for (std::size_t i = jobs.size(); i-- > 0;) {
    const auto outcome = run_job(*there, jobs[i], stop);
    if (outcome) sink(i, *read_outcome(outcome_json(*outcome)));
  }
  return {};
}

// Else the run that says where the warm-up ends is measured without its own first bad spell.
TEST(Pilot, IsNoneOfTheReplications) {
  auto queue = short_study();
  const auto& scenario = queue.points[0].scenario;
  int alike = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    queue.points[0].scenario.run.seed = Seed{seed};
    fleet::BatchSeries series;
    ASSERT_TRUE(
        fleet::run_replication(scenario, scenario.dispatch.policies[0], {.series = &series}));
    const auto pilot = run_job(queue, {.pilot = true}, {}).value_or(ReplicationOutcome{});
    alike += stat::mser5(series.means()) * series.batch_size() == pilot.warm_up_tasks ? 1 : 0;
  }
  EXPECT_LT(alike, 8);
}

TEST(Runner, WhereReplicationsAreRunDoesNotMatter) {
  const auto queue = short_study();
  const auto here = run_experiment(queue, {.jobs = 2});
  const auto there = run_experiment(queue, {.runner = far_away});
  EXPECT_TRUE(there.complete);
  EXPECT_EQ(state_json(queue, there), state_json(queue, here));
}

TEST(Runner, ItsErrorEndsTheExperimentWithWhatIsKnown) {
  const auto queue = short_study();
  const auto broken = [&](const scenario::Study& of, std::span<const ReplicationJob> jobs,
                          const std::stop_token& stop, const OutcomeSink& sink,
                          const PartSink& parts) -> Result<void> {
    if (jobs[0].pilot) return far_away(of, jobs, stop, sink, parts);
    sink(0, run_job(of, jobs[0], stop).value_or(ReplicationOutcome{}));
    return fail(ErrorCode::closed, "nobody is there");
  };
  const auto result = run_experiment(queue, {.runner = broken});
  EXPECT_FALSE(result.complete);
  EXPECT_EQ(result.error.value_or(Error{}).what, "nobody is there");
  EXPECT_EQ(result.points[0].policies[0].replications.size(), 1U);
}

}  // namespace
}  // namespace artel::experiment
