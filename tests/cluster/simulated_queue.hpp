#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "artel/cluster/protocol/beacon_request.hpp"
#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/master_action.hpp"
#include "artel/cluster/protocol/master_event.hpp"
#include "artel/cluster/protocol/worker_action.hpp"
#include "artel/cluster/protocol/worker_event.hpp"
#include "artel/core/instant.hpp"
#include "artel/random/stream.hpp"

namespace artel::cluster::simulated {

/// A process that is connected to the server, by its place among all of them.
using ClientId = std::size_t;

/// A model of a JetStream work queue, as its documentation and nats-server 2.9 have it: a stream
/// with a consumer for every queue, pulls that wait, leases, redelivery, a limit of deliveries, and
/// the memory for doubles. It can be killed with its store, without it and without its end, stop
/// answering, and pass over what waits, as 2.9 does after somebody's filtered purge.
///
/// Threads: one at a time; no clock: `now` comes from outside.
class SimulatedQueue {
 public:
  struct Out {
    ClientId to = 0;
    std::variant<MasterEvent, WorkerEvent> event;
  };
  using Outs = std::vector<Out>;

  SimulatedQueue(unsigned tries, std::vector<ClientId> masters)
      : tries_(tries), masters_(std::move(masters)) {}

  // ---- What clients ask for

  void make(const std::string& consumer, Instant now, Outs& outs);
  void drop(const std::string& consumer);
  [[nodiscard]] bool has(const std::string& consumer) const {
    return consumers_.contains(consumer);
  }
  /// Nothing: there is no stream to keep it.
  std::optional<StoredNumber> publish(const std::string& consumer,
                                      std::shared_ptr<const ChunkOrder> order, Instant now,
                                      Outs& outs);
  std::optional<StoredNumber> publish_beacon(const std::string& consumer,
                                             const BeaconRequest& beacon, Instant now, Outs& outs);
  void pull(ClientId worker, const Pull& pull, Instant now, Outs& outs);
  void tell(const std::string& ack, const std::string& word, Duration lease, Instant now,
            Outs& outs);
  [[nodiscard]] ChunkFound look_up(const LookUpChunk& chunk) const;
  void erase(StoredNumber number);
  void sweep(const std::string& job);
  [[nodiscard]] std::shared_ptr<const ChunkOrder> read(StoredNumber number) const;

  // ---- Time

  /// Leases and requests that have ended.
  void advance(Instant now, Outs& outs);
  /// When the next of them does.
  [[nodiscard]] Instant next_end() const;

  // ---- Faults

  /// The connection of a worker is gone, and with it what it has asked for.
  void forget_pulls(ClientId worker);
  /// All connections are gone. Killed: some of what was acknowledged last is there again, and half
  /// of that will not be delivered. What is there again of jobs that have ended, the next master
  /// clears away: here nothing is.
  void restart(bool killed, const std::set<std::string>& ended_jobs, random::Stream& dice);
  /// Everything is gone.
  void lose_store();
  /// All messages are gone, and the next is number 1 again; consumers deliver none of the numbers
  /// that they have seen.
  void lose_end();
  /// What waits will not be delivered.
  void pass_over();

  /// Chunks.
  [[nodiscard]] std::size_t kept() const;
  [[nodiscard]] std::string describe_kept() const;

  /// Whose lease ended the last time that one did: for who checks that it had to.
  struct EndedLease {
    ClientId worker = 0;
    std::string job;
    std::uint64_t index = 0;
  };
  std::vector<EndedLease> ended_leases;

 private:
  struct Message {
    std::string consumer;
    std::shared_ptr<const ChunkOrder> order;  // null: a beacon
    BeaconRequest beacon{};
  };
  struct Delivery {
    ClientId worker = 0;
    Instant ends{};
    std::uint32_t count = 0;
  };
  struct WaitingPull {
    ClientId worker = 0;
    std::string reply;
    std::uint64_t left = 0;
    Instant ends{};
  };
  struct Consumer {
    std::set<StoredNumber> ready;
    std::map<StoredNumber, Delivery> in_hand;
    std::map<StoredNumber, std::uint32_t> delivered;  // how often
    std::map<StoredNumber, Instant> later;            // not before then
    std::deque<WaitingPull> pulls;
    StoredNumber seen = 0;  // lost, and all up to it done in its eyes
  };
  using MessageId = std::tuple<std::string, std::uint64_t, std::uint32_t>;

  std::optional<StoredNumber> keep(const std::string& consumer, Message message, Instant now,
                                   Outs& outs);
  [[nodiscard]] QueueState state_of(const std::string& consumer) const;
  void deliver(const std::string& name, Consumer& consumer, Instant now, Outs& outs);
  bool give_up_if_worn(Consumer& consumer, StoredNumber number, Outs& outs);

  unsigned tries_;
  std::vector<ClientId> masters_;
  bool stream_there_ = true;
  StoredNumber last_ = 0;
  std::map<StoredNumber, Message> messages_;
  std::map<MessageId, StoredNumber> known_;
  std::map<std::string, Consumer> consumers_;
  std::deque<std::pair<StoredNumber, Message>> acknowledged_;  // the last few
};

}  // namespace artel::cluster::simulated
