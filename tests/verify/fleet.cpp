#include "tests/verify/fleet.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/parse_number.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/file/csv_reader.hpp"
#include "artel/fleet/replication.hpp"
#include "artel/random/distribution.hpp"
#include "artel/scenario/scenario.hpp"
#include "tests/verify/check.hpp"
#include "tests/verify/estimate.hpp"
#include "tests/verify/fleet_system.hpp"
#include "tests/verify/for_each_row.hpp"
#include "tests/verify/known_answer.hpp"

namespace artel::verify {
namespace {

using random::Distribution;

Result<Measure> statistic_of(const std::string& text) {
  using fleet::Replication;
  if (text == "mean response end to end")
    return mean_of([](const Replication& r) { return r.response.mean; });
  if (text == "share abandoned") return mean_of(&Replication::abandoned_share);
  if (text == "mean wait of all callers")
    return mean_of([](const Replication& r) { return r.wait.mean; });
  if (text == "goodput")
    return [](const experiment::PolicyResult& result) { return result.goodput(); };
  std::smatch match;
  static const std::regex of_class("mean (response|wait) of the (high|low) class");
  if (!std::regex_match(text, match, of_class)) return measure_of(text);
  const bool wait = match[1] == "wait";
  const std::size_t task_class = match[2] == "high" ? 0 : 1;
  return mean_of([=](const Replication& r) {
    const auto& one = r.classes.at(task_class);
    return wait ? one.wait.mean : one.response.mean;
  });
}

}  // namespace

bool has_fleet_columns(const std::filesystem::path& file) {
  std::ifstream in(file);
  file::CsvReader csv(in, file.string());
  const auto more = csv.next();
  return more && *more && csv.size() > 1 && csv[0] == "system" && csv[1] == "load";
}

Result<std::vector<Check>> fleet_checks(const std::filesystem::path& file, unsigned jobs) {
  std::vector<Check> checks;
  const auto add = [&](const file::CsvReader& csv) -> Result<void> {
    const auto load = parse_number<double>(csv[1]);
    const auto expected = parse_number<double>(csv[3]);
    if (!load || !expected) return fail(ErrorCode::parse, "not a number", csv.where(load ? 3 : 1));
    auto scenario = fleet_scenario(std::string(csv[0]), *load);
    if (!scenario) return fail(scenario.error().code, scenario.error().what, csv.where());
    const auto measure = statistic_of(std::string(csv[2]));
    if (!measure) return fail(measure.error().code, measure.error().what, csv.where(2));
    // What happens to one task in ten thousand would take billions of them to be known to 1%.
    const bool quick = *load <= 0.5 && *expected > 0.1 &&
                       std::holds_alternative<Distribution>(scenario->workload.service) &&
                       std::get<Distribution>(scenario->workload.service).scv() == 1;
    const double wanted = *expected < 0.001 ? 0.1 : *load > 0.95 ? 0.02 : 0.01;
    const auto find = [scenario = *std::move(scenario), measure = *measure, value = *expected,
                       wanted, jobs](Seed seed, std::uint64_t times) {
      auto seeded = scenario;
      seeded.run.seed = seed;
      seeded.run.tasks = times * seeded.run.tasks.value_or(0);
      const double relative = wanted / std::sqrt(static_cast<double>(times));
      const auto found = estimate(seeded, measure, {.relative = relative, .jobs = jobs});
      const auto& interval = found.interval;
      return Finding{value, interval.center, interval.half_width,
                     interval.relative() <= relative && interval.contains(value)};
    };
    checks.push_back({"fleet", fmt::format("{}, load {}, {}", csv[0], *load, csv[2]), quick,
                      [find](Seed seed) { return find(seed, 1); },
                      [find](Seed seed) { return find(seed, kAgainTimes); }});
    return {};
  };
  constexpr std::size_t kColumns = 5;
  const auto read = for_each_row(file, "the known answers", kColumns, add);
  if (!read) return fail(read);
  return checks;
}

}  // namespace artel::verify
