#include "artel/pool/pool_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <tl/expected.hpp>
#include <variant>
#include <vector>

#include "artel/core/cpu_quota.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/closed_loop.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/policy_input.hpp"

namespace artel::pool {
namespace {

Error out_of_range(std::string_view field, std::string_view found, std::string_view allowed) {
  return {ErrorCode::invalid, fmt::format("{} is {}; allowed: {}", field, found, allowed), ""};
}

template <class Number>
void check_range(std::vector<Error>& errors, std::string_view field, Number found, Number low,
                 Number high) {
  if (found < low || found > high) {
    errors.push_back(
        out_of_range(field, fmt::to_string(found), fmt::format("{} to {}", low, high)));
  }
}

void check_size(std::vector<Error>& errors, PoolOptions& options) {
  constexpr unsigned kMax = PoolOptions::kWorkersMax;
  check_range(errors, "workers_min", options.workers_min, 1U, kMax);
  check_range(errors, "workers_max", options.workers_max, 0U, kMax);
  if (!errors.empty()) return;
  if (options.workers_max != 0 && options.workers_max < options.workers_min) {
    errors.push_back(
        out_of_range("workers_max", fmt::to_string(options.workers_max),
                     fmt::format("workers_min = {} to {}", options.workers_min, kMax)));
    return;
  }
  const unsigned high = options.workers_max != 0 ? options.workers_max : kMax;
  if (options.workers == 0) {
    options.workers = std::clamp(usable_cpus(), options.workers_min, high);
  }
  check_range(errors, "workers", options.workers, options.workers_min, high);
  if (options.workers_max == 0) options.workers_max = options.workers;
}

void check_queues(std::vector<Error>& errors, const PoolOptions& options) {
  constexpr unsigned kMax = PoolOptions::kQueueMax;
  check_range(errors, "queue", options.queue, 0U, kMax);
  check_range(errors, "common", options.common, std::size_t{0}, PoolOptions::kCommonMax);
  if (!options.queues.empty() && options.queues.size() != options.workers_max) {
    errors.push_back(out_of_range("queues", fmt::format("{} bounds", options.queues.size()),
                                  fmt::format("one per worker, {}", options.workers_max)));
  }
  for (std::size_t i = 0; i < options.queues.size(); ++i) {
    check_range(errors, fmt::format("queues[{}]", i), options.queues[i], 1U, kMax);
  }
  if (!options.weights.empty() && options.weights.size() != options.workers_max) {
    errors.push_back(out_of_range("weights", fmt::format("{} weights", options.weights.size()),
                                  fmt::format("one per worker, {}", options.workers_max)));
  }
  for (std::size_t i = 0; i < options.weights.size(); ++i) {
    if (!(options.weights[i] > 0) || !std::isfinite(options.weights[i])) {
      errors.push_back(out_of_range(fmt::format("weights[{}]", i),
                                    fmt::to_string(options.weights[i]), "finite, above 0"));
    }
  }
}

void check_times(std::vector<Error>& errors, const PoolOptions& options) {
  if (options.stall_after < std::chrono::milliseconds(1)) {
    errors.push_back(
        out_of_range("stall_after", format_duration(options.stall_after), "1 ms to inf"));
  }
  constexpr Duration kBeaconMin = std::chrono::milliseconds(1);
  if (options.beacon_every != Duration::zero() && options.beacon_every < kBeaconMin) {
    errors.push_back(out_of_range("beacon_every", format_duration(options.beacon_every),
                                  "0 (none), 1 ms to inf"));
  }
  if (options.beacon_limit < kBeaconMin) {
    errors.push_back(
        out_of_range("beacon_limit", format_duration(options.beacon_limit), "1 ms to inf"));
  }
  if (options.beacon_limit != kForever && options.beacon_every == Duration::zero() &&
      !std::holds_alternative<dispatch::ClosedLoop>(options.dispatch)) {
    errors.push_back(out_of_range("beacon_limit", format_duration(options.beacon_limit),
                                  "inf, as long as beacon_every is 0"));
  }
  if (options.shrink_timeout < Duration::zero()) {
    errors.push_back(
        out_of_range("shrink_timeout", format_duration(options.shrink_timeout), "0 to inf"));
  }
  check_range(errors, "spares", options.spares, 0U, PoolOptions::kSparesMax);
}

}  // namespace

Result<PoolOptions> check(PoolOptions options) {
  std::vector<Error> errors;
  check_size(errors, options);
  check_queues(errors, options);
  check_times(errors, options);
  if (const auto known = dispatch::check_inputs(
          options.dispatch, dispatch::PolicyInputs::all().without(dispatch::PolicyInput::matched),
          "a pool");
      !known)
    errors.push_back(known.error());
  if (!errors.empty()) return tl::unexpected<Error>(errors.front());
  return options;
}

Error error_of(Admission admission) {
  switch (admission) {
    case Admission::accepted:
      break;
    case Admission::full:
      return {ErrorCode::full, "the pool is full", ""};
    case Admission::late:
      return {ErrorCode::timeout, "the pool was full until the time given", ""};
    case Admission::closed:
      return {ErrorCode::closed, "the pool has stopped", ""};
  }
  return {};
}

}  // namespace artel::pool
