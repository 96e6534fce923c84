#include "artel/predict/infer_starts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <queue>
#include <string>
#include <vector>

#include "artel/core/how_many.hpp"
#include "artel/core/instant.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::predict {
namespace {

using Ends = std::priority_queue<Instant, std::vector<Instant>, std::greater<>>;

/// The log as a number of workers would have it.
struct Trial {
  std::uint32_t workers = 0;
  double z = 0;  ///< how much work seems to depend on who is there, in standard deviations
  double out_of_order = 0;
  double mean_service_s = 0;
};

/// The tasks that ran, in order of submission, and how many were there when each came.
class Responses {
 public:
  explicit Responses(trace::TaskTrace& trace) {
    Ends present;
    for (auto& task : trace.tasks) {
      if (!trace::ran(task.outcome)) continue;
      while (!present.empty() && present.top() <= task.submitted) present.pop();
      tasks_.push_back(&task);
      found_.push_back(static_cast<std::uint32_t>(present.size()));
      present.push(task.finished);
      most_ = std::max(most_, static_cast<std::uint32_t>(present.size()));
    }
  }

  [[nodiscard]] std::size_t size() const { return tasks_.size(); }
  [[nodiscard]] std::uint32_t most() const { return most_; }

  /// Calls start(task, when) for each, in order.
  template <class Start>
  double go_through(std::uint32_t workers, Start&& start) const {
    Ends last;  // the latest ends of the tasks so far, one per worker
    std::uint64_t early = 0;
    for (auto* task : tasks_) {
      auto when = task->submitted;
      if (last.size() == workers) {
        when = std::max(when, last.top());
        if (when > task->finished + kTolerance) ++early;
        when = std::min(when, task->finished);
      }
      start(*task, when);
      last.push(task->finished);
      if (last.size() > workers) last.pop();
    }
    return static_cast<double>(early) / static_cast<double>(tasks_.size());
  }

  [[nodiscard]] Trial look_at(std::uint32_t workers) const {
    // Means and products of log(service) and of how many were there.
    double service = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
    std::size_t i = 0;
    Trial trial{.workers = workers};
    trial.out_of_order = go_through(workers, [&](const trace::TaskRecord& task, Instant start) {
      const double seconds = to_seconds(task.finished - start);
      const double log = std::log(std::max(seconds, kShortest));
      const double there = found_[i++];
      service += seconds;
      x += log;
      y += there;
      xx += log * log;
      yy += there * there;
      xy += log * there;
    });
    const auto n = static_cast<double>(tasks_.size());
    const double spread = (xx - x * x / n) * (yy - y * y / n);
    trial.mean_service_s = service / n;
    trial.z = spread > 0 ? (xy - x * y / n) / std::sqrt(spread) * std::sqrt(n) : 0;
    return trial;
  }

 private:
  static constexpr Duration kTolerance{2'000'000};  // logs write milliseconds: half of one twice
  static constexpr double kShortest = 1e-6;         // shorter work is as good as none

  std::vector<trace::TaskRecord*> tasks_;
  std::vector<std::uint32_t> found_;
  std::uint32_t most_ = 0;
};

constexpr double kDeviations = 2.576;     // 99 of 100 normal values are within
constexpr double kOutOfOrderMax = 0.005;  // more: the tasks did not run so

bool too_few(const Trial& trial) {
  return trial.z < -kDeviations || trial.out_of_order > kOutOfOrderMax;
}
bool too_many(const Trial& trial) { return trial.z > kDeviations && !too_few(trial); }

// The least number in [low, high] for which `is` holds, if it holds from there on; high + 1: none.
template <class Condition>
std::uint32_t least(std::uint32_t low, std::uint32_t high, Condition&& is) {
  ++high;
  while (low < high) {
    const auto middle = low + (high - low) / 2;
    if (is(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

void estimate(const Responses& responses, InferredStarts& found) {
  const auto most = responses.most();
  found.workers_low =
      std::min(most, least(1, most, [&](auto n) { return !too_few(responses.look_at(n)); }));
  const auto beyond =
      least(found.workers_low, most, [&](auto n) { return too_many(responses.look_at(n)); });
  found.waiting_seen = beyond <= most;
  found.workers_high = std::max(found.workers_low, std::min(most, beyond - 1));
  if (!found.waiting_seen) found.workers_high = most;
}

}  // namespace

std::optional<InferredStarts> infer_starts(trace::TaskTrace& trace,
                                           std::optional<std::uint32_t> workers) {
  if (trace.header.setting("starts") != "in response") return std::nullopt;
  if (trace.header.setting("resolution") == "1 s") return std::nullopt;
  const Responses responses(trace);
  if (responses.size() < kTasksMin) return std::nullopt;
  InferredStarts found{.estimated = !workers};
  estimate(responses, found);
  // Where nothing waited any number will do that was ever needed; else the one where work depends
  // least on who is there.
  found.workers = workers.value_or(found.workers_high);
  if (!workers && found.waiting_seen) {
    double least_z = std::numeric_limits<double>::infinity();
    for (auto n = found.workers_low; n <= found.workers_high; ++n) {
      const double z = std::abs(responses.look_at(n).z);
      if (z < least_z) found.workers = n;
      least_z = std::min(least_z, z);
    }
  }
  double response = 0;
  found.out_of_order =
      responses.go_through(found.workers, [&](trace::TaskRecord& task, Instant start) {
        response += to_seconds(task.response());
        task.started = start;
      });
  found.mean_response_s = response / static_cast<double>(responses.size());
  found.mean_service_s = responses.look_at(found.workers).mean_service_s;
  found.mean_service_low_s = responses.look_at(found.workers_low).mean_service_s;
  found.mean_service_high_s = responses.look_at(found.workers_high).mean_service_s;
  constexpr double kNoticeable = 1e-3;
  found.waiting_seen = found.waiting_seen && found.mean_response_s - found.mean_service_s >
                                                 kNoticeable * found.mean_response_s;
  trace.header.settings.insert_or_assign("starts", "inferred");
  trace.header.settings.insert_or_assign("pool.workers", std::to_string(found.workers));
  return found;
}

std::vector<std::string> InferredStarts::text() const {
  const auto shown = [](double seconds) { return format_duration(from_seconds(seconds)); };
  std::vector<std::string> lines;
  const auto range = workers_low == workers_high
                         ? std::to_string(workers_low)
                         : fmt::format("{} to {}", workers_low, workers_high);
  if (!waiting_seen) {
    lines.push_back(fmt::format(
        "the log has response times only, and no sign that tasks waited: response is service, {}; "
        "at least {} ran them",
        shown(mean_response_s), how_many(workers_low, "worker")));
  } else {
    lines.push_back(fmt::format(
        "the log has response times only: starts are inferred for {}{} and one queue in "
        "order of arrival; of the mean response of {} service is {}, waiting {}",
        how_many(workers, "worker"), estimated ? " (estimated)" : "", shown(mean_response_s),
        shown(mean_service_s), shown(mean_response_s - mean_service_s)));
    lines.push_back(fmt::format("by the log there were {} workers: service is then {} to {}", range,
                                shown(mean_service_low_s), shown(mean_service_high_s)));
  }
  if (!estimated && (workers < workers_low || (waiting_seen && workers > workers_high))) {
    lines.push_back(
        fmt::format("{} workers do not fit the log, which looks like {}: tasks are not taken in "
                    "order, or their "
                    "work depends on the load",
                    workers, range));
  }
  if (out_of_order > kOutOfOrderMax) {
    lines.push_back(fmt::format("{:.1f}% of the tasks ended before they could have started so",
                                100 * out_of_order));
  }
  return lines;
}

}  // namespace artel::predict
