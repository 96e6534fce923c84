#pragma once

#include <exception>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/detail/wait.hpp"
#include "artel/sim/kernel/next.hpp"
#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/sleep.hpp"
#include "artel/sim/kernel/task.hpp"

namespace artel::sim::detail {

/// A task as one of several things to wait for: it runs as a process of its own, which is cancelled
/// when the wait is withdrawn.
// NOLINTBEGIN(bugprone-unchecked-optional-access): the three parts follow each other in start()
template <class T>
class TaskWait final : public Wait {
 public:
  using Result = T;
  static constexpr bool kRunsTasks = true;

  explicit TaskWait(Task<T> task) : task_(std::move(task)) {}
  TaskWait(TaskWait&&) = default;
  ~TaskWait() override { withdraw(); }

  bool start(Wait* parent, ProcessState& process) {
    begin(parent, process);
    process_ = process.owner().spawn(std::move(*task_));
    task_.reset();
    join_.emplace(process_->join());
    return WaitAccess::start(*join_, this, process);
  }
  void withdraw() override {
    join_.reset();
    if (process_) process_->cancel();
  }
  T take() {
    // Nobody else has the handle, so it was not cancelled.
    if constexpr (std::is_void_v<T>) {
      join_->take();
    } else {
      return *join_->take();
    }
  }
  void abandon(std::vector<ProcessState*>& tasks) override {
    join_.reset();
    if (process_) tasks.push_back(&process_->state());
  }
  [[nodiscard]] bool failed() const override { return join_ && join_->failed(); }
  void child_finished(Wait&) override { finish(); }
  void describe(std::string& text) const override {
    if (join_) join_->describe(text);
  }

 private:
  std::optional<Task<T>> task_;
  std::optional<Process<T>> process_;
  std::optional<Join<T>> join_;
};

// NOLINTEND(bugprone-unchecked-optional-access)

/// For readable errors: whatever the others do not take.
template <class Other>
  requires(!Awaitable<Other>)
auto as_wait(const Other&) {
  static_assert(
      Awaitable<Other>,
      "this is nothing to wait for: any_of, all_of and with_timeout take waits, tasks and "
      "processes; for a duration, context.sleep(d)");
  return SleepWait(Duration::zero());
}
template <Awaitable Op>
Op as_wait(Op op) {
  return op;
}
template <class T>
TaskWait<T> as_wait(Task<T> task) {
  return TaskWait<T>(std::move(task));
}
template <class T>
Join<T> as_wait(const Process<T>& process) {
  return process.join();
}
template <class T>
NextWait<T> as_wait(const Next<T>& next) {
  return next.as_wait();
}
inline SleepWait as_wait(const Sleep& sleep) { return sleep.as_wait(); }

/// The same for many.
template <class Part>
// NOLINTNEXTLINE(performance-unnecessary-value-param): to be moved from
auto as_waits(std::vector<Part> parts) {
  if constexpr (Awaitable<Part>) {
    return parts;
  } else {
    std::vector<decltype(as_wait(std::move(parts.front())))> waits;
    waits.reserve(parts.size());
    for (Part& part : parts) waits.push_back(as_wait(std::move(part)));
    return waits;
  }
}

}  // namespace artel::sim::detail
