#include "artel/logs/detail/summer_time.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "artel/core/instant.hpp"

namespace artel::logs::detail {
namespace {

using namespace std::chrono_literals;

constexpr Duration kHour = 1h;

Duration within_hour(Instant at) {
  const auto since = at.time_since_epoch() % kHour;
  return since < Duration{} ? since + kHour : since;
}

}  // namespace

bool SummerTime::leaves_out_an_hour(Instant end) const {
  constexpr std::uint64_t kEnough = 100;  // fewer lines may stop for an hour
  constexpr Duration kMost = kHour + 2min;
  return close_ >= kEnough && end - latest_ >= kHour && end - latest_ < kMost &&
         within_hour(latest_) >= kHour - 1min && within_hour(end) < 1min;
}

Duration SummerTime::shift_of(Instant begin, Instant end) {
  constexpr Duration kLeast = 55min, kMost = 61min, kNear = 1min, kOutOfOrder = 5s;
  auto shift = shift_;
  auto at = end + shift;
  if (latest_ == Instant::min()) latest_ = at;
  if (latest_ - at > kLeast && latest_ - at < kMost) {
    last_old_ = latest_ - shift_;
    shift_ += kHour;
    shift = shift_;
    ++ended;
  } else if (leaves_out_an_hour(at)) {
    shift_ -= kHour;
    shift = shift_;
    ++begun;
  } else if (last_old_ != Instant::min() && begin <= last_old_ + kNear &&
             at - kHour >= latest_ - kOutOfOrder && at - kHour < latest_ + kNear) {
    shift -= kHour;  // it began in summer time
  }
  at = end + shift;
  close_ = at - latest_ < kNear ? close_ + 1 : 0;
  latest_ = std::max(latest_, at);
  return shift;
}

}  // namespace artel::logs::detail
