#include "artel/own_models/run_model_study.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/join.hpp"
#include "artel/core/require.hpp"
#include "artel/experiment/for_each_index.hpp"
#include "artel/experiment/replicate_in_rounds.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/own_models/model_report.hpp"
#include "artel/own_models/model_study.hpp"
#include "artel/random/stream.hpp"
#include "artel/stat/interval.hpp"

namespace artel::own_models {
namespace {

using experiment::ReplicationKey;

std::vector<ModelVariant> variants_of(const ModelStudy& study) {
  if (study.variants.empty()) return {{.name = study.name, .changes = {}}};
  return study.variants;
}

// NaN: it has none of that name.
double figure_of(const ModelReplication& replication, std::string_view name) {
  const auto found =
      std::ranges::find(replication.figures, name, &std::pair<std::string, double>::first);
  return found == replication.figures.end() ? NAN : found->second;
}

stat::Interval estimate_of(std::span<const ModelReplication> replications, std::string_view figure,
                           double level) {
  std::vector<double> values;
  values.reserve(replications.size());
  for (const auto& replication : replications) {
    const double value = figure_of(replication, figure);
    if (!std::isnan(value)) values.push_back(value);
  }
  return stat::mean_interval(values, level);
}

auto place_of(const std::vector<ModelReplication>& all, std::uint32_t index) {
  return std::ranges::lower_bound(all, index, {}, &ModelReplication::index);
}

// The state of one run_model_study.
class ModelExperiment final : public experiment::ReplicatedExperiment {
 public:
  ModelExperiment(const ModelStudy& study, const ModelOptions& options)
      : study_(study), options_(options), variants_(variants_of(study)) {
    result_.complete = false;
    if (const auto good = check(study); !good) {
      result_.error = good.error();
      return;
    }
    result_ = nothing_known(study);
    if (options.resume != nullptr) take_over(*options.resume);
  }

  ModelResult run() {
    if (going()) find_warm_ups();
    if (going()) experiment::replicate_in_rounds(*this);
    result_.complete = going();
    return std::move(result_);
  }

 private:
  [[nodiscard]] std::size_t points() const override { return result_.points.size(); }
  [[nodiscard]] std::size_t contenders(std::size_t /*point*/) const override {
    return variants_.size();
  }
  [[nodiscard]] experiment::ReplicationBounds bounds(std::size_t /*point*/) const override {
    constexpr std::uint32_t kRounds = 10;
    const auto step = study_.replications;
    if (study_.precision.empty()) return {.step = step, .max = step};
    const auto most = study_.replications_max > 0 ? study_.replications_max : kRounds * step;
    return {.step = step, .max = std::max(step, most)};
  }
  [[nodiscard]] bool has(const experiment::ReplicationKey& key) const override {
    const auto& all = variant(key).replications;
    const auto place = place_of(all, key.index);
    return place != all.end() && place->index == key.index;
  }
  // Decides by the first `count` alone, as a run that was not resumed would.
  [[nodiscard]] bool precise(std::size_t point, std::uint32_t count) override {
    const double off = off_after(point, count);
    const auto before = count - std::min(count, bounds(point).step);
    return off <= experiment::kByFar || (off <= 1 && before > 0 && off_after(point, before) <= 1);
  }
  // Of the worst figure.
  [[nodiscard]] double off_after(std::size_t point, std::uint32_t count) const {
    double off = 0;
    for (const auto& variant : result_.points[point].variants) {
      for (const auto& wanted : study_.precision) {
        const auto mean = estimate_of(std::span(variant.replications).first(count), wanted.figure,
                                      experiment::kConfidence);
        off = std::max(off, experiment::off_by(mean, wanted.relative));
      }
    }
    return off;
  }
  [[nodiscard]] bool going() const override {
    return !result_.error && !options_.stop.stop_requested();
  }

  [[nodiscard]] const VariantResult& variant(const experiment::ReplicationKey& key) const {
    return result_.points[key.point].variants[key.contender];
  }

  void take_over(const ModelResult& earlier) {
    ARTEL_REQUIRE(earlier.points.size() == result_.points.size(), "results of the same study",
                  earlier.points.size(), result_.points.size());
    for (std::size_t p = 0; p < result_.points.size(); ++p) {
      const auto& known = earlier.points[p];
      ARTEL_REQUIRE(known.variants.size() == variants_.size(), "results of the same study", p);
      if (!known.warm_up_known) continue;  // then nothing was measured there
      result_.points[p].warm_up = known.warm_up;
      result_.points[p].warm_up_known = true;
      result_.points[p].variants = known.variants;
    }
  }

  [[nodiscard]] ModelRun run_of(const experiment::ReplicationKey& key, Duration warm_up,
                                const std::stop_token& stop) const {
    ModelRun run{.parameters = result_.points[key.point].parameters,
                 .seed = seed_of(study_, key.index),
                 .warm_up = warm_up,
                 .stop = stop};
    for (const auto& [name, value] : variants_[key.contender].changes.entries())
      run.parameters.set(name, value);
    return run;
  }

  // Where it was: "queue, variant retries, load = 0.9, replication 3, seed 42"
  [[nodiscard]] std::string name_of(const experiment::ReplicationKey& key,
                                    const ModelRun& run) const {
    auto text = fmt::format("{}, variant {}", study_.name, variants_[key.contender].name);
    for (const auto& axis : study_.sweep)
      text += fmt::format(", {} = {}", axis.parameter, run.parameters[axis.parameter]);
    text +=
        key.index == experiment::kPilot ? ", pilot" : fmt::format(", replication {}", key.index);
    return text + fmt::format(", seed {}", static_cast<std::uint64_t>(run.seed));
  }

  // `take` is called for one at a time, in any order. The first that fails stops the others.
  void run_all(
      const std::vector<experiment::ReplicationKey>& keys,
      const std::function<void(const experiment::ReplicationKey&, const ModelReport&)>& take) {
    std::mutex one_at_a_time;
    std::stop_source stop;
    const std::stop_callback pass_on(options_.stop, [&] { stop.request_stop(); });
    progress_.total += keys.size();
    experiment::for_each_index(keys.size(), options_.jobs, stop.get_token(), [&](std::size_t i) {
      const auto run = run_of(keys[i], result_.points[keys[i].point].warm_up, stop.get_token());
      std::optional<ModelReport> report;
      std::string what;
      try {
        report = study_.model(run);
      } catch (const std::exception& failure) {
        what = failure.what();
      } catch (...) {
        what = "an exception that is no std::exception";
      }
      const std::lock_guard lock(one_at_a_time);
      if (stop.stop_requested()) return;  // cut short by the model itself, or too late to count
      if (!report) {
        refuse({ErrorCode::invalid, "the model throws: " + what, name_of(keys[i], run)}, stop);
        return;
      }
      take(keys[i], *report);
      ++progress_.done;
      if (options_.progress) options_.progress(progress_);
      if (result_.error) stop.request_stop();
    });
  }

  void refuse(Error error, std::stop_source& stop) {
    result_.error = std::move(error);
    stop.request_stop();
  }

  // One pilot per variant wherever the warm-up is to be found.
  void find_warm_ups() {
    std::vector<experiment::ReplicationKey> pilots;
    const auto* found = std::get_if<FoundWarmUp>(&study_.warm_up);
    for (std::size_t p = 0; p < points(); ++p) {
      auto& point = result_.points[p];
      if (point.warm_up_known) continue;
      if (found == nullptr) {
        point.warm_up = std::get<Duration>(study_.warm_up);
        point.warm_up_known = true;
        continue;
      }
      for (std::size_t k = 0; k < variants_.size(); ++k)
        pilots.push_back({.point = p, .contender = k, .index = experiment::kPilot});
    }
    std::vector<Duration> longest(points());
    run_all(pilots, [&](const experiment::ReplicationKey& key, const ModelReport& report) {
      const auto times = report.all_times().find(found->times);
      if (times == report.all_times().end()) {
        result_.error = {
            ErrorCode::not_found,
            fmt::format("the model reports no times '{}' to find the warm-up by", found->times),
            study_.name};
        return;
      }
      longest[key.point] = std::max(longest[key.point], times->second.settled_after());
    });
    if (!going()) return;
    for (const auto& pilot : pilots) {
      result_.points[pilot.point].warm_up = longest[pilot.point];
      result_.points[pilot.point].warm_up_known = true;
    }
  }

  void replicate(const std::vector<experiment::ReplicationKey>& missing) override {
    run_all(missing, [&](const experiment::ReplicationKey& key, const ModelReport& report) {
      ModelReplication replication{.index = key.index, .figures = report.figures()};
      if (!has_wanted(replication)) return;
      auto& variant = result_.points[key.point].variants[key.contender];
      for (const auto& [name, times] : report.all_times()) {
        const auto all = variant.times.try_emplace(name, times.counted().precision_bits()).first;
        all->second.add(key.index, times.counted());  // the same in any order
      }
      auto& all = variant.replications;
      all.insert(place_of(all, key.index), std::move(replication));
      if (options_.checkpoint) options_.checkpoint(result_);
    });
  }

  bool has_wanted(const ModelReplication& replication) {
    for (const auto& wanted : study_.precision) {
      if (std::ranges::find(replication.figures, wanted.figure,
                            &std::pair<std::string, double>::first) != replication.figures.end())
        continue;
      std::vector<std::string> names;
      for (const auto& [name, value] : replication.figures) names.push_back(name);
      result_.error = {ErrorCode::not_found,
                       fmt::format("the model reports no figure '{}' for the precision, but {}",
                                   wanted.figure, names.empty() ? "none" : join(names, ", ")),
                       study_.name};
      return false;
    }
    return true;
  }

  const ModelStudy& study_;
  const ModelOptions& options_;
  std::vector<ModelVariant> variants_;
  ModelResult result_;
  experiment::ExperimentProgress progress_;
};

}  // namespace

stat::Interval VariantResult::estimate(std::string_view figure, double level) const {
  for (const auto& [suffix, share] : kReportedQuantiles) {
    if (!figure.ends_with(suffix)) continue;
    const auto found = times.find(figure.substr(0, figure.size() - suffix.size()));
    if (found == times.end()) break;
    const auto quantile = found->second.quantile(share, level);
    return {1e-9 * quantile.center, 1e-9 * quantile.half_width, level};
  }
  return estimate_of(replications, figure, level);
}

stat::Interval difference(const VariantResult& a, const VariantResult& b, std::string_view figure,
                          double level) {
  std::vector<double> differences;
  for (const auto& replication : a.replications) {
    const auto other = place_of(b.replications, replication.index);
    if (other == b.replications.end() || other->index != replication.index) continue;
    const double value = figure_of(replication, figure) - figure_of(*other, figure);
    if (!std::isnan(value)) differences.push_back(value);
  }
  return stat::mean_interval(differences, level);
}

std::vector<std::string> ModelPoint::figures() const {
  std::vector<std::string> names;
  for (const auto& variant : variants) {
    for (const auto& replication : variant.replications) {
      for (const auto& [name, value] : replication.figures) {
        if (std::ranges::find(names, name) == names.end()) names.push_back(name);
      }
    }
  }
  return names;
}

Seed seed_of(const ModelStudy& study, std::uint32_t replication) {
  return Seed{random::Stream(study.seed, "replication", replication)()};
}

ModelResult nothing_known(const ModelStudy& study) {
  ModelResult result;
  result.complete = false;
  for (auto& parameters : points_of(study)) {
    auto& point = result.points.emplace_back();
    point.parameters = std::move(parameters);
    for (const auto& variant : variants_of(study))
      point.variants.emplace_back().name = variant.name;
  }
  return result;
}

ModelResult run_model_study(const ModelStudy& study, const ModelOptions& options) {
  return ModelExperiment(study, options).run();
}

}  // namespace artel::own_models
