#include "artel/predict/contention_fit.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::predict {
namespace {

/// A change of how many tasks are at work.
struct Step {
  Instant at{};
  int change = 0;
};

// In order of time, ends before begins.
std::vector<Step> steps_of(std::span<const trace::TaskRecord> tasks) {
  std::vector<Step> steps;
  for (const auto& task : tasks) {
    if (!trace::ran(task.outcome) || task.finished <= task.started) continue;
    steps.push_back({task.started, 1});
    steps.push_back({task.finished, -1});
  }
  std::ranges::sort(steps, [](const Step& a, const Step& b) {
    return a.at != b.at ? a.at < b.at : a.change < b.change;
  });
  return steps;
}

/// Tasks at work over time, so that means over any interval are found fast.
class WorkOverTime {
 public:
  explicit WorkOverTime(const std::vector<trace::TaskRecord>& tasks) : steps_(steps_of(tasks)) {
    double sum = 0;
    int now = 0;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (i > 0) sum += now * to_seconds(steps_[i].at - steps_[i - 1].at);
      now += steps_[i].change;
      sums_.push_back(sum);
      after_.push_back(now);
    }
  }

  // Just after that time.
  [[nodiscard]] int at(Instant time) const {
    const auto place = behind(time);
    return place == 0 ? 0 : after_[place - 1];
  }
  [[nodiscard]] double mean(Instant from, Instant to) const {
    return (sum_until(to) - sum_until(from)) / to_seconds(to - from);
  }

 private:
  [[nodiscard]] std::size_t behind(Instant time) const {
    return static_cast<std::size_t>(std::ranges::upper_bound(steps_, time, {}, &Step::at) -
                                    steps_.begin());
  }
  [[nodiscard]] double sum_until(Instant time) const {
    const auto place = behind(time);
    if (place == 0) return 0;
    return sums_[place - 1] + after_[place - 1] * to_seconds(time - steps_[place - 1].at);
  }

  std::vector<Step> steps_;
  std::vector<double> sums_;  // task-seconds up to each step
  std::vector<int> after_;    // tasks at work behind it
};

/// A task: how long it took, and what was beside it.
struct Row {
  double log_service = 0;
  double begin = 0;  // when it began
  double mean = 0;   // over its life
};

// In order of their beginnings.
std::vector<Row> rows_of(std::vector<trace::TaskRecord> tasks) {
  const WorkOverTime work(tasks);
  std::ranges::sort(tasks, {}, &trace::TaskRecord::started);
  std::vector<Row> rows;
  for (const auto& task : tasks) {
    if (!trace::ran(task.outcome) || task.finished <= task.started) continue;
    rows.push_back({std::log(to_seconds(task.service())),
                    static_cast<double>(work.at(task.started) - 1),
                    work.mean(task.started, task.finished) - 1});
  }
  return rows;
}

// Whether long tasks meet, for whatever reason: then more are beside the long ones, too, and that
// says nothing. `slope`: what is beside a task explains so much of how long it took.
bool meet(const std::vector<Row>& rows, const Row& mean, double slope) {
  constexpr double kMost = 0.05, kSure = 4;
  double spread = 0, together = 0, last = 0;
  for (const auto& row : rows) {
    const double left = row.log_service - mean.log_service - slope * (row.mean - mean.mean);
    spread += left * left;
    together += left * last;
    last = left;
  }
  const double correlation = spread > 0 ? together / spread : 0;
  return correlation > std::max(kMost, kSure / std::sqrt(static_cast<double>(rows.size())));
}

}  // namespace

double BusyTimes::beside() const {
  double work = 0, pairs = 0;
  for (std::size_t tasks = 1; tasks < at.size(); ++tasks) {
    const double each = to_seconds(at[tasks]) * static_cast<double>(tasks);
    work += each;
    pairs += each * static_cast<double>(tasks - 1);
  }
  return work > 0 ? pairs / work : 0;
}

BusyTimes busy_times(std::span<const trace::TaskRecord> tasks) {
  BusyTimes busy;
  std::size_t now = 0;
  Instant last{};
  for (const auto& step : steps_of(tasks)) {
    if (now >= busy.at.size()) busy.at.resize(now + 1);
    if (now > 0) busy.at[now] += step.at - last;
    last = step.at;
    now = step.change > 0 ? now + 1 : now - 1;
  }
  return busy;
}

ContentionFit fit_contention(const std::vector<trace::TaskRecord>& tasks) {
  constexpr std::uint64_t kTasksMin = 200;
  constexpr double kSure = 3;       // standard errors that chance does not make
  constexpr double kMost = 1;       // each further task costs as much as the work itself
  constexpr double kVaries = 0.01;  // tasks: less is always the same
  ContentionFit fit{.seen_most = busy_times(tasks).most()};
  const auto rows = rows_of(tasks);
  if (rows.size() < kTasksMin) return fit;
  const auto n = static_cast<double>(rows.size());
  Row sum{};
  for (const auto& row : rows) {
    sum.log_service += row.log_service / n;
    sum.begin += row.begin / n;
    sum.mean += row.mean / n;
  }
  double begin_service = 0, begin_mean = 0, begin_begin = 0, service_service = 0;
  for (const auto& row : rows) {
    const double b = row.begin - sum.begin, s = row.log_service - sum.log_service;
    begin_service += b * s;
    begin_mean += b * (row.mean - sum.mean);
    begin_begin += b * b;
    service_service += s * s;
  }
  if (begin_begin / n < kVaries || begin_mean / n < kVaries) return fit;
  fit.tasks = rows.size();
  const double slope = begin_service / begin_mean;
  const double left = service_service / n;  // of which the slope explains little
  fit.error = std::sqrt(left * begin_begin) / begin_mean;
  if (slope < kSure * fit.error || meet(rows, sum, slope)) return fit;
  // From logarithms around the mean to a line from alone on.
  const double at_mean = std::min(slope * sum.mean, 0.9);
  fit.per_task = std::min(kMost, slope / (1 - at_mean));
  return fit;
}

}  // namespace artel::predict
