#include "artel/scenario/study.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

#include "artel/config/problems.hpp"
#include "artel/core/error.hpp"
#include "artel/file/read_text_file.hpp"
#include "artel/scenario/detail/overridden_toml.hpp"
#include "artel/scenario/detail/read_scenario.hpp"
#include "artel/scenario/detail/trace_store.hpp"
#include "artel/scenario/load_scenario.hpp"
#include "artel/scenario/override.hpp"
#include "artel/scenario/pool_settings.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/sweep_axis.hpp"
#include "artel/scenario/workload_trace.hpp"
#include "artel/trace/fingerprint.hpp"

namespace artel::scenario {
namespace {

void add_rows(trace::Fingerprint& fingerprint, const WorkloadTrace& trace) {
  for (const auto arrival : trace.arrivals)
    fingerprint.add(static_cast<std::uint64_t>(arrival.time_since_epoch().count()));
  for (const auto* times : {&trace.services, &trace.joins, &trace.saves})
    for (const auto time : *times) fingerprint.add(static_cast<std::uint64_t>(time.count()));
  for (const auto key : trace.prefixes.keys) fingerprint.add(key);
  for (const auto end : trace.prefixes.ends) fingerprint.add(std::uint64_t{end});
  for (const auto tokens : trace.prefixes.tokens) fingerprint.add(std::uint64_t{tokens});
}

// Another plugin under the same name gives another answer.
void add_plugins(trace::Fingerprint& fingerprint, const Scenario& scenario) {
  constexpr std::uint64_t kBytesMax = 1ULL << 30U;
  for (const auto& policy : scenario.dispatch.policies) {
    if (policy.file.empty()) continue;
    if (const auto bytes = file::read_text_file(policy.file, kBytesMax)) fingerprint.add(*bytes);
  }
}

}  // namespace

config::Checked<Study> parse_study(std::string_view text, std::string_view file_name,
                                   std::span<const Override> overrides,
                                   std::span<const SweepAxis> sweep) {
  const auto root = detail::overridden_toml(text, file_name, overrides);
  if (!root) return tl::unexpected(root.error());
  detail::TraceStore traces;
  auto scenario = detail::read_scenario(*root, std::string(file_name), traces);
  if (!scenario) return tl::unexpected(scenario.error());

  Study study;
  study.source = {std::string(text),
                  std::string(file_name),
                  {overrides.begin(), overrides.end()},
                  {sweep.begin(), sweep.end()}};
  study.axes = sweep.empty() ? scenario->sweep : std::vector(sweep.begin(), sweep.end());
  const auto points = combinations(study.axes);
  if (!points) return tl::unexpected(config::Errors{points.error()});
  const auto too_large = [&](std::string_view what, std::size_t limit) {
    return tl::unexpected(config::Errors{
        {ErrorCode::too_large,
         fmt::format("the sweep has {} points; {}, allowed: {}", points->size(), what, limit),
         study.axes.back().where}});
  };
  if (points->size() > 1 && points->size() * text.size() > kStudyBytesMax) {
    return too_large("times the bytes of the scenario that is too much", kStudyBytesMax);
  }
  // The question of such a sweep is what pools make of the same tasks.
  const bool of_pool = std::ranges::any_of(
      study.axes, [](const SweepAxis& axis) { return (axis.key + ".").starts_with("pool."); });
  const PoolSettings* load_pool = of_pool ? &scenario->pool : nullptr;
  std::size_t workers = 0;
  for (const auto& point : *points) {
    auto swept = *root;
    StudyPoint result;
    for (const auto& override : point) {
      if (auto applied = apply_override(swept, override); !applied) {
        return tl::unexpected(config::Errors{applied.error()});
      }
      result.values.push_back(override.value);
    }
    auto at_point =
        detail::read_scenario(swept, std::string(file_name), traces, Overload::refuse, load_pool);
    if (!at_point) return tl::unexpected(at_point.error());
    result.scenario = std::move(*at_point);
    workers += result.scenario.pool.workers_max();
    if (workers > kStudyWorkersMax) {
      return too_large("with so many workers that is too much", kStudyWorkersMax);
    }
    study.points.push_back(std::move(result));
  }
  return study;
}

config::Checked<Study> load_study(const std::filesystem::path& path,
                                  std::span<const Override> overrides,
                                  std::span<const SweepAxis> sweep) {
  const auto text = file::read_text_file(path == "-" ? "/dev/stdin" : path, kScenarioBytesMax);
  if (!text) return tl::unexpected(config::Errors{text.error()});
  return parse_study(*text, path.string(), overrides, sweep);
}

std::string fingerprint(const Study& study) {
  trace::Fingerprint fingerprint;
  fingerprint.add(study.source.text);
  for (const auto& override : study.source.overrides) {
    fingerprint.add(override.key);
    fingerprint.add(override.value);
  }
  for (const auto& axis : study.axes) {
    fingerprint.add(axis.key);
    for (const auto& value : axis.values) fingerprint.add(value);
  }
  std::set<const WorkloadTrace*> seen;
  for (const auto& point : study.points) {
    const auto* trace = point.scenario.workload.trace.get();
    if (trace != nullptr && seen.insert(trace).second) add_rows(fingerprint, *trace);
    add_plugins(fingerprint, point.scenario);
  }
  return fingerprint.text();
}

}  // namespace artel::scenario
