#include "artel/lab/study.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <filesystem>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

#include "artel/error/error.hpp"
#include "artel/lab/override.hpp"
#include "artel/lab/problems.hpp"
#include "artel/lab/scenario.hpp"
#include "artel/lab/scenario_sections.hpp"
#include "artel/lab/sweep.hpp"
#include "artel/lab/text_file.hpp"
#include "artel/lab/toml_value.hpp"
#include "artel/lab/trace_store.hpp"

namespace artel::lab {
namespace {

Checked<TomlValue> parse_root(std::string_view text, std::string_view file_name,
                              std::span<const Override> overrides) {
  auto root = parse_toml(text, file_name);
  if (!root) return tl::unexpected(Errors{root.error()});
  for (const auto& override : overrides) {
    if (auto applied = apply_override(*root, override); !applied) {
      return tl::unexpected(Errors{applied.error()});
    }
  }
  return std::move(*root);
}

Result<std::string> read_text(const std::filesystem::path& path) {
  auto file = open_text_file(path, kScenarioBytesMax);
  if (!file) return fail(file);
  std::string text(std::istreambuf_iterator<char>(*file), {});
  if (file->bad()) return fail(ErrorCode::io, "reading failed", path.string());
  return text;
}

}  // namespace

Checked<Scenario> parse_scenario(std::string_view text, std::string_view file_name,
                                 std::span<const Override> overrides) {
  const auto root = parse_root(text, file_name, overrides);
  if (!root) return tl::unexpected(root.error());
  TraceStore traces;
  return read_scenario(*root, std::string(file_name), traces);
}

Checked<Scenario> load_scenario(const std::filesystem::path& path,
                                std::span<const Override> overrides) {
  const auto text = read_text(path);
  if (!text) return tl::unexpected(Errors{text.error()});
  return parse_scenario(*text, path.string(), overrides);
}

Checked<Study> parse_study(std::string_view text, std::string_view file_name,
                           std::span<const Override> overrides, std::span<const SweepAxis> sweep) {
  const auto root = parse_root(text, file_name, overrides);
  if (!root) return tl::unexpected(root.error());
  TraceStore traces;
  auto scenario = read_scenario(*root, std::string(file_name), traces);
  if (!scenario) return tl::unexpected(scenario.error());

  Study study;
  study.axes = sweep.empty() ? scenario->sweep : std::vector(sweep.begin(), sweep.end());
  const auto points = combinations(study.axes);
  if (!points) return tl::unexpected(Errors{points.error()});
  const auto too_large = [&](std::string_view what, std::size_t limit) {
    return tl::unexpected(Errors{
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
        return tl::unexpected(Errors{applied.error()});
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

Checked<Study> load_study(const std::filesystem::path& path, std::span<const Override> overrides,
                          std::span<const SweepAxis> sweep) {
  const auto text = read_text(path);
  if (!text) return tl::unexpected(Errors{text.error()});
  return parse_study(*text, path.string(), overrides, sweep);
}

}  // namespace artel::lab
