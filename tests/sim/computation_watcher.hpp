#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/sim/kernel/component.hpp"
#include "artel/sim/model/computation.hpp"
#include "artel/sim/model/operation_id.hpp"

namespace artel::sim {

/// Writes down what it hears of.
struct ComputationWatcher : Component<ComputationStarted, ComputationFinished, ComputationFailed> {
  struct Entry {
    std::string what;
    OperationId operation{};
    Duration at{};
    friend bool operator==(const Entry&, const Entry&) = default;
    friend std::ostream& operator<<(std::ostream& out, const Entry& entry) {
      return out << entry.what << " of " << index(entry.operation) << " at " << entry.at.count()
                 << " ns";
    }
  };

  void on(const ComputationStarted& started) {
    note("started on " + std::to_string(started.cores), started.operation);
  }
  void on(const ComputationFinished& finished) { note("finished", finished.operation); }
  void on(const ComputationFailed& failed) {
    note(std::string(describe(failed.reason)), failed.operation);
  }
  void note(const std::string& what, OperationId operation) {
    entries.push_back({what, operation, now().time_since_epoch()});
  }

  std::vector<Entry> entries;
};

}  // namespace artel::sim
