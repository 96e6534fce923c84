#include "artel/arena/tune.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "artel/arena/costs.hpp"
#include "artel/arena/parameter_range.hpp"
#include "artel/arena/standings.hpp"
#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/random/stream.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/study.hpp"
#include "artel/stat/interval.hpp"

namespace artel::arena {
namespace {

constexpr std::size_t kFirstValues = 17;
constexpr std::size_t kCloserValues = 9;
constexpr std::size_t kFinalists = 3;
constexpr std::uint32_t kFirstReplications = 2;
constexpr int kZooms = 2;

double mean_cost(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

class Tuner {
 public:
  Tuner(const scenario::Scenario& scenario, const ParameterRange& range, const TuneOptions& options)
      : scenario_(scenario), range_(range), options_(options) {
    scenario_.run.precision.reset();
  }

  Result<TuneResult> run() {
    auto candidates = spread(range_, range_.low, range_.high, kFirstValues);
    double best = range_.low;
    for (int zoom = 0; zoom <= kZooms; ++zoom) {
      tried_.insert(candidates.begin(), candidates.end());
      const auto chosen = halve(candidates);
      if (!chosen) return fail(chosen);
      const auto one = *chosen;
      if (!one) return TuneResult{.complete = false};
      best = *one;
      const auto place = tried_.find(best);
      const double low = place == tried_.begin() ? *place : *std::prev(place);
      const double high = std::next(place) == tried_.end() ? *place : *std::next(place);
      auto closer = spread(range_, low, high, kCloserValues);
      closer.push_back(best);
      std::ranges::sort(closer);
      closer.erase(std::unique(closer.begin(), closer.end()), closer.end());
      const bool known =
          std::ranges::all_of(closer, [&](double value) { return tried_.contains(value); });
      if (known) break;
      candidates = std::move(closer);
    }
    return hold_back(best);
  }

 private:
  // The costs of the scenario's policies, each that often; nothing: stopped. `known` is taken over
  // and brought up to date.
  std::optional<std::vector<std::vector<double>>> measure(scenario::Scenario& scenario,
                                                          std::uint32_t replications,
                                                          experiment::ExperimentResult& known) {
    scenario.run.replications = scenario.run.replications_max = replications;
    scenario::Study study;
    study.points.push_back({.values = {}, .scenario = scenario});
    const auto before = done_;
    auto measured =
        experiment::run_experiment(study, {.jobs = options_.jobs,
                                           .stop = options_.stop,
                                           .progress =
                                               [&](const experiment::ExperimentProgress& progress) {
                                                 done_ = before + progress.done;
                                                 if (options_.progress) options_.progress(done_);
                                               },
                                           .resume = known.points.empty() ? nullptr : &known});
    if (!measured.complete) return std::nullopt;
    std::vector<std::vector<double>> all;
    for (const auto& policy : measured.points.front().policies) {
      all.push_back(costs(scenario, policy));
      all.back().resize(replications, all.back().front());  // without chance there is one
    }
    known = std::move(measured);
    return all;
  }

  // The policies of these values, in the place of the scenario's own.
  Result<void> put(const std::vector<double>& values, scenario::Scenario& scenario) const {
    scenario.dispatch.policies.clear();
    for (const double value : values) {
      auto policy = policy_at(range_, value);
      if (!policy) return fail(policy.error().code, policy.error().what, range_.text);
      scenario.dispatch.policies.push_back(*std::move(policy));
    }
    return {};
  }

  // The best of them; nothing: stopped.
  Result<std::optional<double>> halve(std::vector<double> values) {
    auto scenario = scenario_;
    if (const auto put_in = put(values, scenario); !put_in) return fail(put_in);
    experiment::ExperimentResult known;
    for (auto replications = kFirstReplications;; replications *= 2) {
      const auto all = measure(scenario, replications, known);
      if (!all) return std::optional<double>();
      std::vector<std::size_t> order(values.size());
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::ranges::sort(order, {},
                        [&](std::size_t i) { return std::pair(mean_cost((*all)[i]), i); });
      if (values.size() <= kFinalists) return std::optional(values[order.front()]);
      order.resize((values.size() + 1) / 2);
      std::ranges::sort(order);
      std::vector<double> left;
      std::vector<scenario::PolicySpec> policies;
      std::vector<experiment::PolicyResult> results;
      for (const auto i : order) {
        left.push_back(values[i]);
        policies.push_back(std::move(scenario.dispatch.policies[i]));
        results.push_back(std::move(known.points.front().policies[i]));
      }
      values = std::move(left);
      scenario.dispatch.policies = std::move(policies);
      known.points.front().policies = std::move(results);
    }
  }

  Result<TuneResult> hold_back(double best) {
    auto scenario = scenario_;
    scenario.run.seed = Seed{random::Stream(scenario_.run.seed, "held back", 0)()};
    const std::vector<double> values(tried_.begin(), tried_.end());
    if (const auto put_in = put(values, scenario); !put_in) return fail(put_in);
    auto fallback = policy_without(range_);
    if (fallback) {
      fallback->label += " ";  // may be one of the values under another name
      scenario.dispatch.policies.push_back(*fallback);
    }
    experiment::ExperimentResult known;
    const auto all = measure(scenario, options_.replications, known);
    if (!all) return TuneResult{.complete = false};
    TuneResult result{.low = range_.low, .high = range_.high};
    result.best = static_cast<std::size_t>(std::ranges::find(values, best) - values.begin());
    const auto& least = (*all)[result.best];
    const double each = 1 - (1 - experiment::kConfidence) /
                                static_cast<double>(std::max<std::size_t>(values.size(), 2) - 1);
    for (std::size_t i = 0; i < all->size(); ++i) {
      TunedValue one{.value = i < values.size() ? values[i] : NAN,
                     .policy = scenario.dispatch.policies[i].label,
                     .held_back = stat::mean_interval((*all)[i], experiment::kConfidence),
                     .regret = regret((*all)[i], least, experiment::kConfidence),
                     .worse = regret((*all)[i], least, each).low() > 0};
      if (i < values.size()) {
        result.values.push_back(std::move(one));
      } else {
        one.policy.pop_back();
        result.fallback = std::move(one);
      }
    }
    const double gap = range_.whole ? 1 : 0;  // whole numbers: the next one may be the best
    for (const auto& one : result.values) {
      if (!one.worse) continue;
      if (one.value < best) result.low = one.value + gap;
      if (one.value > best) {
        result.high = one.value - gap;
        break;
      }
    }
    return result;
  }

  scenario::Scenario scenario_;
  const ParameterRange& range_;
  const TuneOptions& options_;
  std::set<double> tried_;
  std::size_t done_ = 0;
};

}  // namespace

Result<TuneResult> tune(const scenario::Scenario& scenario, const ParameterRange& range,
                        const TuneOptions& options) {
  return Tuner(scenario, range, options).run();
}

}  // namespace artel::arena
