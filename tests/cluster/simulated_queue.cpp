#include "tests/cluster/simulated_queue.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "artel/cluster/protocol/beacon_request.hpp"
#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/master_action.hpp"
#include "artel/cluster/protocol/master_event.hpp"
#include "artel/cluster/protocol/worker_action.hpp"
#include "artel/cluster/protocol/worker_event.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/parse_number.hpp"
#include "artel/random/stream.hpp"

namespace artel::cluster::simulated {
namespace {

constexpr std::size_t kAcknowledgedMax = 5;  // that a killed server may have forgotten

// An ack is "CONSUMER NUMBER".
std::optional<StoredNumber> number_of(const std::string& ack) {
  return parse_number<StoredNumber>(ack.substr(ack.find(' ') + 1));
}

}  // namespace

// ---- What clients ask for

void SimulatedQueue::make(const std::string& consumer, Instant now, Outs& outs) {
  stream_there_ = true;
  const auto [at, fresh] = consumers_.try_emplace(consumer);
  if (!fresh) return;
  for (const auto& [number, message] : messages_) {
    if (message.consumer == consumer) at->second.ready.insert(number);
  }
  deliver(consumer, at->second, now, outs);
}

void SimulatedQueue::drop(const std::string& consumer) { consumers_.erase(consumer); }

std::optional<StoredNumber> SimulatedQueue::publish(const std::string& consumer,
                                                    std::shared_ptr<const ChunkOrder> order,
                                                    Instant now, Outs& outs) {
  if (!stream_there_) return std::nullopt;
  const MessageId id{order->job, order->index, order->epoch};
  if (const auto known = known_.find(id); known != known_.end()) return known->second;
  const auto number = keep(consumer, {consumer, std::move(order)}, now, outs);
  if (number) known_.emplace(id, *number);
  return number;
}

std::optional<StoredNumber> SimulatedQueue::publish_beacon(const std::string& consumer,
                                                           const BeaconRequest& beacon, Instant now,
                                                           Outs& outs) {
  return keep(consumer, {consumer, nullptr, beacon}, now, outs);
}

std::optional<StoredNumber> SimulatedQueue::keep(const std::string& consumer, Message message,
                                                 Instant now, Outs& outs) {
  if (!stream_there_) return std::nullopt;
  const StoredNumber number = ++last_;
  messages_.emplace(number, std::move(message));
  const auto at = consumers_.find(consumer);
  if (at != consumers_.end() && number > at->second.seen) {
    at->second.ready.insert(number);
    deliver(consumer, at->second, now, outs);
  }
  return number;
}

void SimulatedQueue::pull(ClientId worker, const Pull& pull, Instant now, Outs& outs) {
  const auto at = consumers_.find(pull.queue);
  if (at == consumers_.end()) return;  // it says nothing
  at->second.pulls.push_back({worker, pull.reply, pull.batch, later(now, pull.expires)});
  deliver(pull.queue, at->second, now, outs);
}

void SimulatedQueue::tell(const std::string& ack, const std::string& word, Duration lease,
                          Instant now, Outs& outs) {
  const std::string name = ack.substr(0, ack.find(' '));
  const auto at = consumers_.find(name);
  const auto number = number_of(ack);
  if (at == consumers_.end() || !number) return;
  Consumer& consumer = at->second;
  const auto held = consumer.in_hand.find(*number);
  if (word == "+WPI") {
    if (held != consumer.in_hand.end()) held->second.ends = later(now, lease);
    return;
  }
  if (word.starts_with("-NAK")) {
    if (held == consumer.in_hand.end()) return;
    consumer.in_hand.erase(held);
    const bool at_once = word == "-NAK";
    if (!give_up_if_worn(consumer, *number, outs)) {
      if (at_once) {
        consumer.ready.insert(*number);
      } else {
        consumer.later[*number] = later(now, std::chrono::milliseconds(100));
      }
    }
    return deliver(name, consumer, now, outs);
  }
  if (const auto kept = messages_.find(*number); kept != messages_.end()) {
    if (acknowledged_.size() == kAcknowledgedMax) acknowledged_.pop_front();
    acknowledged_.emplace_back(*number, kept->second);
  }
  erase(*number);
}

ChunkFound SimulatedQueue::look_up(const LookUpChunk& chunk) const {
  if (!stream_there_) return {chunk.chunk, MessageState::gone};
  const std::string& consumer = chunk.worker.empty() ? chunk.queue : chunk.worker;
  for (auto at = messages_.rbegin(); at != messages_.rend(); ++at) {
    const auto& [number, message] = *at;
    if (message.consumer == consumer && message.order && message.order->job == chunk.chunk.job &&
        message.order->index == chunk.chunk.index) {
      return {chunk.chunk, MessageState::queued, number, state_of(consumer)};
    }
  }
  return {chunk.chunk, MessageState::absent};
}

QueueState SimulatedQueue::state_of(const std::string& name) const {
  const auto at = consumers_.find(name);
  if (at == consumers_.end()) return {};
  const Consumer& consumer = at->second;
  QueueState state{.done_to = std::max(last_, consumer.seen),
                   .waiting = consumer.ready.size(),
                   .in_hand = consumer.in_hand.size() + consumer.later.size()};
  const auto open = [&](StoredNumber number) {
    state.done_to = std::min(state.done_to, number - 1);
  };
  if (!consumer.ready.empty()) open(*consumer.ready.begin());
  if (!consumer.in_hand.empty()) open(consumer.in_hand.begin()->first);
  if (!consumer.later.empty()) open(consumer.later.begin()->first);
  return state;
}

void SimulatedQueue::erase(StoredNumber number) {
  const auto at = messages_.find(number);
  if (at == messages_.end()) return;
  if (const auto consumer = consumers_.find(at->second.consumer); consumer != consumers_.end()) {
    consumer->second.ready.erase(number);
    consumer->second.in_hand.erase(number);
    consumer->second.later.erase(number);
    consumer->second.delivered.erase(number);
  }
  messages_.erase(at);
}

void SimulatedQueue::sweep(const std::string& job) {
  std::vector<StoredNumber> numbers;
  for (const auto& [number, message] : messages_) {
    if (message.order && message.order->job == job) numbers.push_back(number);
  }
  for (const StoredNumber number : numbers) erase(number);
}

std::shared_ptr<const ChunkOrder> SimulatedQueue::read(StoredNumber number) const {
  const auto at = messages_.find(number);
  return at == messages_.end() ? nullptr : at->second.order;
}

// ---- Time

bool SimulatedQueue::give_up_if_worn(Consumer& consumer, StoredNumber number, Outs& outs) {
  if (consumer.delivered[number] < tries_) return false;
  for (const ClientId master : masters_) outs.push_back({master, MessageGivenUp{number}});
  return true;
}

void SimulatedQueue::deliver(const std::string& name, Consumer& consumer, Instant now, Outs& outs) {
  while (!consumer.pulls.empty() && !consumer.ready.empty()) {
    WaitingPull& pull = consumer.pulls.front();
    if (pull.ends <= now) {
      outs.push_back({pull.worker, PullEnded{pull.reply, "408"}});
      consumer.pulls.pop_front();
      continue;
    }
    const StoredNumber number = *consumer.ready.begin();
    consumer.ready.erase(consumer.ready.begin());
    const Message& message = messages_.at(number);
    const std::uint32_t count = ++consumer.delivered[number];
    const Duration lease = message.order ? message.order->lease : Duration(std::chrono::seconds(1));
    consumer.in_hand[number] = {pull.worker, later(now, lease), count};
    const std::string ack = fmt::format("{} {}", name, number);
    if (message.order) {
      outs.push_back({pull.worker, ChunkCame{name, message.order, count, ack}});
    } else {
      outs.push_back({pull.worker, BeaconCame{name, message.beacon, ack}});
    }
    if (--pull.left == 0) consumer.pulls.pop_front();
  }
}

void SimulatedQueue::advance(Instant now, Outs& outs) {
  for (auto& [name, consumer] : consumers_) {
    for (auto at = consumer.in_hand.begin(); at != consumer.in_hand.end();) {
      if (at->second.ends > now) {
        ++at;
        continue;
      }
      const StoredNumber number = at->first;
      if (const auto& order = messages_.at(number).order) {
        ended_leases.push_back({at->second.worker, order->job, order->index});
      }
      at = consumer.in_hand.erase(at);
      if (!give_up_if_worn(consumer, number, outs)) consumer.ready.insert(number);
    }
    std::erase_if(consumer.later, [&](const auto& delayed) {
      if (delayed.second > now) return false;
      consumer.ready.insert(delayed.first);
      return true;
    });
    std::erase_if(consumer.pulls, [&](const WaitingPull& pull) {
      if (pull.ends > now) return false;
      outs.push_back({pull.worker, PullEnded{pull.reply, "408"}});
      return true;
    });
    deliver(name, consumer, now, outs);
  }
}

Instant SimulatedQueue::next_end() const {
  Instant next = kNever;
  for (const auto& [name, consumer] : consumers_) {
    for (const auto& [number, delivery] : consumer.in_hand) next = std::min(next, delivery.ends);
    for (const auto& [number, at] : consumer.later) next = std::min(next, at);
    for (const WaitingPull& pull : consumer.pulls) next = std::min(next, pull.ends);
  }
  return next;
}

// ---- Faults

void SimulatedQueue::forget_pulls(ClientId worker) {
  for (auto& [name, consumer] : consumers_) {
    std::erase_if(consumer.pulls, [&](const WaitingPull& pull) { return pull.worker == worker; });
  }
}

void SimulatedQueue::restart(bool killed, const std::set<std::string>& ended_jobs,
                             random::Stream& dice) {
  for (auto& [name, consumer] : consumers_) consumer.pulls.clear();
  if (!killed) return;
  for (auto& [number, message] : acknowledged_) {
    const bool passed_over = dice.below(2) == 0;
    if (message.order && ended_jobs.contains(message.order->job)) continue;
    if (!messages_.emplace(number, message).second || passed_over) continue;
    const auto consumer = consumers_.find(message.consumer);
    if (consumer != consumers_.end()) consumer->second.ready.insert(number);
  }
  acknowledged_.clear();
}

void SimulatedQueue::lose_store() {
  stream_there_ = false;
  messages_.clear();
  known_.clear();
  consumers_.clear();
  acknowledged_.clear();
}

void SimulatedQueue::lose_end() {
  for (auto& [name, consumer] : consumers_)
    consumer = {.pulls = {}, .seen = std::max(last_, consumer.seen)};
  messages_.clear();
  known_.clear();
  acknowledged_.clear();
  last_ = 0;
}

void SimulatedQueue::pass_over() {
  for (auto& [name, consumer] : consumers_) consumer.ready.clear();
}

std::size_t SimulatedQueue::kept() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      messages_, [&](const auto& kept) { return kept.second.order != nullptr; }));
}

std::string SimulatedQueue::describe_kept() const {
  std::string text;
  for (const auto& [number, message] : messages_) {
    if (!message.order) {
      text += fmt::format(" {}:beacon", number);
      continue;
    }
    const auto at = consumers_.find(message.consumer);
    text += fmt::format(" {}:{}.{}.{}{}", number, message.order->job, message.order->index,
                        message.order->epoch,
                        at == consumers_.end()                ? "?"
                        : at->second.ready.contains(number)   ? " ready"
                        : at->second.in_hand.contains(number) ? " in hand"
                        : at->second.later.contains(number)   ? " later"
                                                              : " passed over");
  }
  return text;
}

}  // namespace artel::cluster::simulated
