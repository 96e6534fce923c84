#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/pool/detail/timer_callback.hpp"
#include "artel/pool/detail/timer_wheel.hpp"

namespace artel::pool::detail {

/// Calls callbacks at their times, on a thread that is there only while something is due.
///
/// The first one that is added starts the thread; when nothing was due for some time (kLinger) it
/// ends. It wakes when something is due, and for nothing else. Calls come one after the other,
/// without a lock held: a callback must be short, and must not wait.
/// Invariants:
///  M1  Whatever is in the wheel and due some time is so while the thread lives; adding it starts
///      one if there is none.
///  M2  The thread has at most one callback, running_, outside of the lock. Until it has done with
///      it, cancel() and add() leave word for it in again_ and cancelled_.
/// Cost:    add and cancel a lock and O(1), about 50 ns; a wake-up of the thread if what is added
///          comes before everything else.
/// Threads: any, callbacks too. A callback must not destroy it.
class Timers {
 public:
  /// Starting a thread takes some 50 us: once a second that is nothing.
  static constexpr Duration kLinger = std::chrono::seconds(1);
  using StartThread = std::function<std::thread(std::function<void()>)>;
  struct Options {
    std::string name = "timers";  ///< of the thread, cut to the system's 15 letters
    Duration linger = kLinger;
    StartThread start_thread{};  ///< empty: the system's
  };

  Timers() : Timers(Options{}) {}
  explicit Timers(Options options);
  Timers(const Timers&) = delete;
  Timers& operator=(const Timers&) = delete;
  ~Timers();

  /// Has it called at that time. If it waits for another call already, that one moves; if it is
  /// being called just now, it is called once more.
  /// Errors: closed (stopped), unsupported (no thread to be had); then it is as it was.
  [[nodiscard]] Result<void> add(TimerCallback& callback, Instant due);

  /// No call comes any more. True: it was waiting for one, and is let go. False: it is being called
  /// just now, for the last time, or was not waiting.
  bool cancel(TimerCallback& callback);
  /// The same, and returns when no call is going on any more; from a callback, at once.
  void cancel_and_wait(TimerCallback& callback);

  /// Lets go of everything and ends the thread. Any number of times; from a callback, the thread
  /// ends when that has returned.
  void stop();

  /// Whether there is a thread.
  [[nodiscard]] bool awake() const;
  /// How often the thread has looked for something to call.
  [[nodiscard]] std::uint64_t looks() const;
  /// Whether this is the thread.
  [[nodiscard]] bool on_own_thread() const {
    return thread_.get_id() == std::this_thread::get_id();
  }

 private:
  using Lock = std::unique_lock<std::mutex>;

  void run();
  void call(Lock& lock, TimerCallback& callback, Instant now);
  bool sleep(Lock& lock);
  [[nodiscard]] Result<void> start_thread();

  const Options options_;
  mutable std::mutex lock_;            // of all below
  std::condition_variable sooner_;     // something is due before sleeps_until_
  std::condition_variable returned_;   // a callback has
  std::unique_ptr<TimerWheel> wheel_;  // made by the first add()
  std::thread thread_;
  bool alive_ = false;  // the thread will look at the wheel once more
  bool stopping_ = false;
  Instant sleeps_until_ = Instant::min();  // min: it does not sleep, or is being woken
  TimerCallback* running_ = nullptr;
  Instant again_ = kNever;  // when running_ was added
  bool cancelled_ = false;  // running_ was, before that
  std::uint64_t looks_ = 0;
};

}  // namespace artel::pool::detail
