#include "tests/verify/paper_figure.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/parse_number.hpp"
#include "artel/file/csv_reader.hpp"
#include "artel/scenario/load_scenario.hpp"
#include "artel/scenario/override.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/scenario.hpp"
#include "tests/verify/check.hpp"
#include "tests/verify/estimate.hpp"
#include "tests/verify/for_each_row.hpp"
#include "tests/verify/known_answer.hpp"

namespace artel::verify {
namespace {

// The scenario with that policy alone; behind the file's name there may be values to change.
Result<scenario::Scenario> scenario_with(const std::filesystem::path& folder,
                                         const std::string& name, const std::string& policy) {
  std::vector<scenario::Override> changes;
  std::istringstream words(name);
  std::string file;
  words >> file;
  for (std::string change; words >> change;) {
    auto parsed = scenario::parse_override(change);
    if (!parsed) return fail(parsed);
    changes.push_back(*std::move(parsed));
  }
  auto scenario = scenario::load_scenario(folder / file, changes);
  if (!scenario) return fail(scenario.error().front().code, to_string(scenario.error().front()));
  auto& policies = scenario->dispatch.policies;
  std::erase_if(policies, [&](const scenario::PolicySpec& spec) { return spec.label != policy; });
  if (policies.empty())
    return fail(ErrorCode::not_found, fmt::format("{} has no policy '{}'", file, policy));
  return *std::move(scenario);
}

struct Figure {
  double expected;
  double tolerance;  // as a share of it
};

Finding compare(scenario::Scenario scenario, const Measure& measure, const Figure& figure,
                unsigned jobs, Seed seed) {
  scenario.run.seed = seed;
  constexpr std::uint32_t kReplications = 5;
  const auto found =
      estimate(scenario, measure,
               {.relative = figure.tolerance / 2, .jobs = jobs, .replications_min = kReplications});
  const auto& interval = found.interval;
  return {figure.expected, interval.center, interval.half_width,
          std::abs(interval.center - figure.expected) <=
              figure.tolerance * figure.expected + interval.half_width};
}

}  // namespace

Result<std::vector<Check>> paper_checks(const std::filesystem::path& folder, unsigned jobs) {
  std::vector<Check> checks;
  const auto add = [&](const file::CsvReader& csv) -> Result<void> {
    const std::string name(csv[0]);
    const std::string policy(csv[1]);
    auto scenario = scenario_with(folder, name, policy);
    if (!scenario) return fail(scenario.error().code, scenario.error().what, csv.where());
    const auto measure = measure_of(std::string(csv[2]));
    if (!measure) return fail(measure.error().code, measure.error().what, csv.where(2));
    const auto expected = parse_number<double>(csv[3]);
    const auto tolerance = parse_number<double>(csv[4]);
    if (!expected || !tolerance)
      return fail(ErrorCode::parse, "not a number", csv.where(expected ? 4 : 3));
    checks.push_back({folder.filename().string(),
                      fmt::format("{}, {}, {} ({})", name, policy, csv[2], csv[6]), csv[5] == "yes",
                      [scenario = *std::move(scenario), measure = *measure,
                       figure = Figure{*expected, *tolerance}, jobs](Seed seed) {
                        return compare(scenario, measure, figure, jobs, seed);
                      }});
    return {};
  };
  constexpr std::size_t kColumns = 7;
  const auto read = for_each_row(folder / "figures.csv", "the figures", kColumns, add);
  if (!read) return fail(read);
  return checks;
}

}  // namespace artel::verify
