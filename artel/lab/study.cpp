#include "artel/lab/study.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

#include "artel/config/problems.hpp"
#include "artel/config/toml_value.hpp"
#include "artel/error/error.hpp"
#include "artel/lab/override.hpp"
#include "artel/lab/scenario.hpp"
#include "artel/lab/scenario_sections.hpp"
#include "artel/lab/sweep.hpp"
#include "artel/lab/trace_store.hpp"
#include "artel/unit/text_file.hpp"

namespace artel::lab {
namespace {

config::Checked<config::TomlValue> parse_root(std::string_view text, std::string_view file_name,
                                              std::span<const Override> overrides) {
  auto root = config::parse_toml(text, file_name);
  if (!root) return tl::unexpected(config::Errors{root.error()});
  for (const auto& override : overrides) {
    if (auto applied = apply_override(*root, override); !applied) {
      return tl::unexpected(config::Errors{applied.error()});
    }
  }
  return std::move(*root);
}

}  // namespace

config::Checked<Scenario> parse_scenario(std::string_view text, std::string_view file_name,
                                         std::span<const Override> overrides) {
  const auto root = parse_root(text, file_name, overrides);
  if (!root) return tl::unexpected(root.error());
  TraceStore traces;
  return read_scenario(*root, std::string(file_name), traces);
}

config::Checked<Scenario> load_scenario(const std::filesystem::path& path,
                                        std::span<const Override> overrides) {
  const auto text = read_text_file(path, kScenarioBytesMax);
  if (!text) return tl::unexpected(config::Errors{text.error()});
  return parse_scenario(*text, path.string(), overrides);
}

config::Checked<Study> parse_study(std::string_view text, std::string_view file_name,
                                   std::span<const Override> overrides,
                                   std::span<const SweepAxis> sweep) {
  const auto root = parse_root(text, file_name, overrides);
  if (!root) return tl::unexpected(root.error());
  TraceStore traces;
  auto scenario = read_scenario(*root, std::string(file_name), traces);
  if (!scenario) return tl::unexpected(scenario.error());

  Study study;
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
    auto at_point = read_scenario(swept, std::string(file_name), traces);
    if (!at_point) return tl::unexpected(at_point.error());
    result.scenario = std::move(*at_point);
    workers += result.scenario.pool.speeds.size();
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
  const auto text = read_text_file(path, kScenarioBytesMax);
  if (!text) return tl::unexpected(config::Errors{text.error()});
  return parse_study(*text, path.string(), overrides, sweep);
}

}  // namespace artel::lab
