#pragma once

#include <atomic>
#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/pool/detail/timer_callback.hpp"
#include "artel/pool/pool_options.hpp"

namespace artel::pool::detail {

class Submission;
class Timers;

/// What a Timer, the pool's Timers and the queued run share.
///
/// Invariants:
///  R1  kQueued and kRunning: at most one run of a timer is queued or running.
///  R2  uses_ counts the Timers, as long as they may call it, and the queued or running run. Until
///      the last of them is through it keeps itself (self_) and the callable.
///  R3  Whoever sets kCancelled before kRunning (of a timer for one run: before kEnded) is set
///      prevents the run.
/// Threads: any.
class TimerNode : public TimerCallback {
 public:
  struct When {
    Instant due;
    Duration period{};  ///< 0: one run
  };

  TimerNode(const TimerNode&) = delete;
  TimerNode& operator=(const TimerNode&) = delete;

  static void start(const std::shared_ptr<TimerNode>& node);

  // What Timer says.
  bool cancel();
  void cancel_and_wait();
  [[nodiscard]] bool active() const { return (state_.load() & (kCancelled | kEnded)) == 0; }
  [[nodiscard]] std::uint64_t runs() const { return runs_.load(); }
  [[nodiscard]] std::uint64_t skipped() const { return skipped_.load(); }
  [[nodiscard]] std::optional<Error> error() const;

 protected:
  TimerNode(Submission& submission, std::shared_ptr<Timers> timers, When when);
  ~TimerNode() = default;

  /// Calls the callable, for the last time: `last`. False: it wants no other run.
  virtual bool call(bool last) = 0;
  /// Destroys the callable.
  virtual void forget() = 0;

 private:
  struct Run {
    TimerNode* node;
    void run() const { node->run(); }
    void drop() const noexcept { node->drop_run(); }
  };

  static constexpr std::uint32_t kQueued = 1;
  static constexpr std::uint32_t kRunning = 2;
  static constexpr std::uint32_t kCancelled = 4;
  static constexpr std::uint32_t kEnded =
      8;  // the Timers let go of it, or its one run began or was dropped
  static constexpr std::uint32_t kFailed = 16;  // error_ is set
  static constexpr std::uint32_t kWaited = 32;  // somebody sleeps until kRunning is gone

  Instant on_time(Instant now) override;
  void let_go(bool stopped) override;
  Instant post_only_run();
  bool post_run(Instant until);
  void run();
  void drop_run();
  void end_run(std::uint32_t phase);
  void fail_with(Error error);
  void drop_use();

  Submission& submission_;
  const std::shared_ptr<Timers> timers_;
  When when_;  // due: the next run
  std::atomic<std::uint32_t> state_ = 0;
  std::atomic<std::uint32_t> uses_ = 1;
  std::atomic<std::uint64_t> runs_ = 0;
  std::atomic<std::uint64_t> skipped_ = 0;
  Admission refusal_{};  // of the last run; on the timers' thread
  std::optional<Error> error_;
  std::shared_ptr<TimerNode> self_;
};

/// A timer that calls an F.
template <class F>
class TimerOf final : public TimerNode {
 public:
  template <class Fn>
  TimerOf(Submission& submission, std::shared_ptr<Timers> timers, When when, Fn&& fn)
      : TimerNode(submission, std::move(timers), when), fn_(std::forward<Fn>(fn)) {}

 private:
  bool call(bool last) override {
    // NOLINTBEGIN(bugprone-unchecked-optional-access): forget() comes after the last call
    if (last) {
      static_cast<void>(std::invoke(std::move(*fn_)));
    } else if constexpr (requires(F& fn) {
                           { std::invoke(fn) } -> std::same_as<bool>;
                         }) {
      return std::invoke(*fn_);
    } else if constexpr (std::is_invocable_v<F&>) {
      static_cast<void>(std::invoke(*fn_));
    }
    return true;
    // NOLINTEND(bugprone-unchecked-optional-access)
  }
  void forget() override { fn_.reset(); }

  std::optional<F> fn_;
};

}  // namespace artel::pool::detail
