#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "artel/dispatch/stealing.hpp"
#include "artel/fleet/detail/fleet_task.hpp"
#include "artel/fleet/detail/waiting_room.hpp"
#include "artel/scenario/pool_settings.hpp"
#include "artel/scenario/worker_settings.hpp"

namespace artel::fleet::detail {

/// The common queue of workers that serve in order of arrival.
class PlainQueue {
 public:
  explicit PlainQueue(const scenario::PoolSettings& /*pool*/) {}
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t size_for(const PlainTask& /*task*/) const { return size_; }
  void push(TaskTable<PlainTask>& tasks, std::uint32_t id) {
    tasks_.push(tasks, id);
    ++size_;
  }
  std::uint32_t pop(TaskTable<PlainTask>& tasks) {
    --size_;
    return tasks_.pop(tasks);
  }

 private:
  TaskQueue tasks_;
  std::size_t size_ = 0;
};

/// The common queue of workers of any discipline, in the order of theirs. That of a pool of threads
/// is one for each sign of a priority, whatever the discipline.
class FleetQueue {
 public:
  explicit FleetQueue(const scenario::PoolSettings& pool)
      : by_sign_(pool.stealing != dispatch::Stealing::none),
        discipline_(by_sign_ ? scenario::Discipline::priority : pool.worker.discipline),
        waiting_(discipline_) {}
  [[nodiscard]] bool empty() const { return waiting_.empty(); }
  [[nodiscard]] std::size_t size() const { return waiting_.size(); }
  /// Those that share a bound with the task.
  [[nodiscard]] std::size_t size_for(const FleetTask& task) const {
    return by_sign_ ? of_sign(task.priority) : size();
  }
  /// In a pool of threads: those of that sign.
  [[nodiscard]] std::size_t of_sign(std::int32_t sign) const { return signs_[place_of(sign)]; }
  void push(TaskTable<FleetTask>& tasks, std::uint32_t id) {
    const auto job = job_of(tasks[id], id, discipline_);
    waiting_.push({.job = job, .left = job.work, .order = ++ever_});
    if (by_sign_) ++signs_[place_of(job.priority)];
  }
  std::uint32_t pop(TaskTable<FleetTask>& /*tasks*/) {
    const auto job = waiting_.pop().job;
    if (by_sign_) --signs_[place_of(job.priority)];
    return job.id;
  }
  /// Not of a pool of threads.
  void remove(std::uint32_t id) { waiting_.remove(id); }

 private:
  static std::size_t place_of(std::int32_t sign) { return static_cast<std::size_t>(sign) + 1; }

  bool by_sign_;
  scenario::Discipline discipline_;
  WaitingRoom waiting_;
  std::array<std::size_t, 3> signs_{};
  std::uint64_t ever_ = 0;
};

}  // namespace artel::fleet::detail
