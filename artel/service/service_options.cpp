#include "artel/service/service_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/service/supervision.hpp"

namespace artel::service {
namespace {

tl::unexpected<Error> out_of_range(std::string_view field, const std::string& found,
                                   const std::string& allowed) {
  return fail(ErrorCode::invalid, fmt::format("{} is {}; allowed: {}", field, found, allowed));
}

}  // namespace

Result<ServiceOptions> check(ServiceOptions options) {
  const Supervision& supervision = options.supervision;
  if (supervision.restarts_max > ServiceOptions::kRestartsMax) {
    return out_of_range("supervision.restarts_max", fmt::to_string(supervision.restarts_max),
                        fmt::format("0 to {}", ServiceOptions::kRestartsMax));
  }
  if (supervision.restarts_within <= Duration::zero()) {
    return out_of_range("supervision.restarts_within", format_duration(supervision.restarts_within),
                        "above 0");
  }
  if (supervision.backoff_first < Duration::zero()) {
    return out_of_range("supervision.backoff_first", format_duration(supervision.backoff_first),
                        "0 to backoff_max");
  }
  if (supervision.backoff_max < supervision.backoff_first) {
    return out_of_range(
        "supervision.backoff_max", format_duration(supervision.backoff_max),
        "backoff_first = " + format_duration(supervision.backoff_first) + " to inf");
  }
  if (!(supervision.jitter >= 0 && supervision.jitter <= 1)) {
    return out_of_range("supervision.jitter", fmt::to_string(supervision.jitter), "0 to 1");
  }
  if (options.retries > ServiceOptions::kRetriesMax) {
    return out_of_range("retries", fmt::to_string(options.retries),
                        fmt::format("0 to {}", ServiceOptions::kRetriesMax));
  }
  if (options.beacon_every == Duration::zero() && options.beacon_limit != kForever) {
    options.beacon_every = std::clamp<Duration>(
        options.beacon_limit / 4, std::chrono::milliseconds(1), std::chrono::milliseconds(200));
  }
  options.pool.beacon_every = options.beacon_every;
  options.pool.beacon_limit = options.beacon_limit;
  auto pool = check(std::move(options.pool));
  if (!pool) return fail(pool);
  options.pool = std::move(*pool);
  return options;
}

}  // namespace artel::service
