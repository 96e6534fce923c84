#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "artel/core/instant.hpp"
#include "artel/fleet/detail/circuit_breaker.hpp"
#include "artel/random/stream.hpp"
#include "artel/scenario/caller_settings.hpp"
#include "artel/stat/histogram.hpp"

namespace artel::fleet::detail {

/// What a caller hears of its request.
enum class CallerNews : std::uint8_t {
  due,        ///< it is time for a try: the first, or one after a failure
  began,      ///< a worker has begun an attempt
  answered,   ///< an attempt was answered
  failed,     ///< one was refused, lost or given up
  timed_out,  ///< the try has not been answered in time
  hedge_due,  ///< nor in the time after which another attempt is made
};

/// How far a request has come, as its caller knows.
struct CallerState {
  std::uint32_t tries = 0;
  std::uint32_t hedges = 0;  ///< of this try
  std::uint32_t open = 0;    ///< attempts of this try that may still be answered
  bool decides = false;      ///< this try is the one by which a breaker decides
};

/// What the caller does then; times count from now.
struct CallerStep {
  enum class TakeBack : std::uint8_t { none, waiting /* what no worker has begun */, all };
  TakeBack take_back = TakeBack::none;  ///< of the attempts that are open
  std::uint32_t send = 0;               ///< attempts
  bool ends = false;                    ///< the request, as the last news had it
  std::optional<Duration> timeout{};    ///< then news of it, unless the try is over
  std::optional<Duration> hedge{};      ///< likewise
  std::optional<Duration> retry{};      ///< then another try is due
};

/// What callers decide: tries, time-outs, hedges and who is to be taken back. It knows no worker
/// and no clock; what all callers share, the budget, the breaker and the answers so far, is in
/// here.
///
/// Whoever sends adds to CallerState::open what it sent.
/// Cost: O(1); a percentile of the answers is looked up again when there are an eighth more.
class CallerLife {
 public:
  /// `settings` must outlive it. `dice`: of time-outs and jitter.
  CallerLife(const scenario::CallerSettings& settings, const random::Stream& dice)
      : settings_(settings), dice_(dice), tokens_(settings.burst) {
    if (settings.breaker) breaker_.emplace(*settings.breaker);
  }

  /// `after`: since the try began, at `now`.
  [[nodiscard]] CallerStep on(CallerNews news, CallerState& state, Instant now,
                              Duration after = {});
  /// The hedge that was to be sent was not: there was nobody to send it to.
  void not_sent() { tokens_ = std::min(settings_.burst, tokens_ + 1); }

 private:
  static constexpr std::uint64_t kAnswersMin = 100;  // fewer tell too little of a percentile

  [[nodiscard]] CallerStep begin_try(CallerState& state, Instant now);
  [[nodiscard]] CallerStep after_failure(CallerState& state);
  [[nodiscard]] Duration backoff(std::uint32_t retry);
  [[nodiscard]] std::optional<Duration> hedge_after() const;
  void note_answer(Duration after);
  [[nodiscard]] bool pay();

  const scenario::CallerSettings& settings_;
  random::Stream dice_;
  double tokens_;  // of the budget
  std::optional<CircuitBreaker> breaker_{};
  stat::Histogram answers_{};
  std::uint64_t look_again_at_ = kAnswersMin;
  std::optional<Duration> percentile_{};
};

}  // namespace artel::fleet::detail
