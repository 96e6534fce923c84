// L6 and L8: what a master makes of its workers, and when it ends.

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <iterator>
#include <set>
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
constexpr Duration kUnknownMax = std::chrono::seconds(5);

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

// Nothing is heard of a worker for so long, and that says nothing of it.
void MasterLaws::not_received(Duration time, Instant now) {
  if (time <= Duration{}) return;
  for (auto& [worker, member] : members_)
    member.silent_since = std::min(now, member.silent_since + time);
}

void MasterLaws::check_members(const MasterMachine& machine, Instant now) {
  if (tick_) {
    for (auto it = members_.begin(); it != members_.end();) {
      const Member& member = it->second;
      const bool gone = now - member.silent_since > member.every * WorkerReport::kMissed;
      it = gone ? members_.erase(it) : std::next(it);
    }
  }
  std::set<std::string> expected;
  for (const auto& [worker, member] : members_) expected.insert(worker);
  std::set<std::string> there;
  for (const WorkerReport& report : machine.workers()) there.insert(report.worker);
  if (there != expected)
    broken(fmt::format("it takes workers {} to be there, and not {}", fmt::join(there, ", "),
                       fmt::join(expected, ", ")));
}

// ---- L8: ends

void MasterLaws::not_counted(Duration time, Instant now) {
  moved_ = std::min(now, moved_ + time);
  if (deserted_) *deserted_ += time;
}

void MasterLaws::check_time(const MasterMachine& machine, Instant now) {
  if (!there_) return;
  const bool anybody = std::ranges::any_of(machine.workers(), [&](const WorkerReport& report) {
    return !report.draining && report.credit > 0 && knows(report);
  });
  check_failures(anybody, now);
  if (!out_.empty() && unanswered_ && now - *unanswered_ > silence_max_) {
    broken(fmt::format("the queue has said nothing for {}, and the map goes on",
                       format_duration(now - *unanswered_)));
  }
  if (!tick_) {
    if (!out_.empty() && cut_off(now)) broken("there is no connection, and the map goes on");
    return;
  }
  if (out_.empty()) {
    if (!queue_failed_) unanswered_.reset();
    if (anybody || failures_.empty()) deserted_.reset();
    moved_ = now;
    return;
  }
  if (unanswered_ && now - asked_ >= options_.patience)
    broken("a queue that owes an answer is not asked again");
  if (!anybody) {
    if (!deserted_) deserted_ = now;
    moved_ = std::min(now, moved_ + passed_);
    if (now - *deserted_ > options_.worker_timeout) broken("nobody is there, and the map goes on");
    return;
  }
  deserted_.reset();
  const bool idle = std::ranges::any_of(machine.workers(), [&](const WorkerReport& report) {
    return idle_.contains(report.worker) && knows(report);
  });
  if (!idle) moved_ = now;
  if (now - moved_ > silence_max_) broken("workers get nothing, and the map goes on");
}

bool MasterLaws::cut_off(Instant now) const {
  return disconnected_ && now - std::max(disconnected_at_, begun_) > options_.worker_timeout;
}

// By what was so before this step.
void MasterLaws::check_failures(bool anybody, Instant now) {
  const auto longer = [&](Instant since, Duration limit) { return now - since > limit; };
  for (const std::string& why : failures_) {
    queue_failed_ = queue_failed_ || why.starts_with("the queue has ");
    bool due = true;
    if (why.starts_with("the queue has said nothing"))
      due = unanswered_ && longer(*unanswered_, silence_max_);
    if (why.starts_with("no connection")) due = cut_off(now);
    if (why.starts_with("the queue has given nothing") ||
        why.starts_with("the queue has been full"))
      due = longer(moved_, silence_max_);
    const bool unknown = why.ends_with("(no worker can do it)");
    if (unknown || why.starts_with("no worker for")) {
      const Duration limit =
          unknown ? std::min(kUnknownMax, options_.worker_timeout) : options_.worker_timeout;
      due = !anybody && deserted_ && longer(*deserted_, limit);
    }
    if (!due) broken("the map ends too early: " + why);
  }
}

}  // namespace artel::cluster::simulated
