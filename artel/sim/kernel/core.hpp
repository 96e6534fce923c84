#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "artel/random/stream.hpp"
#include "artel/sim/kernel/block_pool.hpp"
#include "artel/sim/kernel/calendar.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/log.hpp"
#include "artel/trace/fingerprint.hpp"
#include "artel/unit/id.hpp"

namespace artel::sim {

class Context;

/// What a Simulation and its Contexts share. Not for models: use Context.
struct Core {
  /// What of a component is not needed for a delivery.
  struct Details {
    std::string name;
    std::unique_ptr<random::Stream> random;  // made at first use
  };

  explicit Core(Seed run_seed, std::optional<Seed> tie_shuffle);

  [[nodiscard]] std::string_view name_of(ComponentId id) const { return details[index(id)].name; }

  /// Hands a line to every sink.
  void write_log(LogLevel level, ComponentId component, std::string_view text);

  Calendar calendar;
  BlockPool blocks;
  std::vector<Context*> components;  // by id; each is or was an object of blocks
  std::vector<Details> details;      // by id
  std::map<std::string, ComponentId, std::less<>> ids;
  std::vector<LogSink*> sinks;
  Seed seed;
  bool stopping = false;
};

}  // namespace artel::sim
