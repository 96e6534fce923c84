#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/dispatcher.hpp"
#include "artel/dispatch/draw.hpp"
#include "tests/conformance/happening.hpp"
#include "tests/conformance/script.hpp"

namespace artel::conformance {

/// A Dispatcher whose workers run on the word of the script.
class DispatcherHost {
 public:
  using Tell = std::function<void(const Happening&)>;

  DispatcherHost(dispatch::DispatcherOptions options, Tell tell)
      : dispatcher_(std::move(options)), tell_(std::move(tell)) {
    dispatcher_.on_bound([this](const TaskId& task, WorkerId worker) {
      tell_({.what = What::bound, .task = task, .worker = worker});
    });
  }

  void join(const dispatch::WorkerCapacity& options) {
    // The id is not known before the first tasks are bound to it: look them up afterwards.
    std::vector<Happening> bound;
    const Tell tell = std::exchange(tell_, [&](const Happening& each) { bound.push_back(each); });
    const auto id = dispatcher_.join(options, now_);
    tell_ = tell;
    if (!id) return;
    tell_({.what = What::joined, .worker = *id, .capacity = options.capacity});
    for (const Happening& each : bound) tell_(each);
    start(*id);
    settle();
  }

  void leave(WorkerId id, dispatch::Leaving how) {
    const bool reassign = how == dispatch::Leaving::reassign;
    tell_({.what = What::leaving, .worker = id, .reassign = reassign});
    const auto woken = dispatcher_.leave(id, how, now_);
    for (const WorkerId each : *woken) start(each);
    settle();
  }

  void remove(WorkerId id) {
    tell_({.what = What::removed, .worker = id});
    running_.erase(id);
    const auto woken = dispatcher_.remove(id, now_);
    for (const WorkerId each : *woken) start(each);
    settle();
  }

  void arrive(TaskId task, Duration size) {
    tell_({.what = What::arrived, .task = task});
    dispatch::TaskHints hints = size;
    hints.key = static_cast<std::uint64_t>(size.count());  // none for some
    const auto placement = dispatcher_.arrived(TaskId{task}, now_, hints);
    using TaskOutcome = dispatch::Placement::Kind;
    if (placement.kind == TaskOutcome::held) tell_({.what = What::held, .task = task});
    if (placement.kind == TaskOutcome::rejected) tell_({.what = What::rejected, .task = task});
    if (placement.start) start(placement.worker);
    settle();
  }

  void finish(WorkerId id) {
    tell_({.what = What::finished, .task = running_.at(id), .worker = id});
    running_.erase(id);
    dispatcher_.finished(id, now_);
    start(id);
    settle();
  }

  void pass(Duration time) {
    now_ += time;
    dispatcher_.send_beacons(now_);
    dispatcher_.publish(now_);
    settle();
  }

  [[nodiscard]] std::vector<WorkerId> members() const {
    std::vector<WorkerId> all;
    for (std::size_t i = 0; i < dispatcher_.members().ids(); ++i) {
      if (dispatcher_.members().working(dispatch::worker(i))) all.push_back(dispatch::worker(i));
    }
    return all;
  }

  [[nodiscard]] std::vector<WorkerId> busy() const {
    std::vector<WorkerId> all;
    all.reserve(running_.size());
    for (const auto& [id, task] : running_) all.push_back(id);
    return all;
  }

 private:
  void start(WorkerId id) {
    if (const auto task = dispatcher_.start(id, now_)) {
      running_[id] = *task;
      tell_({.what = What::started, .task = *task, .worker = id});
    }
  }

  void settle() { tell_({.what = What::settled, .counts = dispatcher_.counts()}); }

  dispatch::Dispatcher<TaskId> dispatcher_;
  Tell tell_;
  Instant now_{};
  std::map<WorkerId, TaskId> running_;
};

static_assert(Host<DispatcherHost>);

}  // namespace artel::conformance
