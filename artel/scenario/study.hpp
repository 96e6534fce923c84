#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "artel/config/problems.hpp"
#include "artel/scenario/override.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/sweep_axis.hpp"

namespace artel::scenario {

/// One point of a sweep: the scenario with those values put in.
struct StudyPoint {
  std::vector<std::string> values;  ///< one per axis
  Scenario scenario;
};

/// What a study is made from; parse_study makes the same again anywhere, given the trace files.
struct StudySource {
  std::string text;                 ///< of the scenario file
  std::string file_name;            ///< for messages, and where paths in it begin
  std::vector<Override> overrides;  ///< in the order in which they are applied
  std::vector<SweepAxis> sweep;     ///< empty: the file's
};

/// A scenario at every combination of its sweep's values; without a sweep, one point.
struct Study {
  StudySource source;
  std::vector<SweepAxis> axes;     ///< of the sweep: those of the source, else of the file
  std::vector<StudyPoint> points;  ///< the last axis changes fastest
};

/// Reads a scenario and all points of its sweep, each trace file once. `sweep` replaces the file's
/// [sweep]. The scenario must be valid without the sweep too. Keys of the pool that are swept leave
/// what arrives as it is: a load is then that of the scenario without the sweep.
/// Errors: those of the scenario, else those of the first point that is not valid; a study beyond
///         kStudyBytesMax or kStudyWorkersMax.
[[nodiscard]] config::Checked<Study> parse_study(std::string_view text, std::string_view file_name,
                                                 std::span<const Override> overrides = {},
                                                 std::span<const SweepAxis> sweep = {});

/// Same, from a file of at most kScenarioBytesMax bytes, or a pipe; "-" is standard input.
[[nodiscard]] config::Checked<Study> load_study(const std::filesystem::path& path,
                                                std::span<const Override> overrides = {},
                                                std::span<const SweepAxis> sweep = {});

/// Sixteen hexadecimal digits that tell studies apart: what they are made from, rows of traces
/// included, wherever the files are.
[[nodiscard]] std::string fingerprint(const Study& study);

/// Points × size of the file, and workers of all points together: what a study may take of memory.
inline constexpr std::size_t kStudyBytesMax = std::size_t{1} << 26;
inline constexpr std::size_t kStudyWorkersMax = 10'000'000;

}  // namespace artel::scenario
