#include "artel/pool/detail/trace_settings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <map>
#include <string>

#include "artel/core/id.hpp"
#include "artel/dispatch/policy_text.hpp"
#include "artel/dispatch/when_full.hpp"
#include "artel/pool/pool_options.hpp"

namespace artel::pool::detail {

std::map<std::string, std::string, std::less<>> trace_settings(const PoolOptions& options) {
  std::map<std::string, std::string, std::less<>> settings{
      {"source", "artel pool"},
      {"policy", dispatch::policy_text(options.dispatch)},
      {"pool.name", options.name},
      {"pool.workers", fmt::to_string(options.workers)},
      {"pool.workers_min", fmt::to_string(options.workers_min)},
      {"pool.workers_max", fmt::to_string(options.workers_max)},
      {"pool.queue", fmt::to_string(options.queue)},
      {"pool.common", fmt::to_string(options.common)},
      {"pool.when_full", options.when_full == dispatch::WhenFull::block ? "block" : "reject"},
      {"pool.seed", fmt::to_string(index(options.seed))},
      {"pool.pin", options.pin ? "true" : "false"},
  };
  if (!options.queues.empty()) {
    settings.emplace("pool.queues", fmt::format("{}", fmt::join(options.queues, ", ")));
  }
  if (!options.weights.empty()) {
    settings.emplace("pool.weights", fmt::format("{}", fmt::join(options.weights, ", ")));
  }
  return settings;
}

}  // namespace artel::pool::detail
