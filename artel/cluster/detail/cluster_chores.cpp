// What a ClusterCore asks of the server and waits for.

#include <nats/nats.h>

#include <chrono>
#include <deque>
#include <mutex>
#include <string>
#include <utility>
#include <variant>

#include "artel/cluster/connection.hpp"
#include "artel/cluster/dead_letters.hpp"
#include "artel/cluster/detail/clear_after_dead_masters.hpp"
#include "artel/cluster/detail/cluster_core.hpp"
#include "artel/cluster/detail/jetstream_queue.hpp"
#include "artel/cluster/message_seal.hpp"
#include "artel/cluster/protocol/master_action.hpp"
#include "artel/cluster/protocol/master_event.hpp"
#include "artel/cluster/protocol/queue_call.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"

namespace artel::cluster::detail {
namespace {

constexpr Duration kLookAgain = std::chrono::milliseconds(50);  // for the connection
constexpr Duration kLastChoresMax = std::chrono::seconds(2);

}  // namespace

// A server that does not answer keeps each of them for the request's timeout.
void ClusterCore::run_chores() {
  std::unique_lock guard(lock_);
  while (!stopping_) {
    if (!connection_.is_connected()) {
      changed_.wait_for(guard, kLookAgain, [this] { return stopping_; });
      continue;
    }
    changed_.wait(guard, [this] { return stopping_ || !chores_.empty(); });
    if (stopping_) break;
    const MasterAction chore = std::move(chores_.front());
    chores_.pop_front();
    guard.unlock();
    std::visit([this](const auto& one) { do_chore(one); }, chore);
    guard.lock();
  }
  guard.unlock();
  do_last_chores();
}

// What is left of jobs that ended last. If the server does not answer, it stays there, for whoever
// comes next.
void ClusterCore::do_last_chores() {
  const Instant begun = steady_now();
  for (const MasterAction& chore : take_chores()) {
    if (!connection_.is_connected() || steady_now() - begun > kLastChoresMax) return;
    if (std::holds_alternative<SweepJob>(chore) || std::holds_alternative<BuryLetter>(chore)) {
      std::visit([this](const auto& one) { do_chore(one); }, chore);
    }
  }
}

std::deque<MasterAction> ClusterCore::take_chores() {
  const std::lock_guard guard(lock_);
  return std::exchange(chores_, {});
}

// What fails here is looked for, and made again.
void ClusterCore::do_chore(const MakeQueue& chore) {
  if (chore.anew) static_cast<void>(queue_->drop(chore.queue));
  static_cast<void>(queue_->make(chore.queue));
}

// Behind the chore that makes it: who finds no queue asks again after WorkerOptions::retry_delay.
void ClusterCore::do_chore(const CallQueue& chore) {
  const std::string bytes = connection_.seal().close(SealedKind::call, encode(chore.call));
  static_cast<void>(natsConnection_Publish(connection_.handle(), subjects_.discovery().c_str(),
                                           bytes.data(), static_cast<int>(bytes.size())));
}

void ClusterCore::do_chore(const MakeOwnQueue& chore) {
  step(OwnQueueMade{chore.worker, queue_->make_own(chore.worker).has_value()});
}

void ClusterCore::do_chore(const DropOwnQueue& chore) {
  static_cast<void>(queue_->drop_own(chore.worker));
}

void ClusterCore::do_chore(const SweepJob& chore) {
  step(JobSwept{chore.job, sweep_job(connection_, subjects_, chore.job).has_value()});
}

void ClusterCore::do_chore(const ReadMessage& chore) {
  step(MessageRead{chore.number, queue_->read(chore.number)});
}

void ClusterCore::do_chore(const BuryLetter& chore) {
  // Until the letter is stored, dead_letters() finds it by what the server says of its message.
  if (bury(connection_, subjects_, chore.letter)) queue_->erase(chore.number);
}

}  // namespace artel::cluster::detail
