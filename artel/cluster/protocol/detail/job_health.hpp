#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "artel/cluster/protocol/detail/roster.hpp"
#include "artel/cluster/protocol/detail/server_link.hpp"
#include "artel/cluster/protocol/master_event.hpp"
#include "artel/cluster/protocol/queue_options.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster::detail {

/// The signs that a job makes progress, from its queue and its workers, and why it ends when they
/// stay away for too long.
///
///  1  A job with chunks out whose queue is silent, whose workers are gone or do not take them, or
///     whose server is gone, ends with the reason, in bounded time.
///  2  Only an answer of the queue ends its silence; no report, result or connection that is there
///     again does.
///  3  Time in which this process did not run counts for nothing; time without a connection counts
///     for the queue alone, or a connection that breaks time and again would put off the end.
/// Threads: one at a time; `now` comes from outside.
class JobHealth {
 public:
  /// The options must outlive it.
  JobHealth(const QueueOptions& options, Instant now)
      : options_(options), begun_(now), moved_(now) {}

  // ---- What the queue says
  void asked(Instant now);
  /// It owes an answer from now on, if it did not before.
  void awaits(Instant now);
  void answered() { unanswered_since_.reset(); }
  void stored();
  void not_stored(const ChunkNotStored& event);
  void found(const ChunkFound& event);

  // ---- What else counts
  /// There is a sign that its chunks are worked on.
  void moves(Instant now) { moved_ = now; }
  void did_not_run(Duration time, Instant now);
  /// Workers could not be heard for so long.
  void did_not_listen(Duration time, Instant now);

  /// Since the last sign that its chunks are worked on.
  [[nodiscard]] Duration still_for(Instant now) const { return now - moved_; }
  /// For how long the queue has owed an answer.
  [[nodiscard]] Duration silent_for(Instant now) const;
  /// Whether it is time to ask again: an answer may be lost while workers mention every chunk.
  [[nodiscard]] bool asks_again(Instant now) const;

  // ---- Why the job ends; nothing: it does not. `out`: how many of its chunks are out
  [[nodiscard]] std::optional<Error> check_connection(const ServerLink& link, Instant now) const;
  [[nodiscard]] std::optional<Error> check_workers(std::size_t out, const WorkersView& workers,
                                                   const ServerLink& link, Instant now);
  /// What is seen of the job, `passed` after the last time. `idle`: a worker that knows its tasks
  /// has nothing in hand.
  struct Sight {
    std::size_t out = 0;
    std::size_t credit = 0;
    bool idle = false;
    Duration passed{};
  };
  [[nodiscard]] std::optional<Error> check_queue(const Sight& seen, const ServerLink& link,
                                                 Instant now);

 private:
  [[nodiscard]] std::optional<Error> check_silence(const ServerLink& link, Instant now) const;
  // Besides the time that workers may be away, a lost chunk has to be found out.
  [[nodiscard]] Duration limit() const { return options_.worker_timeout + 2 * options_.patience; }

  const QueueOptions& options_;
  Instant begun_;
  std::optional<Instant> deserted_since_{};    // no worker could do it
  std::optional<Instant> unanswered_since_{};  // empty: the queue answered the last request
  Instant asked_at_{};                         // the last time
  bool full_ = false;                          // the queue's last word
  std::string said_{};                         // the text that came with it
  Instant moved_;
};

}  // namespace artel::cluster::detail
