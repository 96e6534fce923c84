#include "tests/verify/coverage_cell.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/parse_number.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/dispatch/jsq.hpp"
#include "artel/dispatch/least_loaded.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/file/csv_reader.hpp"
#include "artel/random/distribution.hpp"
#include "artel/scenario/objective.hpp"
#include "artel/scenario/run_settings.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/study.hpp"
#include "artel/stat/interval.hpp"
#include "tests/verify/for_each_row.hpp"
#include "tests/verify/system.hpp"

namespace artel::verify {
namespace {

using scenario::Quantity;
using scenario::Statistic;

constexpr std::uint32_t kEight = 8;

constexpr std::string_view kJsq2 = "JSQ(2)";

std::uint32_t workers_of(std::string_view system) { return system == "M/M/1" ? 1 : kEight; }

scenario::Scenario scenario_of(const CoverageCell& cell, std::uint64_t tasks) {
  const bool own_queues = cell.system == kJsq2;
  return scenario_of(SystemSpec{
      .policy = own_queues ? labelled(dispatch::Jsq{.d = 2}) : labelled(dispatch::LeastLoaded{}),
      .service = *random::Distribution::exponential(1),
      .workers = workers_of(cell.system),
      .load = cell.load,
      .own_queues = own_queues,
      .tasks = tasks});
}

CoverageRun run(const scenario::Scenario& scenario, unsigned jobs) {
  const auto begun = steady_now();
  scenario::Study study;
  study.points.push_back({.values = {}, .scenario = scenario});
  const auto result = experiment::run_experiment(study, {.jobs = jobs});
  const auto& policy = result.points.front().policies.front();
  return {.answers = {.mean = policy.estimate(Quantity::response, Statistic::mean),
                      .p95 = policy.estimate(Quantity::response, Statistic::p95),
                      .p99 = policy.estimate(Quantity::response, Statistic::p99)},
          .replications = policy.replications.size(),
          .seconds = to_seconds(steady_now() - begun)};
}

// The probability of waiting in M/M/c: Erlang C.
double erlang_c(unsigned servers, double offered) {
  double inverse_b = 1;  // of Erlang B, by its recursion over servers
  for (unsigned n = 1; n <= servers; ++n) inverse_b = 1 + inverse_b * n / offered;
  const double load = offered / servers;
  return 1 / (load + (1 - load) * inverse_b);
}

// P(response > t) in M/M/c with a mean service of 1: who waits, does so for an exponential time of
// rate `drain`, before a service of rate 1. D. Gross, C. M. Harris, Fundamentals of Queueing
// Theory, chapter on M/M/c.
double tail(double t, double waits, double drain) {
  const double both = std::abs(drain - 1) < 1e-9
                          ? (1 + t) * std::exp(-t)
                          : (drain * std::exp(-t) - std::exp(-drain * t)) / (drain - 1);
  return (1 - waits) * std::exp(-t) + waits * both;
}

Answers closed_form(const CoverageCell& cell) {
  const unsigned servers = workers_of(cell.system);
  const double waits = erlang_c(servers, cell.load * servers);
  const double drain = servers * (1 - cell.load);
  const auto quantile = [&](double p) {
    double low = 0, high = 1;
    while (tail(high, waits, drain) > 1 - p) high *= 2;
    for (int i = 0; i < 60; ++i) {
      const double middle = (low + high) / 2;
      (tail(middle, waits, drain) > 1 - p ? low : high) = middle;
    }
    return high;
  };
  const auto exactly = [](double value) {
    return stat::Interval{value, 0, experiment::kConfidence};
  };
  return {.mean = exactly(1 + waits / drain),
          .p95 = exactly(quantile(0.95)),
          .p99 = exactly(quantile(0.99))};
}

}  // namespace

std::string CoverageCell::stop() const {
  if (!precision) return "10 replications";
  return fmt::format("{} to {}%", precision_of == Statistic::mean ? "mean" : "p99",
                     std::lround(100 * *precision));
}

std::string CoverageCell::name() const {
  return fmt::format("{}, load {}, {}", system, load, stop());
}

std::vector<CoverageCell> coverage_cells() {
  // A replication has 200 / (1 - load)² tasks (5000 at load 0.5): what a queue has in it is
  // forgotten within about 4 / (1 - load)². Precisions are such that most stops come after several
  // rounds of ten replications.
  struct Load {
    double load;
    std::uint64_t tasks;
    double mean_to, p99_to;
  };
  static constexpr std::array<Load, 5> kLoads{{{.5, 5'000, .02, .05},
                                               {.8, 5'000, .05, .1},
                                               {.9, 20'000, .05, .1},
                                               {.95, 80'000, .05, .1},
                                               {.99, 2'000'000, .1, .2}}};
  std::vector<CoverageCell> cells;
  for (const auto& [load, tasks, mean_to, p99_to] : kLoads) {
    for (const auto* system : {"M/M/1", "M/M/8", kJsq2.data()}) {
      CoverageCell cell{.system = system, .load = load, .precision = {}, .tasks = tasks};
      cells.push_back(cell);
      cell.precision = mean_to;
      cells.push_back(cell);
      cell.precision = p99_to;
      cell.precision_of = Statistic::p99;
      cells.push_back(cell);
    }
  }
  return cells;
}

CoverageRun run(const CoverageCell& cell, Seed seed) {
  auto scenario = scenario_of(cell, cell.tasks);
  scenario.run.seed = seed;
  scenario.run.precision = cell.precision;
  scenario.run.precision_of = cell.precision_of;
  if (cell.precision) scenario.run.replications_max = 100'000;
  return run(scenario, 1);
}

Result<Answers> truth_of(const CoverageCell& cell, const std::filesystem::path& file) {
  if (cell.system != kJsq2) return closed_form(cell);
  std::optional<Answers> answers;
  constexpr std::size_t kColumns = 7;
  const auto look = [&](const file::CsvReader& csv) -> Result<void> {
    std::array<double, kColumns> row{};
    for (std::size_t i = 0; i < kColumns; ++i)
      row.at(i) = parse_number<double>(csv[i]).value_or(NAN);
    if (row[0] != cell.load || answers) return {};
    const auto interval = [&](std::size_t i) {
      return stat::Interval{row.at(i), row.at(i + 1), experiment::kConfidence};
    };
    answers = {.mean = interval(1), .p95 = interval(3), .p99 = interval(5)};
    return {};
  };
  const auto read = for_each_row(file, "the answers of JSQ(2)", kColumns, look);
  if (!read) return fail(read);
  if (answers) return *answers;
  return fail(ErrorCode::not_found, fmt::format("no answers at load {}", cell.load), file.string());
}

CoverageRun reference_of(const CoverageCell& cell, Seed seed, unsigned jobs) {
  constexpr std::uint64_t kLonger = 10;
  auto scenario = scenario_of(cell, kLonger * cell.tasks);
  scenario.run.seed = seed;
  scenario.run.replications = scenario.run.replications_max = 320;
  scenario.run.warm_up = {.kind = scenario::WarmUp::Kind::share, .share = 0.1};
  return run(scenario, jobs);
}

}  // namespace artel::verify
