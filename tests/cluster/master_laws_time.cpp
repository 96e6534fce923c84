// L6 and L8: what a master makes of its workers, and when it ends.

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <variant>

#include "artel/cluster/protocol/master_action.hpp"
#include "artel/cluster/protocol/master_machine.hpp"
#include "artel/cluster/protocol/queue_options.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/cluster/protocol/task_key.hpp"
#include "artel/cluster/protocol/worker_report.hpp"
#include "artel/core/instant.hpp"
#include "tests/cluster/master_laws.hpp"

namespace artel::cluster::simulated {
namespace {

constexpr std::size_t kOutMin = 2;
constexpr std::size_t kOutPerCredit = 2;
constexpr std::size_t kOutPerShort = 4;

}  // namespace

bool MasterLaws::pulls(const WorkerReport& report) const {
  return std::ranges::find(report.queues, queue()) != report.queues.end();
}

// ---- L6: workers

// Chunks are mapped here, and not folded.
std::string MasterLaws::queue() const {
  return tasks_.empty() ? "" : Subjects::queue_of(tasks_.front(), {}, options_.needs);
}

bool MasterLaws::knows(const WorkerReport& report) const {
  return std::ranges::all_of(tasks_, [&](const TaskKey& task) {
    return std::ranges::find(report.tasks, task) != report.tasks.end();
  });
}

std::size_t MasterLaws::out_max(const MasterMachine& machine) const {
  if (tasks_.empty()) return kOutMin;
  std::size_t workers = 0;
  std::size_t threads = 0;
  std::size_t credit = 0;
  for (const WorkerReport& report : machine.workers()) {
    if (report.draining || !knows(report)) continue;
    ++workers;
    threads += report.threads;
    credit += report.credit;
  }
  if (options_.dispatch) return std::max(kOutMin, threads + workers * (options_.per_worker - 1));
  const std::size_t usual = std::min(threads + workers, credit);
  return std::max(kOutMin, kOutPerCredit * usual + kOutPerShort * (credit - usual));
}

void MasterLaws::check_workers(const MasterActions& actions, const MasterMachine& machine) {
  std::size_t credit = 0;
  std::string missing;
  const std::string queue = this->queue();
  for (const WorkerReport& report : machine.workers()) {
    if (report.draining) continue;
    credit += report.credit;
    if (there_ && !queue.empty() && knows(report) && !pulls(report)) missing = report.worker;
  }
  if (machine.credit() != credit)
    broken(fmt::format("it counts on {} chunks in hand, of {}", machine.credit(), credit));
  for (const MasterAction& action : actions) {
    if (std::holds_alternative<TakeChunks>(action)) {
      const std::size_t busy = out_.size() + taken_.size() + asked_for_;
      const std::size_t most = out_max(machine);
      if (busy > most)
        broken(fmt::format("{} chunks are out or asked for; of use are {}", busy, most));
    }
    if (const auto* const call = std::get_if<CallQueue>(&action)) {
      called_ = called_ || call->call.queue == queue;
      if (call->call.queue == queue && missing.empty() && !queue.empty())
        broken("workers are called, and none is missing");
    }
  }
  if (!tick_) return;
  if (std::exchange(call_due_, false) && !missing.empty() && !called_)
    broken(fmt::format("{} is not called to the queue", missing));
}

// ---- L8: ends

void MasterLaws::check_time(const MasterMachine& machine, Instant now) {
  if (out_.empty() || !there_) {
    if (ended_.empty()) unanswered_.reset();
    deserted_.reset();
    return;
  }
  if (options_.worker_timeout == kForever) return;
  if (unanswered_ && now - *unanswered_ > silence_max_) {
    broken(fmt::format("the queue has said nothing for {}, and the map goes on",
                       format_duration(now - *unanswered_)));
  }
  if (!tick_) return;
  if (unanswered_ && now - asked_ >= options_.patience)
    broken("a queue that owes an answer is not asked again");
  const bool anybody = std::ranges::any_of(machine.workers(), [&](const WorkerReport& report) {
    return !report.draining && report.credit > 0 && knows(report);
  });
  if (anybody) return deserted_.reset();
  if (!deserted_) deserted_ = now;
  if (now - *deserted_ > options_.worker_timeout) broken("nobody is there, and the map goes on");
}

}  // namespace artel::cluster::simulated
