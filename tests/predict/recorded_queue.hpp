#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <queue>
#include <string>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/random/stream.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::predict {

/// What is recorded of one queue for several workers: Poisson arrivals, exponential work, times
/// what `factor` says of a task.
struct RecordedQueue {
  std::uint64_t seed = 0;
  int tasks = 0;
  int workers = 4;
  int stated = 4;           ///< workers, as the trace says
  double rate = 0;          ///< per second, of the first half of the tasks
  double rate_of_rest = 0;  ///< of the other
  double mean_s = 0;        ///< of the work
  std::function<double(int task, double at_s)> factor = [](int, double) { return 1.0; };

  [[nodiscard]] trace::TaskTrace trace() const {
    random::Stream arrivals(Seed{seed}, "arrivals");
    random::Stream work(Seed{seed}, "work");
    std::priority_queue<double, std::vector<double>, std::greater<>> free;
    for (int w = 0; w < workers; ++w) free.push(0);
    trace::TaskTrace trace;
    trace.header.settings = {{"pool.workers", std::to_string(stated)}, {"policy", "central"}};
    double now = 0;
    for (int i = 0; i < tasks; ++i) {
      now -= std::log(1 - arrivals.uniform()) / (i < tasks / 2 ? rate : rate_of_rest);
      const double service = -std::log(1 - work.uniform()) * mean_s * factor(i, now);
      const double start = std::max(now, free.top());
      free.pop();
      free.push(start + service);
      trace::TaskRecord task;
      task.submitted = task.bound = Instant{from_seconds(now)};
      task.started = Instant{from_seconds(start)};
      task.finished = Instant{from_seconds(start + service)};
      trace.tasks.push_back(task);
    }
    return trace;
  }
};

}  // namespace artel::predict
