#include "tests/conformance/ledger.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "artel/core/id.hpp"
#include "tests/conformance/counts.hpp"
#include "tests/conformance/happening.hpp"

namespace artel::conformance {

void Ledger::hear(const Happening& happening) {
  ++heard_;
  const TaskId task = happening.task;
  const WorkerId id = happening.worker;
  switch (happening.what) {
    case What::joined:
      violated(workers_.contains(id), "the id of a worker that joins is free");
      workers_[id] = Worker{.capacity = happening.capacity};
      break;
    case What::leaving:
      violated(at(id).leaving, "a worker leaves once");
      depart(id, happening.reassign);
      break;
    case What::removed:
      if (at(id).running) ++counts_.abandoned;
      at(id).running.reset();
      depart(id, true);
      break;
    case What::arrived:
      violated(!seen_.insert(task).second, "a task arrives once");
      arriving_.insert(task);
      ++counts_.arrived;
      break;
    case What::held:
      violated(arriving_.erase(task) == 0, "only a task that arrives is held");
      violated(anyone_could_take(), "no task is held while a worker has room");
      violated(held_.size() + returned_.size() >= setting_.common_capacity,
               "the common queue keeps its bound");
      held_.push_back(task);
      break;
    case What::rejected:
      violated(arriving_.erase(task) == 0, "only a task that arrives is rejected");
      violated(anyone_could_take(), "no task is rejected while a worker has room");
      violated(held_.size() + returned_.size() < setting_.common_capacity,
               "no task is rejected while the common queue has room");
      ++counts_.rejected;
      break;
    case What::bound:
      bound(task, id);
      break;
    case What::started: {
      Worker& worker = at(id);
      violated(worker.running.has_value(), "a worker runs one task at a time");
      const bool first = !worker.waiting.empty() && worker.waiting.front() == task;
      violated(!first, "a worker starts the first task of its queue");
      if (first) worker.waiting.pop_front();
      worker.running = task;
      break;
    }
    case What::finished:
      violated(at(id).running != task, "only the running task finishes");
      at(id).running.reset();
      ++counts_.finished;
      forget_if_done(id);
      break;
    case What::settled:
      settled(happening.counts);
      break;
  }
}

void Ledger::depart(WorkerId id, bool reassign) {
  Worker& worker = at(id);
  worker.leaving = true;
  if (reassign) {
    returned_.insert(returned_.end(), worker.waiting.begin(), worker.waiting.end());
    worker.waiting.clear();
  }
  forget_if_done(id);
}

void Ledger::bound(TaskId task, WorkerId id) {
  Worker& worker = at(id);
  violated(worker.leaving, "a leaving worker gets nothing new");
  violated(worker.queued() >= worker.capacity, "a worker has no more tasks than its capacity");

  if (arriving_.erase(task) > 0) {
    violated(!held_.empty() || !returned_.empty(), "no task overtakes those that are held");
  } else if (!returned_.empty() && returned_.front() == task) {
    returned_.pop_front();
  } else if (returned_.empty() && !held_.empty() && held_.front() == task) {
    held_.pop_front();
  } else {
    const auto owner = std::find_if(workers_.begin(), workers_.end(), [&](const auto& other) {
      return !other.second.waiting.empty() && other.second.waiting.front() == task;
    });
    violated(owner == workers_.end() || !setting_.take_over,
             "a bound task arrives, is the first held, or is the oldest of a queue and taken over");
    if (owner != workers_.end()) {
      owner->second.waiting.pop_front();
      if (owner->first != id) forget_if_done(owner->first);
    }
  }
  worker.waiting.push_back(task);
}

void Ledger::settled(const Counts& counts) {
  violated(!arriving_.empty(), "a task is held, rejected or bound when it arrives");
  counts_.held = held_.size() + returned_.size();
  counts_.running = counts_.waiting = 0;
  bool idle = false;
  for (const auto& [id, worker] : workers_) {
    counts_.waiting += worker.waiting.size();
    counts_.running += worker.running ? 1 : 0;
    violated(!worker.running && !worker.waiting.empty(), "a worker with tasks runs one");
    idle |= worker.queued() == 0;
  }
  violated(!counts_.balanced(), "nothing is lost or doubled");
  violated(counts != counts_, "the host counts as it tells");
  violated(counts_.held > 0 && anyone_could_take(), "no task is held while a worker has room");
  violated(setting_.take_over && idle && counts_.waiting > 0,
           "nothing waits while a worker is idle that could take it over");
}

void Ledger::forget_if_done(WorkerId id) {
  const auto found = workers_.find(id);
  if (found != workers_.end() && found->second.leaving && found->second.queued() == 0) {
    workers_.erase(found);
  }
}

bool Ledger::anyone_could_take() const {
  return std::any_of(workers_.begin(), workers_.end(), [this](const auto& each) {
    const Worker& worker = each.second;
    return worker.has_room() && (!setting_.binds_late || worker.queued() == 0);
  });
}

Ledger::Worker& Ledger::at(WorkerId id) {
  violated(!workers_.contains(id), "the worker is there");
  return workers_[id];
}

void Ledger::violated(bool broken, const std::string& law) {
  if (broken) violations_.push_back(fmt::format("happening {}: {}", heard_, law));
}

}  // namespace artel::conformance
