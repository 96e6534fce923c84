#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/fleet/detail/arrival_process.hpp"
#include "artel/random/distribution.hpp"
#include "artel/random/stream.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/workload.hpp"
#include "artel/scenario/workload_trace.hpp"

namespace artel::fleet {

/// The tasks of one replication: when each arrives and how much work it is.
///
/// Arrivals, sizes and hints come from streams of their own that depend on the run's seed and the
/// replication only, so that every policy sees the same tasks. Requires: call in order:
/// next_arrival, then size and hint for each of the task's parts. Cost: O(1) per task (of a sum:
/// O(sources)), no allocation. Threads: one at a time; the trace is shared.
class TaskSource {
 public:
  /// `scenario` must outlive the source.
  TaskSource(const scenario::Scenario& scenario, std::uint32_t replication);

  /// The time of the next task, never earlier than the one before; nullopt when the run's tasks,
  /// duration or trace end.
  [[nodiscard]] std::optional<Instant> next_arrival();

  /// Of closed arrivals: a user asks. False when the run's tasks or duration have ended.
  [[nodiscard]] bool asked(Instant now);
  /// Whether a further one could still be asked.
  [[nodiscard]] bool may_ask() const {
    return !scenario_.run.tasks || arrived_ < *scenario_.run.tasks;
  }

  /// The class of the task that arrived last, as its row says or at random; 0 if there are none. To
  /// be asked once per task.
  [[nodiscard]] std::uint32_t task_class();

  /// The service time at speed 1 of the task that arrived last (of its next part, if it forks).
  [[nodiscard]] Duration size(std::uint32_t task_class = 0) { return size(task_class, sizes_); }

  /// What the dispatcher is told of a task of that size.
  [[nodiscard]] Duration hint(Duration size) { return hint(size, hints_); }

  /// How long that one waits for its service to begin; kForever: it has no end. Of another row of
  /// the trace, if it says so, for tasks that come again. Requires: Workload::patience.
  [[nodiscard]] Duration patience(std::uint64_t row);
  [[nodiscard]] Duration patience() { return patience(arrived_ - 1); }

  /// What the trace says that a batch takes longer by the task that arrived last; 0: nothing.
  [[nodiscard]] Duration join() const {
    const auto& batch = scenario_.pool.worker.batch;
    if (!batch || batch->join_rows.empty()) return {};
    return scenario_.workload.trace->joins[arrived_ - 1];
  }

  /// What the task that arrived last is about: its class's key, else a drawn one or, if there are
  /// none, what it begins with; 0 if nothing is known of that. To be asked once per task, after its
  /// class.
  [[nodiscard]] std::uint64_t key() {
    if (!keyed_) return 0;
    const auto& keys = scenario_.workload.keys;
    const std::uint64_t drawn = keys ? keys->at(keys_.uniform()) : 0;
    if (class_key_ != 0) return class_key_;
    return keys || prefixes_ == nullptr ? drawn : first_block();
  }
  /// The row of the trace that the task that arrived last is; with a trace only.
  [[nodiscard]] std::uint32_t row() const { return static_cast<std::uint32_t>(arrived_ - 1); }

  /// Another size, and its hint.
  struct Redrawn {
    Duration size{};  ///< service time at speed 1
    Duration hint{};  ///< what the dispatcher is told of it
  };
  /// Another size for a task of that class, and its hint, from a stream apart: how often that is
  /// asked for changes nothing else.
  [[nodiscard]] Redrawn redraw(std::uint32_t task_class);

 private:
  /// One of those whose arrivals make the tasks'.
  struct Source {
    detail::ArrivalProcess process;
    Instant next{};  ///< its next task; if there are several sources
  };
  void open_sources(std::uint32_t replication);
  [[nodiscard]] std::optional<Instant> following();
  [[nodiscard]] std::uint64_t first_block() const;
  [[nodiscard]] std::uint32_t next_class();
  [[nodiscard]] Duration size(std::uint32_t task_class, random::Stream& stream);
  [[nodiscard]] Duration hint(Duration size, random::Stream& stream) {
    return exact_hints_ ? size : inexact_hint(size, stream);
  }
  [[nodiscard]] Duration inexact_hint(Duration size, random::Stream& stream);

  const scenario::Scenario& scenario_;
  const scenario::PrefixRows* prefixes_ = nullptr;  ///< of the trace, if it has some
  const random::Distribution* service_;  ///< of whatever has no law of its class; none: the trace
  bool exact_hints_;                     ///< hints are sizes
  bool keyed_ = false;                   ///< a task may be about something
  random::Distribution error_;           ///< factor of size hints
  std::vector<Source> sources_;          ///< none: a trace, or closed
  random::Stream sizes_;
  random::Stream hints_;
  random::Stream classes_;
  random::Stream keys_;
  random::Stream redraws_;
  random::Stream patience_;
  std::uint64_t arrived_ = 0;
  std::uint64_t class_key_ = 0;  ///< of the task that arrived last; 0: its class has none
};

}  // namespace artel::fleet
