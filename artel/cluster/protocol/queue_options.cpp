#include "artel/cluster/protocol/queue_options.hpp"

#include <fmt/core.h>

#include <chrono>
#include <string>
#include <utility>

#include "artel/cluster/protocol/task_key.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/policy_input.hpp"

namespace artel::cluster {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

Result<QueueOptions> check(QueueOptions options) {
  if (options.replicas != 1 && options.replicas != 3 && options.replicas != 5) {
    return fail(ErrorCode::invalid,
                fmt::format("replicas is {}; allowed: 1, 3, 5", options.replicas));
  }
  if (options.chunks_max < 1) {
    return fail(ErrorCode::invalid,
                fmt::format("chunks_max is {}; at least 1", options.chunks_max));
  }
  for (const auto& [name, bytes] : {std::pair("bytes_max", options.bytes_max),
                                    std::pair("dead_bytes_max", options.dead_bytes_max)}) {
    if (bytes < 0)
      return fail(ErrorCode::invalid, fmt::format("{} is {}; 0, or more", name, bytes));
  }
  for (const auto& [name, age] :
       {std::pair("age_max", options.age_max), std::pair("dead_age_max", options.dead_age_max)}) {
    if (age == Duration{} || age >= minutes(10)) continue;
    return fail(ErrorCode::invalid,
                fmt::format("{} is {}; 0, or at least 10 min", name, format_duration(age)));
  }
  if (options.lease < milliseconds(100) || options.lease > QueueOptions::kLeaseMax) {
    return fail(ErrorCode::invalid, fmt::format("lease is {}; allowed: 100 ms to 24 h",
                                                format_duration(options.lease)));
  }
  if (options.tries < 1 || options.tries > QueueOptions::kTriesMax) {
    return fail(ErrorCode::invalid, fmt::format("tries is {}; allowed: 1 to 1000", options.tries));
  }
  if (options.speculation < 0 || (options.speculation > 0 && options.speculation < 1)) {
    return fail(ErrorCode::invalid,
                fmt::format("speculation is {}; 0, or at least 1", options.speculation));
  }
  if (options.per_worker < 1 || options.per_worker > 1000) {
    return fail(ErrorCode::invalid,
                fmt::format("per_worker is {}; allowed: 1 to 1000", options.per_worker));
  }
  if (options.dispatch) {
    using enum dispatch::PolicyInput;
    const auto known = dispatch::check_inputs(
        *options.dispatch, {weight, work, latency, now, size, age}, "a cluster's master");
    if (!known) return fail(known);
  }
  for (const std::string& tag : options.needs) {
    if (!is_tag_name(tag)) {
      return fail(ErrorCode::invalid, fmt::format("'{}' is no tag: letters, digits, '-._:'", tag));
    }
  }
  if (options.patience < Duration::zero()) {
    return fail(ErrorCode::invalid,
                fmt::format("patience is {}", format_duration(options.patience)));
  }
  if (options.patience == Duration::zero()) options.patience = options.lease + seconds(1);
  return options;
}

}  // namespace artel::cluster
