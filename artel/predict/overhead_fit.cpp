#include "artel/predict/overhead_fit.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/predict/service_fit.hpp"
#include "artel/stat/moments.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::predict {
namespace {

constexpr std::size_t kWakeUpSlices = 100;

Duration median(std::vector<Duration>& values) {
  if (values.empty()) return {};
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Duration mean(const std::vector<Duration>& values) {
  stat::Moments moments;
  for (const auto value : values) moments.add(to_seconds(value));
  return values.empty() ? Duration{} : from_seconds(moments.mean());
}

// In which order the workers took the tasks: by worker, then by start.
std::vector<std::uint32_t> by_worker(std::span<const trace::TaskRecord> tasks) {
  std::vector<std::uint32_t> order;
  order.reserve(tasks.size());
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (tasks[i].worker != trace::TaskRecord::kNobody)
      order.push_back(static_cast<std::uint32_t>(i));
  }
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (tasks[a].worker != tasks[b].worker) return tasks[a].worker < tasks[b].worker;
    if (tasks[a].started != tasks[b].started) return tasks[a].started < tasks[b].started;
    return a < b;
  });
  return order;
}

}  // namespace

OverheadFit fit_overhead(std::span<const trace::TaskRecord> tasks, trace::Loop loop) {
  std::vector<Duration> wake_ups;
  std::vector<Duration> between;
  const trace::TaskRecord* before = nullptr;
  for (const auto i : by_worker(tasks)) {
    const auto& task = tasks[i];
    const bool same = before != nullptr && before->worker == task.worker;
    const bool was_idle = !same || before->finished <= task.submitted;
    if (was_idle && task.bound == task.submitted) wake_ups.push_back(task.started - task.submitted);
    if (same && (!was_idle || loop == trace::Loop::closed) && task.started >= before->finished)
      between.push_back(task.started - before->finished);
    before = &task;
  }
  OverheadFit fit;
  fit.wake_up_samples = wake_ups.size();
  fit.task_samples = between.size();
  fit.task_overhead = loop == trace::Loop::closed ? median(between) : mean(between);
  fit.wake_up_median = median(wake_ups);
  std::sort(wake_ups.begin(), wake_ups.end());
  if (!wake_ups.empty() && wake_ups.back() > Duration::zero())
    fit.wake_ups = slice_means(wake_ups, 0, wake_ups.size(), kWakeUpSlices);
  return fit;
}

SpeedFit fit_speeds(std::span<const trace::TaskRecord> tasks, std::uint32_t workers) {
  ARTEL_REQUIRE(workers > 0, "somebody works");
  constexpr double kNoticeable = 1.02;
  constexpr std::uint64_t kPerWorkerMin = 30;  // tasks, for a mean that is about normal
  SpeedFit fit;
  fit.speeds.assign(workers, 1.0);
  fit.by_hint = std::all_of(tasks.begin(), tasks.end(),
                            [](const auto& task) { return task.size > Duration::zero(); });
  std::vector<stat::Moments> logs(workers);
  stat::Moments all;
  for (const auto& task : tasks) {
    if (index(task.worker) >= workers) continue;
    const double service = std::max(to_seconds(task.service()), 1e-9);
    const double slowness = std::log(fit.by_hint ? service / to_seconds(task.size) : service);
    logs[index(task.worker)].add(slowness);
    all.add(slowness);
  }
  double low = INFINITY;
  double high = 0;
  double outlying = 0;  // in standard errors
  for (const auto& log : logs) {
    if (log.count() < kPerWorkerMin) return fit;
    const double offset = log.mean() - all.mean();
    low = std::min(low, std::exp(-offset));
    high = std::max(high, std::exp(-offset));
    const double error = std::sqrt(all.variance() / static_cast<double>(log.count()));
    if (offset != 0) outlying = std::max(outlying, std::abs(offset) / error);
  }
  fit.spread = high / low;
  // The greatest of so many normal deviations stays below this in 99 of 100 cases (Bonferroni).
  const double limit = std::sqrt(2 * std::log(2.0 * workers / 0.01));
  fit.differ = workers > 1 && outlying > limit && fit.spread > kNoticeable;
  if (!fit.differ) return fit;
  for (std::size_t w = 0; w < workers; ++w) fit.speeds[w] = std::exp(all.mean() - logs[w].mean());
  return fit;
}

}  // namespace artel::predict
