#include "artel/lab/experiment.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "artel/error/contract.hpp"
#include "artel/lab/batch_series.hpp"
#include "artel/lab/parallel_for.hpp"
#include "artel/lab/replication.hpp"
#include "artel/lab/scenario.hpp"
#include "artel/lab/study.hpp"
#include "artel/stat/histogram.hpp"
#include "artel/stat/interval.hpp"
#include "artel/stat/warm_up.hpp"
#include "artel/unit/instant.hpp"

namespace artel::lab {
namespace {

// One replication to run: where its result goes.
struct Job {
  std::size_t point;
  std::size_t policy;
  std::uint32_t index;
};

// The state of one run_experiment.
class Experiment {
 public:
  Experiment(const Study& study, const ExperimentOptions& options)
      : study_(study), options_(options) {
    result_.axes = study.axes;
    for (const auto& point : study.points) {
      auto& result = result_.points.emplace_back();
      result.values = point.values;
      for (const auto& policy : point.scenario.dispatch.policies) {
        result.policies.emplace_back().label = policy.label;
      }
    }
  }

  ExperimentResult run() {
    detect_warm_ups();
    std::vector<std::uint32_t> wanted(study_.points.size());
    for (std::size_t p = 0; p < wanted.size(); ++p) wanted[p] = scenario(p).run.replications;
    std::vector<std::uint32_t> have(wanted.size(), 0);
    while (wanted != have && !options_.stop.stop_requested()) {
      replicate(have, wanted);
      have = wanted;
      for (std::size_t p = 0; p < wanted.size(); ++p) {
        const auto& run = scenario(p).run;
        if (!precise(p)) wanted[p] = std::min(have[p] + run.replications, run.replications_max);
      }
    }
    result_.complete = !options_.stop.stop_requested();
    return std::move(result_);
  }

 private:
  [[nodiscard]] const Scenario& scenario(std::size_t point) const {
    return study_.points[point].scenario;
  }

  void advance() {
    const std::lock_guard lock(progress_mutex_);
    ++progress_.done;
    if (options_.progress) options_.progress(progress_);
  }

  [[nodiscard]] std::vector<Job> jobs_between(const std::vector<std::uint32_t>& from,
                                              const std::vector<std::uint32_t>& to) const {
    std::vector<Job> jobs;
    for (std::size_t p = 0; p < to.size(); ++p) {
      for (auto index = from[p]; index < to[p]; ++index) {
        for (std::size_t k = 0; k < result_.points[p].policies.size(); ++k) {
          jobs.push_back({p, k, index});
        }
      }
    }
    return jobs;
  }

  // One pilot per policy wherever the warm-up is to be found automatically.
  void detect_warm_ups() {
    std::vector<std::uint32_t> pilots;
    for (const auto& point : study_.points) {
      const bool replay = std::holds_alternative<TraceArrivals>(point.scenario.workload.arrivals);
      const bool automatic = point.scenario.run.warm_up.kind == WarmUp::Kind::automatic;
      pilots.push_back(automatic && !replay ? 1 : 0);
    }
    const auto jobs = jobs_between(std::vector<std::uint32_t>(pilots.size(), 0), pilots);
    progress_.total += jobs.size();
    std::mutex mutex;
    parallel_for(jobs.size(), options_.jobs, options_.stop, [&](std::size_t i) {
      const auto& job = jobs[i];
      BatchSeries series;
      const auto& policy = scenario(job.point).dispatch.policies[job.policy];
      const auto pilot = run_replication(scenario(job.point), policy,
                                         {.index = 0, .stop = options_.stop, .series = &series});
      if (!pilot) return;
      const auto tasks = stat::mser5(series.means()) * series.batch_size();
      {
        const std::lock_guard lock(mutex);
        auto& longest = result_.points[job.point].warm_up_tasks;
        longest = std::max(longest, tasks);
      }
      advance();
    });
    for (std::size_t p = 0; p < study_.points.size(); ++p) {
      const auto& run = scenario(p).run;
      if (run.warm_up.kind == WarmUp::Kind::share) {
        result_.points[p].warm_up_tasks =
            static_cast<std::uint64_t>(run.warm_up.share * expected_tasks(scenario(p)));
      }
    }
  }

  static double expected_tasks(const Scenario& scenario) {
    double tasks = INFINITY;
    if (scenario.run.tasks) tasks = static_cast<double>(*scenario.run.tasks);
    if (scenario.run.duration) {
      tasks = std::min(tasks, scenario.workload.rate * to_seconds(*scenario.run.duration));
    }
    if (std::holds_alternative<TraceArrivals>(scenario.workload.arrivals)) {
      tasks = std::min(tasks, static_cast<double>(scenario.workload.trace->arrivals.size()));
    }
    ARTEL_REQUIRE(std::isfinite(tasks), "a validated scenario ends");
    return tasks;
  }

  void replicate(const std::vector<std::uint32_t>& from, const std::vector<std::uint32_t>& to) {
    const auto jobs = jobs_between(from, to);
    progress_.total += jobs.size();
    std::vector<std::optional<Replication>> done(jobs.size());
    std::mutex mutex;
    parallel_for(jobs.size(), options_.jobs, options_.stop, [&](std::size_t i) {
      const auto& job = jobs[i];
      auto& point = result_.points[job.point];
      const auto& warm_up = scenario(job.point).run.warm_up;
      stat::Histogram responses{kHistogramBits};
      done[i] = run_replication(
          scenario(job.point), scenario(job.point).dispatch.policies[job.policy],
          {.index = job.index,
           .warm_up_tasks = point.warm_up_tasks,
           .warm_up = warm_up.kind == WarmUp::Kind::duration ? warm_up.duration : Duration{},
           .stop = options_.stop,
           .pooled = &responses});
      if (!done[i]) return;
      {
        const std::lock_guard lock(mutex);  // counts add up to the same in any order
        point.policies[job.policy].responses.merge(responses);
      }
      advance();
    });
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      auto& policy = result_.points[jobs[i].point].policies[jobs[i].policy];
      if (const auto& replication = done[i]) policy.replications.push_back(*replication);
    }
  }

  [[nodiscard]] bool precise(std::size_t point) const {
    const auto precision = scenario(point).run.precision;
    if (!precision) return true;
    const auto& policies = result_.points[point].policies;
    return std::all_of(policies.begin(), policies.end(), [&](const PolicyResult& policy) {
      const auto mean = policy.estimate(Quantity::response, Statistic::mean);
      return mean.half_width <= *precision * std::abs(mean.center);
    });
  }

  const Study& study_;
  const ExperimentOptions& options_;
  ExperimentResult result_;
  std::mutex progress_mutex_;
  Progress progress_;
};

template <class Value>
stat::Interval estimate_of(const std::vector<Replication>& replications, Value value,
                           double level = kConfidence) {
  std::vector<double> values;
  values.reserve(replications.size());
  for (const auto& replication : replications) values.push_back(value(replication));
  return stat::mean_interval(values, level);
}

}  // namespace

std::uint64_t PolicyResult::tasks() const {
  std::uint64_t sum = 0;
  for (const auto& replication : replications) sum += replication.arrived;
  return sum;
}

stat::Interval PolicyResult::estimate(Quantity quantity, Statistic statistic, double level) const {
  return estimate_of(
      replications, [&](const Replication& r) { return value_of(r, quantity, statistic); }, level);
}

stat::Interval PolicyResult::utilisation() const {
  return estimate_of(replications, [](const Replication& r) { return r.utilisation; });
}

stat::Interval PolicyResult::wait_probability() const {
  return estimate_of(replications, [](const Replication& r) { return r.wait_probability; });
}

stat::Interval PolicyResult::in_system() const {
  return estimate_of(replications, [](const Replication& r) { return r.in_system; });
}

double PolicyResult::response_max() const {
  double max = 0;
  for (const auto& replication : replications) max = std::max(max, replication.response.max);
  return max;
}

Verdict judge(const PolicyResult& result, const Objective& objective, double level) {
  if (result.replications.empty()) return Verdict::unclear;
  const auto interval = result.estimate(objective.quantity, objective.statistic, level);
  if (!std::isfinite(interval.half_width)) return Verdict::unclear;
  if (interval.high() <= objective.limit) return Verdict::met;
  if (interval.low() > objective.limit) return Verdict::missed;
  return Verdict::unclear;
}

Verdict judge(const PolicyResult& result, const std::vector<Objective>& objectives, double level) {
  auto verdict = Verdict::met;
  for (const auto& objective : objectives) {
    switch (judge(result, objective, level)) {
      case Verdict::missed:
        return Verdict::missed;
      case Verdict::unclear:
        verdict = Verdict::unclear;
        break;
      case Verdict::met:
        break;
    }
  }
  return verdict;
}

ExperimentResult run_experiment(const Study& study, const ExperimentOptions& options) {
  return Experiment(study, options).run();
}

}  // namespace artel::lab
