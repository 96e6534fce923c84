#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "artel/core/instant.hpp"

namespace artel::fleet::detail {

/// A task as a worker sees it.
struct ServerJob {
  std::uint32_t id = 0;       ///< the host's
  std::int32_t priority = 0;  ///< more is more urgent
  double work = 0;            ///< seconds of service at speed 1
  double deadline = 0;        ///< in seconds since the start
  double join = 0;            ///< seconds that a batch takes longer when it joins
};

/// What became of jobs; the host reads it and clears it.
struct ServerNews {
  std::vector<std::uint32_t> started;  ///< ids, in order; a job that was interrupted starts once
  std::vector<std::uint32_t> ended;
};

/// Which of a worker's jobs are in service, how fast each of them is, and who comes next.
///
/// A server has a clock of its own: the seconds that its worker has worked, at speed 1. A worker
/// that is slow has a clock that goes slowly, and its server does not know. One that starts up, is
/// broken or has speed 0 is told by stop(): nothing begins until go(). The host moves the clock
/// before everything else that it tells: advance() brings it to the present.
/// Threads: one at a time.
class Server {
 public:
  Server() = default;
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  virtual ~Server() = default;

  /// A job comes.
  virtual void enter(const ServerJob& job, Instant now, ServerNews& news) = 0;
  /// How far the clock is from the next change, mostly an end; infinity: nothing is in service.
  [[nodiscard]] virtual double until_change() const = 0;
  /// The clock goes on. Requires: no further than to the next change.
  virtual void advance(double clock) = 0;
  /// The clock has come to the next change.
  virtual void change(Instant now, ServerNews& news) = 0;
  /// Whether it serves together all that is there when it begins: so it begins when whoever gets
  /// room by what has ended is there, too.
  [[nodiscard]] virtual bool serves_together() const { return false; }
  /// Places that serve something.
  [[nodiscard]] virtual std::uint32_t busy() const = 0;
  /// Takes back a job that has not started yet; false if it has.
  virtual bool withdraw(std::uint32_t id) = 0;
  /// The same for one that has started, too; false if it cannot be taken out of what it is in.
  virtual bool cancel(std::uint32_t id, Instant now, ServerNews& news) = 0;

  /// The worker stands: what it has in service stays there, whatever comes waits …
  void stop() { stands_ = true; }
  /// … until it goes on, as each does at first: those who go first of all that wait are served.
  void go(Instant now, ServerNews& news) {
    stands_ = false;
    begin(now, news);
  }

  /// The worker broke: what it had in service has to begin anew …
  virtual void restart() = 0;
  /// … or is lost, and counts as ended. What waits goes into its place, at the latest by go().
  virtual void lose(Instant now, ServerNews& news) = 0;
  /// Those that wait are lost, too.
  virtual void lose_waiting(ServerNews& news) = 0;

  /// When the server wants a wake(), whatever its clock says.
  [[nodiscard]] virtual std::optional<Instant> wakes_at() const { return std::nullopt; }
  virtual void wake(Instant /*now*/, ServerNews& /*news*/) {}

 protected:
  /// Then nothing is to begin.
  [[nodiscard]] bool stands() const { return stands_; }

 private:
  /// The worker does not stand any more.
  virtual void begin(Instant now, ServerNews& news) = 0;

  bool stands_ = false;
};

}  // namespace artel::fleet::detail
