#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "artel/dispatch/fifo.hpp"
#include "artel/unit/instant.hpp"

namespace artel::dispatch {

/// What some policies need to know of a task that waits.
struct Stamp {
  std::uint64_t order = 0;  ///< of arrival
  Duration size{};          ///< its hint
  Instant bound{};          ///< when it came to this worker
};

/// The memory of all task lines of one dispatcher.
template <class Task>
struct LineStore {
  explicit LineStore(bool keep_stamps) : stamped(keep_stamps) {}
  bool stamped;  ///< whether stamps are kept at all
  ChunkStore<Task> tasks;
  ChunkStore<Stamp> stamps;
};

/// Tasks that wait, first in first out, each with its stamp if stamps are kept.
///
/// Cost:    as Fifo; without stamps they cost neither memory nor time.
/// Threads: one at a time for all lines of a store.
template <class Task>
class TaskLine {
 public:
  struct Waiting {
    Task task;
    Stamp stamp;
  };

  explicit TaskLine(LineStore<Task>& store)
      : tasks_(store.tasks), stamps_(store.stamps), stamped_(store.stamped) {}

  [[nodiscard]] bool empty() const { return tasks_.empty(); }
  [[nodiscard]] std::size_t size() const { return tasks_.size(); }
  /// The stamp of the task that pop() would return; all zero if stamps are not kept.
  [[nodiscard]] Stamp front_stamp() const { return stamped_ ? stamps_.front() : Stamp{}; }

  void push(Task task, const Stamp& stamp) {
    tasks_.push(std::move(task));
    if (stamped_) stamps_.push(stamp);
  }

  Waiting pop() { return Waiting{tasks_.pop(), stamped_ ? stamps_.pop() : Stamp{}}; }

 private:
  Fifo<Task> tasks_;
  Fifo<Stamp> stamps_;
  bool stamped_;
};

}  // namespace artel::dispatch
