#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "artel/scenario/load_workload_trace.hpp"
#include "artel/scenario/workload_trace.hpp"

namespace artel::scenario::detail {

/// Reads each trace once, however many points of a study replay it.
class TraceStore {
 public:
  /// Errors: those of load_workload_trace; they are not kept.
  [[nodiscard]] Result<std::shared_ptr<const WorkloadTrace>> load(const std::filesystem::path& path,
                                                                  const TraceSpec& spec);

 private:
  std::map<std::string, std::shared_ptr<const WorkloadTrace>> traces_;
};

}  // namespace artel::scenario::detail
