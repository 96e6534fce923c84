#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "artel/cluster/connection.hpp"
#include "artel/cluster/detail/large_orders.hpp"
#include "artel/cluster/detail/message_pieces.hpp"
#include "artel/cluster/detail/pool_streams.hpp"
#include "artel/cluster/detail/subscription.hpp"
#include "artel/cluster/protocol/beacon_request.hpp"
#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/master_action.hpp"
#include "artel/cluster/protocol/master_event.hpp"
#include "artel/cluster/protocol/queue_options.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster::detail {

/// The queues of a pool as its masters see them; all that they ask of JetStream. It decides
/// nothing.
///
/// The stream keeps what waits and what workers have in hand. Those who know the same tasks pull
/// from one consumer, which redelivers what is not acknowledged within the lease, and gives it up
/// after so many tries. A worker may have a queue of its own beside it: other subjects of the same
/// stream, and a consumer for itself. Threads: all members are safe from any thread.
class JetStreamQueue {
 public:
  struct Events {
    /// What came to results(), whole. On the thread that hears the server's answers, too: they
    /// mostly come together, and to wake a thread costs more than to look at them.
    std::function<void(std::string_view)> result;
    /// Nothing else has come yet.
    std::function<void()> calm;
    /// What the server says: ChunkStored, ChunkNotStored, ChunkFound, BeaconStored on that thread,
    /// MessageGivenUp on another one of the engine.
    std::function<void(MasterEvent)> said;
  };

  /// Makes the streams if they are not there. Errors: no JetStream, no permission.
  [[nodiscard]] static Result<std::unique_ptr<JetStreamQueue>> open(const Connection& connection,
                                                                    const Subjects& subjects,
                                                                    const QueueOptions& options,
                                                                    Events events);

  /// The subject where workers are to send the results of what is sent.
  [[nodiscard]] const std::string& results() const { return results_; }

  // ---- At once; the answer is an event

  enum class Urgency : std::uint8_t {
    now,
    soon,  ///< within a millisecond, together with others
  };
  /// Into the worker's own queue; empty: into the shared one of that name. A copy of the same job,
  /// index and epoch is taken once. One larger than a message is kept here as long as `order`
  /// lives, for the workers who ask for its items. Errors: too_large, with the limit; a closed
  /// connection.
  [[nodiscard]] Result<void> send(const std::shared_ptr<const ChunkOrder>& order,
                                  const std::string& queue, const std::string& worker = {},
                                  Urgency urgency = Urgency::now);
  void look_up(const LookUpChunk& chunk) const;
  void send_beacon(const std::string& worker, const BeaconRequest& beacon) const;
  /// If it is there. No answer.
  void erase(StoredNumber number) const;

  // ---- Waits for the server's answer

  [[nodiscard]] const PoolStreams& streams() const { return streams_; }
  /// Makes the shared queue of this name, and the streams, if they are not there. The server drops
  /// it when nobody has pulled from it for minutes.
  [[nodiscard]] Result<void> make(const std::string& queue) const;
  /// Likewise for a worker's own.
  [[nodiscard]] Result<void> make_own(const std::string& worker) const;
  /// Removes it; what is in it stays.
  [[nodiscard]] Result<void> drop_own(const std::string& worker) const;
  /// The same for a shared queue.
  [[nodiscard]] Result<void> drop(const std::string& queue) const;
  /// A message by its number; null: it is not there any more, or no chunk.
  [[nodiscard]] std::shared_ptr<const ChunkOrder> read(StoredNumber number) const;

 private:
  JetStreamQueue(const Connection& connection, Subjects subjects, QueueOptions options,
                 Events events);

  [[nodiscard]] Result<void> make_consumer(const std::string& name,
                                           const std::string& subject) const;
  void ask(const std::string& call, const std::string& reply, const std::string& body) const;
  void came(const Message& message);
  void items_wanted(const Message& message);
  void answer_came(std::string_view about, const Message& message) const;
  void queue_found(ChunkAddress chunk, std::string_view about, std::string_view text) const;

  const Connection& connection_;
  const Subjects subjects_;
  const QueueOptions options_;
  const PoolStreams streams_;
  const Events events_;
  const std::string inbox_;    // for the server's answers, below it what they are about
  const std::string results_;  // inbox_.r
  const std::string items_;    // inbox_.i, for workers who ask for the items of large orders
  MessagePieces pieces_;       // of results, on the thread that hears them
  LargeOrders large_;
  std::vector<Subscription> subscriptions_;
};

}  // namespace artel::cluster::detail
