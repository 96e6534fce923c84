#include "artel/fleet/detail/arrival_process.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/random/distribution.hpp"
#include "artel/random/stream.hpp"
#include "artel/scenario/workload.hpp"

namespace artel::fleet::detail {
namespace {

random::Distribution exponential_of(double mean) {
  auto law = random::Distribution::exponential(mean);
  ARTEL_REQUIRE(law, "a validated scenario has valid rates", law.error().what);
  return *std::move(law);
}

random::Distribution gap_of(const scenario::Arrivals& arrivals, double batch) {
  if (const auto* poisson = std::get_if<scenario::PoissonArrivals>(&arrivals))
    return exponential_of(batch / poisson->rate);
  if (const auto* renewal = std::get_if<scenario::RenewalArrivals>(&arrivals)) return renewal->gap;
  return exponential_of(1);
}

}  // namespace

ArrivalProcess::ArrivalProcess(const scenario::Arrivals& arrivals,
                               const scenario::BatchSizes& batch, random::Stream dice)
    : arrivals_(arrivals),
      batch_(batch),
      mean_batch_(scenario::mean_batch(batch)),
      independent_(std::holds_alternative<scenario::PoissonArrivals>(arrivals) ||
                   std::holds_alternative<scenario::RenewalArrivals>(arrivals)),
      gap_(gap_of(arrivals, mean_batch_)),
      dice_(dice) {}

Instant ArrivalProcess::after(Instant last) {
  ++batches_;
  if (const auto* constant = std::get_if<scenario::ConstantArrivals>(&arrivals_)) {
    // From the count, so that rounding does not add up.
    return Instant{from_seconds(static_cast<double>(batches_) * mean_batch_ / constant->rate)};
  }
  if (const auto* mmpp = std::get_if<scenario::MmppArrivals>(&arrivals_))
    return later(last, mmpp_gap(*mmpp));
  return std::get<scenario::TimetableArrivals>(arrivals_).after(last, gap_(dice_) * mean_batch_);
}

// Exponential work of mean 1 per task is used up at the state's rate; what is left when the state
// ends goes on in the next.
Duration ArrivalProcess::mmpp_gap(const scenario::MmppArrivals& mmpp) {
  if (batches_ == 1) {
    state_left_ = from_seconds(to_seconds(mmpp.states[0].mean_duration) * gap_(dice_));
  }
  double work = gap_(dice_) * mean_batch_;
  Duration gap{};
  while (true) {
    const auto& state = mmpp.states[state_];
    const Duration needed = state.rate > 0 ? from_seconds(work / state.rate) : kForever;
    if (needed <= state_left_) {
      state_left_ -= needed;
      return gap + needed;
    }
    work = std::max(0.0, work - state.rate * to_seconds(state_left_));
    gap += state_left_;
    state_ = (state_ + 1) % mmpp.states.size();
    state_left_ = from_seconds(to_seconds(mmpp.states[state_].mean_duration) * gap_(dice_));
  }
}

}  // namespace artel::fleet::detail
