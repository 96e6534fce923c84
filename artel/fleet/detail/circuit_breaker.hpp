#pragma once

#include <cstdint>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/scenario/admission_settings.hpp"

namespace artel::fleet::detail {

/// Lets no try through while too many of the last ones have failed, for some time; then one, whose
/// end decides.
///
/// Cost: O(1); memory for the last tries.
class CircuitBreaker {
 public:
  explicit CircuitBreaker(const scenario::BreakerSettings& settings)
      : opens_at_(settings.opens_at()), open_for_(settings.open), failed_(settings.tries) {}

  /// Whether a try may be made now; the one that decides counts as made.
  [[nodiscard]] bool allows(Instant now) {
    if (state_ == State::closed) return true;
    if (state_ == State::deciding || now < opens_again_) return false;
    state_ = State::deciding;
    return true;
  }
  /// After allows(): the try is the one that decides.
  [[nodiscard]] bool deciding() const { return state_ == State::deciding; }
  /// A try that was allowed has ended; whether it is the one that decides.
  void ended(Instant now, bool failed, bool decides) {
    if (decides) return failed ? open(now) : close();
    if (state_ != State::closed) return;  // it was made before
    failures_ += static_cast<std::uint32_t>(failed) - failed_[next_];
    failed_[next_] = failed ? 1 : 0;
    next_ = (next_ + 1) % failed_.size();
    if (known_ < failed_.size()) ++known_;
    if (known_ == failed_.size() && failures_ >= opens_at_) open(now);
  }

 private:
  enum class State : std::uint8_t { closed, open, deciding };

  void open(Instant now) {
    state_ = State::open;
    opens_again_ = later(now, open_for_);
  }
  void close() {
    state_ = State::closed;
    failed_.assign(failed_.size(), 0);
    known_ = failures_ = 0;
  }

  std::uint32_t opens_at_;  // failures
  Duration open_for_;
  State state_ = State::closed;
  std::vector<std::uint8_t> failed_;  // of the last tries, around
  std::size_t next_ = 0;
  std::size_t known_ = 0;
  std::uint32_t failures_ = 0;
  Instant opens_again_{};
};

}  // namespace artel::fleet::detail
