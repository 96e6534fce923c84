#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "artel/trace/task_trace.hpp"

namespace artel::predict {

/// What a log of response times says of waiting and work.
struct InferredStarts {
  std::uint32_t workers = 0;  ///< that the starts were inferred for
  bool estimated = false;     ///< nobody said how many there were
  /// Numbers of workers that do not contradict the log (99%): fewer would make work shorter the
  /// more waits, more would make it longer.
  std::uint32_t workers_low = 0, workers_high = 0;
  bool waiting_seen = false;   ///< false: any number from workers_low on explains the log alike
  double out_of_order = 0;     ///< share of tasks that ended before they could have started
  double mean_response_s = 0;  ///< of the log
  double mean_service_s = 0;   ///< with `workers` …
  double mean_service_low_s = 0, mean_service_high_s = 0;  ///< … and with fewest and most of them

  /// In words: how many workers, how sure, what service is; a line each.
  [[nodiscard]] std::vector<std::string> text() const;
};

/// Fills in when tasks started, in a trace that knows submissions and ends only (setting "starts"
/// is "in response"), as if `workers` took them from one queue in order of arrival: a task then
/// started when it came, or when so many of the tasks before it had ended that a worker was free.
///
/// Without `workers` they are estimated: with the right number work does not depend on how many
/// tasks were there at arrival; what seems to grow with them is waiting. The setting becomes
/// "inferred", and "pool.workers" says how many. Nothing is done, and nothing returned, with other
/// traces, with fewer than kTasksMin tasks, or if times are known to the second only.
/// Cost:   O(n log workers) for each of about 2 log2(workers) trials.
/// Source: R. Larson, The Queue Inference Engine (1990), has times of service; here it is the other
///         way round.
[[nodiscard]] std::optional<InferredStarts> infer_starts(trace::TaskTrace& trace,
                                                         std::optional<std::uint32_t> workers = {});

/// Fewer tell nothing.
inline constexpr std::size_t kTasksMin = 100;

}  // namespace artel::predict
