#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "artel/cluster/beacon_request.hpp"
#include "artel/cluster/chunk_order.hpp"
#include "artel/cluster/connection.hpp"
#include "artel/cluster/dead_letter.hpp"
#include "artel/cluster/detail/subscription.hpp"
#include "artel/cluster/queue_options.hpp"
#include "artel/cluster/subjects.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster::detail {

/// The queues of a pool as its masters see them; all that they ask of JetStream.
///
/// The stream keeps what waits and what workers have in hand; one consumer, from which all workers
/// pull, redelivers what is not acknowledged within the lease, and gives it up after so many tries.
/// A worker may have a queue of its own beside it: other subjects of the same stream, and a
/// consumer for itself. Threads: all members are safe from any thread. Each but send() waits for
/// the server's answer.
class JetStreamQueue {
 public:
  struct Events {
    /// What came to results(). On the thread that hears the server's answers, too: they mostly come
    /// together, and to wake a thread costs more than to look at them.
    std::function<void(const Message&)> result;
    /// Nothing else has come yet.
    std::function<void()> calm;
    /// The server did not take this chunk, or no longer exists. On a thread of the engine.
    std::function<void(const ChunkAddress&)> not_sent;
    /// The server has delivered the message of this number as often as it may. Likewise.
    std::function<void(std::uint64_t sequence)> given_up;
  };

  /// Makes stream and consumer if they are not there. Errors: no JetStream, no permission.
  [[nodiscard]] static Result<std::unique_ptr<JetStreamQueue>> open(const Connection& connection,
                                                                    const Subjects& subjects,
                                                                    const QueueOptions& options,
                                                                    Events events);

  /// The subject where workers are to send the results of what is sent.
  [[nodiscard]] const std::string& results() const { return results_; }

  /// Again, after the server has lost them.
  [[nodiscard]] Result<void> make() const;

  enum class Urgency : std::uint8_t {
    now,
    soon,  ///< somebody else's turn is before it: it may wait for a millisecond, for others
  };
  /// Into the worker's own queue; empty: into the shared one. Returns at once; a copy of the same
  /// job, index and epoch is taken once.
  /// Errors: too_large, with the limit; a closed connection.
  [[nodiscard]] Result<void> send(const ChunkOrder& order, const std::string& worker = {},
                                  Urgency urgency = Urgency::now) const;

  // ---- Workers' own queues

  /// Makes the worker's queue if it is not there. The server drops it when nobody has pulled from
  /// it for minutes.
  [[nodiscard]] Result<void> make_own(const std::string& worker) const;
  /// Removes it, and what is in it.
  [[nodiscard]] Result<void> drop_own(const std::string& worker) const;
  /// Returns at once.
  [[nodiscard]] Result<void> send_beacon(const std::string& worker,
                                         const BeaconRequest& beacon) const;

  // ---- What became of it

  enum class MessageState : std::uint8_t {
    absent,  ///< done, or lost
    queued,  ///< waits, or a worker has it
    orphan,  ///< the server keeps it but will not deliver it again
    gone,    ///< the queue itself is not there any more
  };
  struct FoundMessage {
    MessageState state{};
    std::uint64_t sequence = 0;  ///< of the message, unless absent
  };
  /// In the worker's own queue; empty: in the shared one.
  [[nodiscard]] Result<FoundMessage> look_for(const ChunkAddress& chunk,
                                              const std::string& worker = {}) const;

  /// A message by its number; nothing: it is not there any more.
  [[nodiscard]] Result<std::optional<ChunkOrder>> read(std::uint64_t sequence) const;
  [[nodiscard]] Result<void> erase(std::uint64_t sequence) const;
  /// Removes what waits of a job.
  [[nodiscard]] Result<void> purge_job(std::string_view job) const;
  /// Removes the copies that wait of a chunk.
  [[nodiscard]] Result<void> purge(const ChunkAddress& chunk) const;

  // ---- Dead letters

  [[nodiscard]] Result<void> bury(const DeadLetter& letter) const;

 private:
  JetStreamQueue(const Connection& connection, Subjects subjects, QueueOptions options,
                 Events events);

  [[nodiscard]] std::string task_subject(const ChunkAddress& chunk,
                                         const std::string& worker) const;
  [[nodiscard]] Result<void> make_consumer(const std::string& name, const std::string& subject,
                                           Duration idle_max) const;
  [[nodiscard]] Result<void> purge_subject(const std::string& subject) const;
  void came(const Message& message) const;

  const Connection& connection_;
  const Subjects subjects_;
  const QueueOptions options_;
  const Events events_;
  const std::string inbox_;    // for the server's answers to what is sent: inbox_.job.index
  const std::string results_;  // inbox_.r
  std::vector<Subscription> subscriptions_;
};

}  // namespace artel::cluster::detail
