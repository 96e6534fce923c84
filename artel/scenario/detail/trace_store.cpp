#include "artel/scenario/detail/trace_store.hpp"

#include <fmt/core.h>

#include <filesystem>
#include <memory>
#include <utility>
#include "artel/core/error.hpp"
#include "artel/core/join.hpp"
#include "artel/scenario/load_workload_trace.hpp"
#include "artel/scenario/workload_trace.hpp"

namespace artel::scenario::detail {

Result<std::shared_ptr<const WorkloadTrace>> TraceStore::load(const std::filesystem::path& path,
                                                              const TraceSpec& spec) {
  const auto key = fmt::format(
      "{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}", path.string(),
      spec.time_column.value_or(""), static_cast<int>(spec.time_format), spec.service.value_or(""),
      spec.join.value_or(""), spec.saves.value_or(""), spec.prefix.value_or(""),
      spec.prefix_tokens.value_or(""), spec.block_tokens, spec.class_column.value_or(""),
      join(spec.classes, "\n"), spec.patience_column.value_or(""));
  if (const auto known = traces_.find(key); known != traces_.end()) return known->second;
  auto trace = load_workload_trace(path, spec);
  if (!trace) return fail(trace);
  return traces_[key] = std::make_shared<const WorkloadTrace>(std::move(*trace));
}

}  // namespace artel::scenario::detail
