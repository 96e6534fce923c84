#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"

namespace artel::trace {

/// How a task ended. The first four: it was accepted; see pool::TaskOutcome.
enum class TaskOutcome : std::uint8_t {
  done,       ///< ran to its end
  failed,     ///< ran and threw, or gave an exit status other than 0
  cancelled,  ///< not started: somebody asked to stop
  expired,    ///< not started by its deadline
  rejected,   ///< not accepted: no room, or the pool had stopped
};
/// How many there are.
inline constexpr std::size_t kTaskOutcomes = 5;
/// Of a trace; the last one may stand for all others.
inline constexpr std::size_t kTaskClassesMax = 32;

/// "done", "failed", "cancelled", "expired", "rejected".
[[nodiscard]] std::string_view name(TaskOutcome outcome);
[[nodiscard]] std::optional<TaskOutcome> find_task_outcome(std::string_view name);
/// Whether such a task was in service.
[[nodiscard]] constexpr bool ran(TaskOutcome outcome) {
  return outcome == TaskOutcome::done || outcome == TaskOutcome::failed;
}

/// The life of one task, known when it is over.
///
/// Times ascend: submitted <= bound <= started <= finished. A task that was not started has
/// bound <= started = finished, the time at which it ended; of one that expired: when its turn
/// came.
struct TaskRecord {
  Instant submitted{};  ///< arrived
  Instant bound{};      ///< entered a worker's own queue; equals submitted if it went there at once
  Instant started{};
  Instant finished{};
  Duration size{};  ///< hinted service time; 0: no hint
  /// From submission to its deadline: not started by then, it expires; kForever: it had none.
  Duration patience = kForever;
  /// Who ended it; kNobody: it was rejected, or a thread that waited for it ran it.
  WorkerId worker = kNobody;
  TaskOutcome outcome{};
  std::uint8_t priority = 1;        ///< 0 is most urgent; 1 is usual
  std::uint16_t task_class = 0;     ///< number in TraceHeader::classes, if there are any
  std::uint32_t queued_worker = 0;  ///< tasks waiting at the chosen worker, seen when placed
  std::uint32_t queued_common = 0;  ///< tasks waiting in the common queue, seen when placed

  static constexpr WorkerId kNobody{0xFFFFFFFFU};
  static constexpr Duration kTimeMax{std::int64_t{1} << 61};  ///< of `submitted`: ±73 years
  static constexpr Duration kStepMax{std::int64_t{1} << 60};  ///< between two times: 36 years

  /// Lengths of its life: queue_delay() until it started, service() from then on, response() both.
  [[nodiscard]] Duration queue_delay() const { return started - submitted; }
  [[nodiscard]] Duration service() const { return finished - started; }
  [[nodiscard]] Duration response() const { return finished - submitted; }

  friend bool operator==(const TaskRecord&, const TaskRecord&) = default;
};

/// Whether the times ascend and are within kTimeMax and kStepMax, so that no difference overflows.
[[nodiscard]] bool plausible(const TaskRecord& task);

/// How the load was offered: decides whether slower workers would have seen the same arrivals.
enum class Loop : std::uint8_t {
  unknown,  ///< nobody said
  open,     ///< arrivals did not wait for results
  closed,   ///< a fixed number of clients, each waiting for its result
};

/// "unknown", "open", "closed".
[[nodiscard]] std::string_view name(Loop loop);
[[nodiscard]] std::optional<Loop> find_loop(std::string_view name);

/// What holds for the whole recording.
struct TraceHeader {
  Instant started{};                  ///< of the recording, on the clock of the records
  std::optional<Duration> wall = {};  ///< the same moment since 1970 (UTC)
  Loop loop{};
  /// By name: docs/trace-format.md lists those that artel writes ("pool.workers", "policy").
  std::map<std::string, std::string, std::less<>> settings = {};
  /// Names of the tasks' classes, by number; empty: all are alike. At most kTaskClassesMax.
  std::vector<std::string> classes = {};

  /// Empty when it is not there.
  [[nodiscard]] std::string_view setting(std::string_view name) const;
  /// Whether tasks were seen to start; else `started` is a guess, and no wait or use that follows
  /// from it was measured. (Setting "starts": "unknown", "in response", "inferred".)
  [[nodiscard]] bool starts_known() const { return setting("starts").empty(); }
  /// Whether `finished` was seen; else it follows from a guess, too, and no response was measured.
  [[nodiscard]] bool responses_known() const { return setting("starts") != "unknown"; }

  friend bool operator==(const TraceHeader&, const TraceHeader&) = default;
};

/// The pool has so many workers from then on.
struct SizeChange {
  Instant at{};               ///< from then on
  std::uint32_t workers = 0;  ///< those that are still leaving not included

  friend bool operator==(const SizeChange&, const SizeChange&) = default;
};

/// A recorded run, wherever it came from.
struct TaskTrace {
  TraceHeader header;
  std::vector<TaskRecord> tasks;  ///< in order of submission
  /// In order of time; empty: as many as the header says, all the time.
  std::vector<SizeChange> sizes = {};
  std::uint64_t dropped = 0;  ///< tasks that the recorder had no room for
  bool complete = true;       ///< the recording was ended; false: its file is cut off
  /// What could not be read of a broken file, with its place; `tasks` has the rest.
  std::vector<Error> damage = {};
};

/// The text as the name of a class: what is no printable character, and broken UTF-8, as \xNN; what
/// is longer than 80 bytes ends with "…".
[[nodiscard]] std::string class_name(std::string_view text);

/// Puts the records into order of submission: by time, then by start (of those that came at
/// once the first to start was first in line), then by end, then by worker.
void sort_by_submission(std::vector<TaskRecord>& tasks);

}  // namespace artel::trace
