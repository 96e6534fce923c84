#include "tests/cluster/worker_laws.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/chunk_result.hpp"
#include "artel/cluster/protocol/queue_call.hpp"
#include "artel/cluster/protocol/task_key.hpp"
#include "artel/cluster/protocol/tell_problem.hpp"
#include "artel/cluster/protocol/worker_action.hpp"
#include "artel/cluster/protocol/worker_event.hpp"
#include "artel/cluster/protocol/worker_machine.hpp"
#include "artel/cluster/protocol/worker_report.hpp"
#include "artel/core/instant.hpp"
#include "tests/cluster/overloaded.hpp"

namespace artel::cluster::simulated {
namespace {

constexpr Duration kLate = std::chrono::milliseconds(500);  // for the word of the server
constexpr std::size_t kOwnFetch = 64;
constexpr Duration kLookAgain = std::chrono::milliseconds(100);

}  // namespace

std::vector<std::string> WorkerLaws::check(const WorkerEvent& event, const WorkerActions& actions,
                                           const WorkerMachine& machine, Instant now) {
  words_.clear();
  concerned_ = 0;
  told_before_ = false;
  ends_ = std::holds_alternative<EndWanted>(event);
  unreadable_ = std::holds_alternative<UnreadableCame>(event);
  pulls_.clear();
  if (left_ && !actions.empty()) broken("it does something after it has left");
  before(event, now);
  for (const WorkerAction& action : actions) did(action, now);
  after(event, machine, now);
  queues_ = machine.report(now).queues;
  return std::exchange(broken_, {});
}

// What the event means, whatever the machine makes of it.
void WorkerLaws::before(const WorkerEvent& event, Instant now) {
  const auto came = [&](const QueueName& queue) {
    const auto request = requests_.find(queue);
    if (request != requests_.end() && request->second.left > 0) --request->second.left;
  };
  std::visit(
      Overloaded{[&](const ChunkCame& x) {
                   came(x.queue);
                   leases_[++last_lease_] = {
                       .order = x.order, .delivery = x.delivery, .ack = x.ack, .renewed = now};
                 },
                 [&](const BeaconCame& x) {
                   came(x.queue);
                   leases_[++last_lease_] = {.order = nullptr, .ack = x.ack};
                 },
                 [&](const UnreadableCame& x) { came(x.queue); },
                 [&](const PullEnded& x) {
                   std::erase_if(requests_, [&](const auto& request) {
                     return request.second.reply == x.subject;
                   });
                 },
                 [&](const WorkerReconnected&) {
                   requests_.clear();
                   looked_up_.clear();
                 },
                 [&](const QueueCalled&) { looked_up_.clear(); },
                 [&](const ThreadReady& x) {
                   const auto at = leases_.find(x.lease);
                   if (at == leases_.end()) return;
                   if (!at->second.order || at->second.told) {
                     leases_.erase(at);
                   } else {
                     at->second.begun = true;
                   }
                 },
                 [&](const NotPosted& x) { concerned_ = x.lease; },
                 [&](const ChunkWorked& x) {
                   concerned_ = x.lease;
                   const auto at = leases_.find(x.lease);
                   told_before_ = at != leases_.end() && at->second.told;
                 },
                 [&](const DrainWanted&) { draining_ = true; }, [](const auto&) {}},
      event);
}

void WorkerLaws::did(const WorkerAction& action, Instant now) {
  std::visit(
      Overloaded{[&](const TellServer& x) { told(x.ack, x.word, now); },
                 [&](const AnswerChunk& x) { told(x.ack, "answer " + x.word, now); },
                 [&](const BuryChunk& x) { words_.push_back("bury " + x.letter.order.job); },
                 [&](const PostLease& x) { words_.push_back(fmt::format("post {}", x.lease)); },
                 [&](const RunChunk& x) {
                   words_.push_back(fmt::format("run {} {}", x.lease, x.delivery));
                 },
                 [&](const SendReport& x) {
                   words_.push_back("report to " + x.reply);
                   if (x.reply.empty()) reported_ = now;
                   check_report(x.report);
                 },
                 [&](const Pull& x) { pulls_.push_back(x); },
                 [&](const LookUpQueue& x) {
                   words_.push_back("look up " + x.queue);
                   const auto [at, first] = looked_up_.try_emplace(x.queue, now);
                   if (!first && now - std::exchange(at->second, now) < kLookAgain)
                     broken("a queue is looked up too often");
                 },
                 [&](const AnswerBeacon&) { words_.emplace_back("beacon"); },
                 [&](const TellProblem&) { words_.emplace_back("problem"); },
                 [&](const WorkerLeft&) {
                   if (!draining_ || any_open(now)) broken("it leaves with a request open");  // W4
                   const bool leased = std::ranges::any_of(
                       leases_, [](const auto& lease) { return !lease.second.told; });
                   if (leased) broken("it leaves with chunks leased");
                   left_ = true;
                 }},
      action);
}

// W1, W2
void WorkerLaws::told(const std::string& ack, const std::string& word, Instant now) {
  words_.push_back(word + " " + ack);
  if (unreadable_) return;  // it is no lease, though one may have this ack from before
  Lease* const found = lease_of(ack, word);
  if (found == nullptr) {
    return broken("the server is told '" + word + "' of what is not leased: " + ack);
  }
  Lease& lease = *found;
  if (word != "+WPI") {
    if (word == "-NAK" && lease.begun && !ends_) broken("what runs is handed back: " + ack);
    lease.told = true;
    return;
  }
  const Duration third = std::max(lease.order->lease, WorkerMachine::kLeaseMin) / 3;
  if (now < later(lease.renewed, third)) broken("a lease is renewed too early: " + ack);
  lease.renewed = now;
}

// A message may come twice: then two leases have one ack.
WorkerLaws::Lease* WorkerLaws::lease_of(const std::string& ack, const std::string& word) {
  Lease* best = nullptr;
  for (auto& [id, lease] : leases_) {
    if (lease.ack != ack || lease.told) continue;
    if (id == concerned_) return &lease;
    const bool better = best == nullptr || (word == "+WPI" ? lease.renewed < best->renewed
                                                           : best->begun && !lease.begun);
    if (better) best = &lease;
  }
  return best;
}

std::size_t WorkerLaws::count(const std::string& word) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      words_, [&](const std::string& said) { return said.starts_with(word); }));
}

bool WorkerLaws::any_open(Instant now) const {
  return std::ranges::any_of(requests_, [&](const auto& request) {
    return request.second.left > 0 && now < request.second.ends;
  });
}

// W5. A chunk that was handed back while it ran has had its word.
void WorkerLaws::worked(const ChunkWorked& event) {
  const auto at = leases_.find(event.lease);
  if (at == leases_.end()) return;
  const Lease& lease = at->second;
  const bool failed = event.outcome == ChunkOutcome::failed;
  const bool again = failed && !event.hopeless && lease.delivery < lease.order->tries;
  const std::string last =
      again ? fmt::format("-NAK {{\"delay\":{}}} {}", options_.retry_delay.count(), lease.ack)
            : fmt::format("answer {} {}", failed ? "+TERM" : "+ACK", lease.ack);
  if (count(last) != (told_before_ ? 0 : 1) || (again && count("answer") > 0)) {
    broken(fmt::format("of delivery {} of {} tries, {}, the server is told another thing than {}",
                       lease.delivery, lease.order->tries, failed ? "failed" : "done", last));
  }
  if (count("bury") != (failed && !again ? 1 : 0)) broken("what is buried is not what failed last");
  leases_.erase(at);
}

void WorkerLaws::after(const WorkerEvent& event, const WorkerMachine& machine, Instant now) {
  std::visit(Overloaded{[&](const ChunkWorked& x) { worked(x); },
                        [&](const ChunkCame&) {  // W1
                          if (count("post") != 1) broken("what was delivered is not posted once");
                        },
                        [&](const UnreadableCame& x) {
                          if (count("+TERM " + x.ack) != 1)
                            broken("what cannot be read stays: " + x.ack);
                        },
                        [&](const BeaconCame& x) {
                          if (count("+ACK " + x.ack) != 1) broken("a beacon is not acknowledged");
                        },
                        [&](const NotPosted& x) {  // W6
                          const auto at = leases_.find(x.lease);
                          if (at == leases_.end()) return;
                          if (!at->second.told) broken("what cannot be posted is not handed back");
                          leases_.erase(at);
                        },
                        [&](const EndWanted&) {
                          for (const auto& [id, lease] : leases_) {
                            if (!lease.told)
                              broken("what it had at its end is not handed back: " + lease.ack);
                          }
                        },
                        [&](const Discovered& x) {  // W7
                          if (count("report to " + x.reply) != 1)
                            broken("a discovery is not answered");
                        },
                        [&](const WorkerReconnected&) {
                          if (count("report to ") == 0)
                            broken("nobody is told that it is there again");
                          for (const QueueName& queue : machine.report(now).queues) {
                            if (count("look up " + queue) == 0 && !draining_)
                              broken("a queue is not looked up");
                          }
                        },
                        [&](const ThreadReady& x) {
                          const auto at = leases_.find(x.lease);
                          const bool runs = at != leases_.end() && at->second.order;
                          if (count(fmt::format("run {} ", x.lease)) != (runs ? 1 : 0))
                            broken("a thread does not work on what it is ready for");
                        },
                        [&](const QueueCalled& x) { called(x.call, machine.report(now).queues); },
                        [](const auto&) {}},
             event);
  check_state(event, machine, now);
}

void WorkerLaws::check_state(const WorkerEvent& event, const WorkerMachine& machine, Instant now) {
  // Handed back before it began: gone.
  std::erase_if(leases_, [&](const auto& lease) {
    return draining_ && !any_open(now) && lease.second.told && !lease.second.begun;
  });
  for (const Pull& pull : pulls_) {  // W3
    if (draining_) broken("it asks for chunks though it drains");
    const auto known = requests_.find(pull.queue);
    if (known != requests_.end() && known->second.left > 0 && now < known->second.ends) {
      broken("two requests are open for " + pull.queue);
    }
    requests_[pull.queue] = {pull.reply, pull.batch, later(now, pull.expires + kLate)};
    const std::size_t room =
        pull.queue == options_.own_queue ? kOwnFetch : machine.report(now).credit - leases_.size();
    if (pull.batch != room)
      broken(fmt::format("it asks for {}, and has room for {}", pull.batch, room));
  }
  if (draining_ && !left_) after_drain(event, machine, now);
  if (machine.leased() != leases_.size()) {  // W1
    broken(fmt::format("it has {} leases, and {} chunks without a last word", machine.leased(),
                       leases_.size()));
  }
  if (left_) return;
  const Instant wake = machine.wake_at();
  for (const auto& [id, lease] : leases_) {  // W2
    if (!lease.order || lease.told) continue;
    const Instant due =
        later(lease.renewed, std::max(lease.order->lease, WorkerMachine::kLeaseMin) / 3);
    const bool late = std::holds_alternative<WorkerTick>(event) && due <= now;
    if (late || (due > now && wake > due)) broken("a lease is renewed too late: " + lease.ack);
  }
  if (reported_ && wake > std::max(later(*reported_, options_.report_every), now)) {  // W8
    broken("the next report is late");
  }
}

// W4
void WorkerLaws::after_drain(const WorkerEvent& event, const WorkerMachine& machine, Instant now) {
  const bool open = any_open(now);
  const bool must =
      std::holds_alternative<EndWanted>(event) || std::holds_alternative<NotPosted>(event);
  if (open && !must && count("-NAK ") > count("-NAK {"))
    broken("it hands back while a request is open");
  const Instant wake = machine.wake_at();
  for (const auto& [queue, request] : requests_) {
    if (request.left > 0 && now < request.ends && wake > request.ends)
      broken("nothing wakes it when a request ends");
  }
  if (open) return;
  for (const auto& [id, lease] : leases_) {
    if (lease.order && !lease.begun && !lease.told)
      broken("what has not begun stays: " + lease.ack);
  }
  if (machine.leased() == 0) broken("it stays, though nothing is to come");
}

// W3
void WorkerLaws::called(const QueueCall& call, const std::vector<std::string>& queues) {
  const QueueName& queue = call.queue.empty() ? options_.own_queue : call.queue;
  const bool knows = std::ranges::all_of(call.tasks, [&](const TaskKey& task) {
    return std::ranges::find(options_.tasks, task) != options_.tasks.end();
  });
  const bool pulls = std::ranges::find(queues, queue) != queues.end();
  if (draining_ && pulls && std::ranges::find(queues_, queue) == queues_.end())
    broken("it joins a queue though it drains");
  if (!draining_ && pulls != (call.queue.empty() || knows))
    broken("it does not pull from what it can do, or does from what it cannot");
}

// W8
void WorkerLaws::check_report(const WorkerReport& report) {
  std::multiset<std::string> held;
  std::multiset<std::string> least;  // what has no last word
  for (const auto& [id, lease] : leases_) {
    if (!lease.order) continue;
    const std::string chunk = fmt::format("{}.{}", lease.order->job, lease.order->index);
    held.insert(chunk);
    if (!lease.told) least.insert(chunk);
  }
  std::multiset<std::string> said;
  for (const LeasedChunk& chunk : report.held)
    said.insert(fmt::format("{}.{}", chunk.job, chunk.index));
  if (report.draining != draining_) broken("the report does not say that it drains");
  if (!std::ranges::includes(held, said) || !std::ranges::includes(said, least))
    broken("the report does not say what is held");
}

}  // namespace artel::cluster::simulated
