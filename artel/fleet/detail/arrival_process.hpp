#pragma once

#include <cstddef>
#include <cstdint>

#include "artel/core/instant.hpp"
#include "artel/random/distribution.hpp"
#include "artel/random/stream.hpp"
#include "artel/scenario/workload.hpp"

namespace artel::fleet::detail {

/// When the tasks of one source come, of which there is no end.
///
/// Requires: the arrivals are neither recorded nor closed, nor a sum, and outlive the process.
/// Cost:     O(1) per task, no allocation.
class ArrivalProcess {
 public:
  ArrivalProcess(const scenario::Arrivals& arrivals, const scenario::BatchSizes& batch,
                 random::Stream dice);

  /// The time of the next task, never earlier than the one before.
  [[nodiscard]] Instant next() {
    if (left_ > 0) {
      --left_;
      return last_;
    }
    last_ = independent_ ? later(last_, from_seconds(gap_(dice_))) : after(last_);
    if (!batch_.empty()) left_ = batch_[batch_.size() == 1 ? 0 : dice_.below(batch_.size())] - 1;
    return last_;
  }

 private:
  // Where gaps are not independent.
  [[nodiscard]] Instant after(Instant last);
  [[nodiscard]] Duration mmpp_gap(const scenario::MmppArrivals& mmpp);

  const scenario::Arrivals& arrivals_;
  const scenario::BatchSizes& batch_;
  double mean_batch_;
  bool independent_;          // gaps of one law
  random::Distribution gap_;  // then that; else of unit mean
  random::Stream dice_;
  std::uint64_t batches_ = 0;  // unless gaps are independent
  std::uint32_t left_ = 0;     // of the batch that comes at `last_`
  Instant last_{};
  std::size_t state_ = 0;  // MMPP: the current state …
  Duration state_left_{};  // … and how long it lasts from the last arrival on
};

}  // namespace artel::fleet::detail
