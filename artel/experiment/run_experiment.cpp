#include "artel/experiment/run_experiment.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "artel/core/require.hpp"
#include "artel/experiment/replicate_in_rounds.hpp"
#include "artel/experiment/replication_job.hpp"
#include "artel/fleet/replication.hpp"
#include "artel/fleet/replication_options.hpp"
#include "artel/fleet/run_replication.hpp"
#include "artel/scenario/objective.hpp"
#include "artel/scenario/run_settings.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/study.hpp"
#include "artel/scenario/workload.hpp"
#include "artel/stat/interval.hpp"

namespace artel::experiment {
namespace {

template <class Value>
stat::Interval estimate_of(std::span<const fleet::Replication> replications, bool exact,
                           Value value, double level = kConfidence) {
  std::vector<double> values;
  values.reserve(replications.size());
  for (const auto& replication : replications) {
    const double one = value(replication);
    if (!std::isnan(one)) values.push_back(one);
  }
  if (exact && !values.empty()) return {values.front(), 0, level};
  return stat::mean_interval(values, level);
}

// Which share of the times is to lie below; nothing: it is no quantile.
std::optional<double> share_of(scenario::Statistic statistic) {
  switch (statistic) {
    case scenario::Statistic::p50:
      return 0.5;
    case scenario::Statistic::p90:
      return 0.9;
    case scenario::Statistic::p95:
      return 0.95;
    case scenario::Statistic::p99:
      return 0.99;
    case scenario::Statistic::p999:
      return 0.999;
    case scenario::Statistic::mean:
    case scenario::Statistic::max:
      break;
  }
  return std::nullopt;
}

// NaN of a replication in which no task counted.
double measured(const fleet::Replication& replication, double value) {
  return replication.arrived > 0 ? value : NAN;
}

// Where the replication of that index is, or belongs.
std::vector<fleet::Replication>::const_iterator place_of(
    const std::vector<fleet::Replication>& replications, std::uint32_t index) {
  return std::lower_bound(
      replications.begin(), replications.end(), index,
      [](const fleet::Replication& replication, std::uint32_t i) { return replication.index < i; });
}

bool contains(const std::vector<fleet::Replication>& replications, std::uint32_t index) {
  const auto place = place_of(replications, index);
  return place != replications.end() && place->index == index;
}

// The state of one run_experiment.
class Experiment final : public ReplicatedExperiment {
 public:
  Experiment(const scenario::Study& study, const ExperimentOptions& options)
      : study_(study),
        options_(options),
        runner_(options.runner ? options.runner : pool_runner(options.jobs)) {
    result_.axes = study.axes;
    result_.complete = false;
    for (const auto& point : study.points) {
      auto& result = result_.points.emplace_back();
      result.values = point.values;
      for (const auto& policy : point.scenario.dispatch.policies) {
        result.policies.emplace_back().label = policy.label;
      }
    }
    if (options.resume != nullptr) take_over(*options.resume);
    for (std::size_t p = 0; p < result_.points.size(); ++p) {
      const auto& policies = scenario(p).dispatch.policies;
      for (std::size_t k = 0; k < policies.size(); ++k) {
        result_.points[p].policies[k].exact = fleet::is_exact(scenario(p), policies[k]);
      }
    }
  }

  ExperimentResult run() {
    find_warm_ups();
    replicate_in_rounds(*this);
    result_.complete = going();
    return std::move(result_);
  }

 private:
  [[nodiscard]] const scenario::Scenario& scenario(std::size_t point) const {
    return study_.points[point].scenario;
  }

  [[nodiscard]] std::size_t points() const override { return study_.points.size(); }
  [[nodiscard]] std::size_t contenders(std::size_t point) const override {
    return result_.points[point].policies.size();
  }
  [[nodiscard]] ReplicationBounds bounds(std::size_t point) const override {
    const auto& run = scenario(point).run;
    return {.step = run.replications, .max = run.replications_max};
  }
  // The first is all there is to know of a policy without chance.
  [[nodiscard]] bool has(const ReplicationKey& key) const override {
    const auto& policy = result_.points[key.point].policies[key.contender];
    return (policy.exact && key.index > 0) || contains(policy.replications, key.index);
  }
  [[nodiscard]] bool going() const override {
    return !result_.error && !options_.stop.stop_requested();
  }

  void take_over(const ExperimentResult& earlier) {
    ARTEL_REQUIRE(earlier.points.size() == result_.points.size(), "results of the same study",
                  earlier.points.size(), result_.points.size());
    for (std::size_t p = 0; p < result_.points.size(); ++p) {
      auto& point = result_.points[p];
      const auto& known = earlier.points[p];
      ARTEL_REQUIRE(known.policies.size() == point.policies.size(), "results of the same study", p);
      if (!known.warm_up_known) continue;  // then nothing was measured there
      point.warm_up_known = true;
      point.warm_up_tasks = known.warm_up_tasks;
      point.precise_from = known.precise_from;
      point.policies = known.policies;
    }
  }

  void run_jobs(const std::vector<ReplicationJob>& jobs,
                const std::function<void(const ReplicationJob&, const ReplicationOutcome&)>& take) {
    progress_.total += jobs.size();
    std::vector<double> parts(jobs.size());
    const auto tell = [&](std::size_t i, double part) {
      progress_.under_way += part - std::exchange(parts[i], part);
      if (options_.progress) options_.progress(progress_);
    };
    const auto ran = runner_(
        study_, jobs, options_.stop,
        [&](std::size_t i, const ReplicationOutcome& outcome) {
          take(jobs[i], outcome);
          ++progress_.done;
          tell(i, 0);
          if (options_.checkpoint && !jobs[i].pilot) options_.checkpoint(result_);
        },
        options_.progress ? tell : PartSink());
    progress_.under_way = 0;
    if (!ran) result_.error = ran.error();
  }

  // One pilot per policy wherever the warm-up is to be found automatically.
  void find_warm_ups() {
    std::vector<ReplicationJob> pilots;
    for (std::size_t p = 0; p < study_.points.size(); ++p) {
      auto& point = result_.points[p];
      if (point.warm_up_known) continue;
      const auto& warm_up = scenario(p).run.warm_up;
      if (warm_up.kind == scenario::WarmUp::Kind::automatic && settles(scenario(p).workload)) {
        for (std::size_t k = 0; k < point.policies.size(); ++k)
          pilots.push_back({.point = p, .policy = k, .pilot = true});
        continue;
      }
      if (warm_up.kind == scenario::WarmUp::Kind::share) {
        point.warm_up_tasks =
            static_cast<std::uint64_t>(warm_up.share * fleet::expected_tasks(scenario(p)));
      }
      point.warm_up_known = true;
    }
    std::vector<std::uint64_t> longest(study_.points.size());
    run_jobs(pilots, [&](const ReplicationJob& job, const ReplicationOutcome& outcome) {
      longest[job.point] = std::max(longest[job.point], outcome.warm_up_tasks);
    });
    if (!going()) return;
    for (const auto& pilot : pilots) {
      result_.points[pilot.point].warm_up_tasks = longest[pilot.point];
      result_.points[pilot.point].warm_up_known = true;
    }
  }

  // Whether it comes to a steady state; a recording and a day are the whole story.
  static bool settles(const scenario::Workload& workload) {
    return !std::holds_alternative<scenario::TraceArrivals>(workload.arrivals) &&
           scenario::timetable_of(workload.arrivals) == nullptr;
  }

  void replicate(const std::vector<ReplicationKey>& missing) override {
    std::vector<ReplicationJob> jobs;
    jobs.reserve(missing.size());
    for (const auto& key : missing) {
      jobs.push_back({.point = key.point,
                      .policy = key.contender,
                      .index = key.index,
                      .warm_up_tasks = result_.points[key.point].warm_up_tasks});
    }
    run_jobs(jobs, [&](const ReplicationJob& job, const ReplicationOutcome& outcome) {
      result_.points[job.point].policies[job.policy].add(outcome);
    });
  }

  // As a run that was not resumed would: one that knows more already went on from there.
  [[nodiscard]] bool precise(std::size_t point, std::uint32_t count) override {
    const auto& run = scenario(point).run;
    if (!run.precision) return true;
    auto& result = result_.points[point];
    double off = 0;
    for (const auto& policy : result.policies) {
      if (policy.replications.size() > count) return false;
      const auto known = policy.estimate(scenario::Quantity::response, run.precision_of);
      off = std::max(off, off_by(known, *run.precision));
    }
    if (!(off <= 1)) {
      result.precise_from = 0;
      return false;
    }
    if (result.precise_from == 0) result.precise_from = count;
    return result.precise_from < count || off <= kByFar;
  }

  const scenario::Study& study_;
  const ExperimentOptions& options_;
  ReplicationRunner runner_;
  ExperimentResult result_;
  ExperimentProgress progress_;
};

}  // namespace

void ReplicatedTimes::add(std::uint32_t replication, const fleet::CountedTimes& times) {
  responses.add(replication, times.responses);
  waits.add(replication, times.waits);
}

void PolicyResult::add(const ReplicationOutcome& outcome) {
  const auto index = outcome.replication.index;
  replications.insert(place_of(replications, index), outcome.replication);
  times.add(index, outcome.times);
  class_times.resize(outcome.class_times.size());
  for (std::size_t c = 0; c < class_times.size(); ++c)
    class_times[c].add(index, outcome.class_times[c]);
}

std::uint64_t PolicyResult::tasks() const {
  std::uint64_t sum = 0;
  for (const auto& replication : replications) sum += replication.arrived;
  return sum;
}

stat::Interval PolicyResult::estimate(scenario::Quantity quantity, scenario::Statistic statistic,
                                      double level) const {
  const auto share = share_of(statistic);
  if (share && !is_share(quantity)) {
    const auto& of = quantity == scenario::Quantity::response ? times.responses : times.waits;
    if (exact && !of.all().empty()) return {1e-9 * of.all().quantile(*share), 0, level};
    const auto found = of.quantile(*share, level);
    return {1e-9 * found.center, 1e-9 * found.half_width, level};
  }
  return estimate_of(
      replications, exact,
      [&](const fleet::Replication& r) { return fleet::value_of(r, quantity, statistic); }, level);
}

PolicyResult PolicyResult::of_class(std::size_t task_class) const {
  PolicyResult result{.label = label, .exact = exact};
  if (!class_times.empty()) result.times = class_times.at(task_class);
  const auto share = [](std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
  };
  for (const auto& all : replications) {
    const auto& one = all.classes.at(task_class);
    auto& replication = result.replications.emplace_back(all);
    replication.classes.clear();
    replication.response = one.response;
    replication.wait = one.wait;
    replication.arrived = one.arrived;
    replication.completed = one.completed;
    replication.rejected = one.rejected;
    replication.rejected_share = share(one.rejected, one.arrived);
    replication.abandoned = one.abandoned;
    replication.late = one.late;
    replication.abandoned_share = share(one.abandoned, one.arrived);
  }
  return result;
}

stat::Interval PolicyResult::estimate(const scenario::Objective& objective, double level) const {
  if (!objective.of_class) return estimate(objective.quantity, objective.statistic, level);
  return of_class(objective.of_class->number)
      .estimate(objective.quantity, objective.statistic, level);
}

stat::Interval PolicyResult::utilisation() const {
  return estimate_of(replications, exact,
                     [](const fleet::Replication& r) { return measured(r, r.utilisation); });
}

stat::Interval PolicyResult::wait_probability() const {
  return estimate_of(replications, exact,
                     [](const fleet::Replication& r) { return measured(r, r.wait_probability); });
}

stat::Interval PolicyResult::in_system() const {
  return estimate_of(replications, exact,
                     [](const fleet::Replication& r) { return measured(r, r.in_system); });
}

stat::Interval PolicyResult::workers() const {
  return estimate_of(replications, exact,
                     [](const fleet::Replication& r) { return measured(r, r.workers); });
}

stat::Interval PolicyResult::attempts() const {
  return estimate_of(replications, exact, [](const fleet::Replication& r) {
    return measured(r, static_cast<double>(r.attempts) / static_cast<double>(r.arrived));
  });
}

stat::Interval PolicyResult::hit_ratio() const {
  return estimate_of(replications, exact, [](const fleet::Replication& r) {
    return measured(r, static_cast<double>(r.prefix_held) / static_cast<double>(r.prefix_all));
  });
}

stat::Interval PolicyResult::goodput() const {
  return estimate_of(replications, exact, [](const fleet::Replication& r) {
    return measured(r, static_cast<double>(r.completed - r.late) / r.window_s);
  });
}

double PolicyResult::response_max() const {
  double max = NAN;
  for (const auto& replication : replications) {
    if (replication.completed > 0) max = std::fmax(max, replication.response.max);
  }
  return max;
}

Verdict judge(const PolicyResult& result, const scenario::Objective& objective, double level) {
  const auto interval = result.estimate(objective, level);
  if (std::isnan(interval.center)) return Verdict::not_measured;
  if (!std::isfinite(interval.half_width)) return Verdict::unclear;
  if (interval.high() <= objective.limit) return Verdict::met;
  if (interval.low() > objective.limit) return Verdict::missed;
  return Verdict::unclear;
}

Verdict judge(const PolicyResult& result, const std::vector<scenario::Objective>& objectives,
              double level) {
  auto verdict = Verdict::met;
  for (const auto& objective : objectives) {
    switch (judge(result, objective, level)) {
      case Verdict::missed:
        return Verdict::missed;
      case Verdict::not_measured:
        verdict = Verdict::not_measured;
        break;
      case Verdict::unclear:
        if (verdict == Verdict::met) verdict = Verdict::unclear;
        break;
      case Verdict::met:
        break;
    }
  }
  return verdict;
}

ExperimentResult run_experiment(const scenario::Study& study, const ExperimentOptions& options) {
  return Experiment(study, options).run();
}

}  // namespace artel::experiment
