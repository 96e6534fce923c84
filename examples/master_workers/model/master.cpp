#include "examples/master_workers/model/master.hpp"

#include <chrono>
#include <cstdint>
#include <utility>

#include "artel/core/id.hpp"
#include "artel/dispatch/busyness.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/least_loaded.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/sim/model/network.hpp"
#include "examples/master_workers/model/messages.hpp"
#include "examples/master_workers/model/workload.hpp"

namespace master_workers {

using namespace std::chrono_literals;
namespace dispatch = artel::dispatch;

dispatch::Policy most_free_memory() {
  // The weight (cores, then speed: see Master::show) counts only where memory is equal.
  return dispatch::LeastLoaded{dispatch::Busyness(
      [](const dispatch::Load& load) { return -(1e6 * load.room() + load.weight); })};
}

Master::Master(const Workload& workload, dispatch::Policy policy, artel::sim::Network& network)
    : workload_(workload),
      policy_(std::move(policy)),
      best_first_(dispatch::needs(policy_).least.has_value()),
      loads_(dispatch::needs(policy_)),
      network_(network),
      free_(workload.hosts.size()) {
  loads_.resize(workload.hosts.size());
}

void Master::start() { emit_self(Round{}, 1s); }

void Master::on(const TaskSubmitted& submitted) {
  waiting_.add(submitted.task, workload_.tasks[submitted.task].memory);
}

void Master::on(const WorkerReady& ready) {
  const HostSpec& host = workload_.hosts[ready.host];
  free_[ready.host] = {host.cores, host.memory};
  show(dispatch::worker(ready.host));
}

void Master::on(const TaskCompleted& completed) {
  Free& free = free_[completed.host];
  ++free.cores;
  free.memory += workload_.tasks[completed.task].memory;
  show(dispatch::worker(completed.host));
  ++completed_;
  last_completed_at_ = now();
  if (--assigned_ == 0 || workload_.infrastructure.refill_at_once) schedule();
}

void Master::on(const Round&) {
  schedule();
  if (assigned_ > 0 || !waiting_.empty()) emit_self(Round{}, 10s);
}

void Master::schedule() {
  const auto started = std::chrono::steady_clock::now();
  while (!waiting_.empty()) {
    const dispatch::Draw draw{.turn = turn_++, .dice = random()()};
    const auto worker = dispatch::choose(policy_, loads_, draw);
    if (!worker) break;
    if (const auto task = waiting_.take_first_fitting(free_[index(*worker)].memory)) {
      assign(*task, *worker);
    } else if (best_first_) {
      break;
    } else {
      show(*worker, false);
      out_of_round_.push_back(*worker);
    }
  }
  for (const artel::WorkerId worker : out_of_round_) show(worker);
  out_of_round_.clear();
  scheduling_ += std::chrono::steady_clock::now() - started;
}

void Master::assign(std::uint32_t task, artel::WorkerId worker) {
  Free& free = free_[index(worker)];
  --free.cores;
  free.memory -= workload_.tasks[task].memory;
  ++assigned_;
  show(worker);
  network_.send(id(), TaskAssigned{task}, workers_[index(worker)]);
}

// Keeps the load of a worker up to date for the policy.
void Master::show(artel::WorkerId worker, bool open) {
  const HostSpec& host = workload_.hosts[index(worker)];
  const Free& free = free_[index(worker)];
  const std::uint32_t used = host.memory - free.memory;
  loads_.set(worker, {.queued = used,
                      .capacity = open && free.cores > 0 ? host.memory : used,
                      .weight = static_cast<float>(1000 * free.cores + host.speed)});
}

}  // namespace master_workers
