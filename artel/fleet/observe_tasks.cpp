#include "artel/fleet/observe_tasks.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/fleet/observation.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::fleet {
namespace {

// In the order in which they count at equal times: a worker is done with one task before it starts
// the next, and with a task that takes no time after it has started it.
enum class Step : std::uint8_t { finish, arrive, bind, start, finish_at_once };

struct Happening {
  Instant time;
  Step step;
  const trace::TaskRecord* task;
};

std::vector<Happening> happenings_of(std::span<const trace::TaskRecord> tasks, Instant origin) {
  std::vector<Happening> happenings;
  happenings.reserve(4 * tasks.size());
  const auto add = [&](Instant time, Step step, const trace::TaskRecord& task) {
    happenings.push_back({Instant{time - origin}, step, &task});
  };
  for (const auto& task : tasks) {
    add(task.submitted, Step::arrive, task);
    if (ran(task.outcome)) {
      add(task.bound, Step::bind, task);
      add(task.started, Step::start, task);
    }
    const bool at_once = task.finished == std::max(task.submitted, task.started);
    add(task.finished, at_once ? Step::finish_at_once : Step::finish, task);
  }
  std::ranges::sort(happenings, {}, [](const Happening& happening) {
    return std::tuple(happening.time, happening.step, happening.task);
  });
  return happenings;
}

}  // namespace

Observation observe_tasks(std::span<const trace::TaskRecord> tasks, std::size_t workers,
                          Instant origin, std::optional<TimeWindow> window) {
  Observation observation(workers, window);
  Instant now{};
  for (const auto& [time, step, task] : happenings_of(tasks, origin)) {
    now = time;
    const auto worker = task->worker;
    const bool served = ran(task->outcome) && index(worker) < workers;
    switch (step) {
      case Step::arrive:
        observation.arrived(now);
        break;
      case Step::bind:
        if (served) observation.bound(now, worker, +1);
        break;
      case Step::start:
        if (served) observation.started(now, worker, Instant{task->submitted - origin});
        break;
      case Step::finish:
      case Step::finish_at_once:
        if (served) {
          observation.finished(now, worker);
          observation.bound(now, worker, -1);
        }
        observation.left(now);
        break;
    }
  }
  observation.ended(now);
  return observation;
}

}  // namespace artel::fleet
