#include "tests/verify/known_answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <regex>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/parse_number.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/file/csv_reader.hpp"
#include "artel/fleet/replication.hpp"
#include "artel/random/distribution.hpp"
#include "artel/scenario/objective.hpp"
#include "tests/verify/estimate.hpp"
#include "tests/verify/for_each_row.hpp"
#include "tests/verify/system.hpp"

namespace artel::verify {
namespace {

tl::unexpected<Error> unknown(std::string_view what, const std::string& found) {
  return fail(ErrorCode::unsupported, fmt::format("no such {} here: '{}'", what, found));
}

// What a row says of the system; service, load and length are still open.
struct System {
  SystemSpec spec;
  bool limit = false;  // workers to infinity: extrapolate from two sizes
};

Result<System> system_of(const std::string& text) {
  static const std::regex central(R"(central queue, (\d+) workers?)");
  static const std::regex random_split(R"(random, any number of workers)");
  static const std::regex random_own(R"(random, (\d+) workers?(?:, own queues)?)");
  static const std::regex round_robin(R"(round robin, (\d+) workers, own queues)");
  static const std::regex jsq(R"(JSQ\((\d+)\), workers to infinity)");
  static const std::regex fork(R"(each task forks to both of 2 workers, joins both)");
  std::smatch match;
  const auto number = [&match] { return static_cast<std::uint32_t>(std::stoul(match[1])); };
  if (std::regex_match(text, match, central)) {
    return System{
        {.policy = labelled(dispatch::LeastLoaded{}), .workers = number(), .own_queues = false}};
  }
  if (std::regex_match(text, match, random_split)) {
    return System{{.policy = labelled(dispatch::Random{}), .workers = 4}};
  }
  if (std::regex_match(text, match, random_own)) {
    return System{{.policy = labelled(dispatch::Random{}), .workers = number()}};
  }
  if (std::regex_match(text, match, round_robin)) {
    return System{{.policy = labelled(dispatch::RoundRobin{}), .workers = number()}};
  }
  if (std::regex_match(text, match, jsq)) {
    return System{{.policy = labelled(dispatch::Jsq{.d = number()}), .workers = 1000}, true};
  }
  if (std::regex_match(text, match, fork)) {
    return System{{.policy = labelled(dispatch::RoundRobin{}), .workers = 2, .fork = 2}};
  }
  return unknown("system", text);
}

Result<random::Distribution> service_of(const std::string& text) {
  static const std::regex hyperexponential(R"(hyperexponential, mean 1, SCV ([0-9.]+))");
  static const std::regex erlang(R"(Erlang, mean 1, (\d+) phases)");
  std::smatch match;
  if (text == "exponential") return random::Distribution::exponential(1);
  if (text == "constant") return random::Distribution::constant(1);
  if (std::regex_match(text, match, hyperexponential)) {
    return random::Distribution::hyperexponential({.mean = 1, .scv = std::stod(match[1])});
  }
  if (std::regex_match(text, match, erlang)) {
    const auto phases = static_cast<unsigned>(std::stoul(match[1]));
    return random::Distribution::erlang({.phases = phases, .mean = 1});
  }
  return unknown("service", text);
}

// A queue forgets its past after about (1 + SCV) / (1 - load)² of its tasks. A replication has many
// times that, and its first tenth is warm-up.
std::uint64_t enough_tasks(const System& system) {
  const auto& spec = system.spec;
  if (system.limit) return static_cast<std::uint64_t>(250 * spec.workers / (1 - spec.load));
  const double memory = (1 + spec.service.scv()) / ((1 - spec.load) * (1 - spec.load));
  const double queues = spec.own_queues ? spec.workers : 1;
  return static_cast<std::uint64_t>(std::clamp(100 * memory * queues, 1e5, 1e8));
}

}  // namespace

Result<Measure> measure_of(const std::string& text) {
  using fleet::Replication;
  using scenario::Quantity;
  using scenario::Statistic;
  static constexpr std::array<std::pair<std::string_view, Statistic>, 6> kStatistics{
      {{"mean", Statistic::mean},
       {"p50", Statistic::p50},
       {"p90", Statistic::p90},
       {"p95", Statistic::p95},
       {"p99", Statistic::p99},
       {"p99.9", Statistic::p999}}};
  for (const auto& [name, statistic] : kStatistics) {
    if (text == fmt::format("{} response", name)) return measure_of(Quantity::response, statistic);
    if (text == fmt::format("{} wait", name)) return measure_of(Quantity::wait, statistic);
  }
  if (text == "probability of waiting") return mean_of(&Replication::wait_probability);
  if (text == "share in time")
    return mean_of([](const fleet::Replication& replication) {
      return 1 - value_of(replication, Quantity::failed, Statistic::mean);
    });
  if (text == "share rejected") return mean_of(&Replication::rejected_share);
  if (text == "attempts per task")
    return [](const experiment::PolicyResult& result) { return result.attempts(); };
  if (text == "hit ratio")
    return [](const experiment::PolicyResult& result) { return result.hit_ratio(); };
  if (text == "mean number in system") return mean_of(&Replication::in_system);
  return unknown("statistic", text);
}

Result<std::vector<KnownAnswer>> read_known_answers(const std::filesystem::path& file) {
  std::vector<KnownAnswer> rows;
  const auto add = [&](const file::CsvReader& csv) -> Result<void> {
    const auto load = parse_number<double>(csv[4]);
    const auto expected = parse_number<double>(csv[6]);
    if (!load || !expected) return fail(ErrorCode::parse, "not a number", csv.where(load ? 6 : 4));
    if (*load <= 0 || *load >= 1)
      return fail(ErrorCode::invalid, "the load must be above 0 and below 1", csv.where(4));
    rows.push_back({.model = std::string(csv[0]),
                    .system = std::string(csv[1]),
                    .service = std::string(csv[2]),
                    .workers = std::string(csv[3]),
                    .load = *load,
                    .statistic = std::string(csv[5]),
                    .expected = *expected,
                    .status = std::string(csv[7])});
    return {};
  };
  constexpr std::size_t kColumns = 8;
  const auto read = for_each_row(file, "the known answers", kColumns, add);
  if (!read) return fail(read);
  return rows;
}

Result<Estimate> simulate(const KnownAnswer& row, const Effort& effort, const Precision& precision,
                          Simulated& simulated) {
  auto system = system_of(row.system);
  if (!system) return fail(system);
  auto service = service_of(row.service);
  if (!service) return fail(service);
  const auto measure = measure_of(row.statistic);
  if (!measure) return fail(measure);
  auto& spec = system->spec;
  spec.service = *service;
  spec.load = row.load;
  spec.seed = effort.seed;
  spec.tasks = effort.times * enough_tasks(*system);
  const auto estimated = [&](const Precision& wanted) {
    const auto key = fmt::format("{}; {}; {} workers; load {}; seed {}", row.system, row.service,
                                 spec.workers, row.load, static_cast<std::uint64_t>(effort.seed));
    return estimate(scenario_of(spec), *measure, wanted, simulated[key]);
  };
  if (!system->limit) return estimated(precision);

  // The distance to the limit shrinks as 1 / workers: from n and 2n workers, the limit is 2 · f(2n)
  // - f(n).
  auto finer = precision;
  finer.relative /= 3;
  const auto small = estimated(finer);
  spec.workers *= 2;
  spec.tasks = effort.times * enough_tasks(*system);
  auto large = estimated(finer);
  large.interval.half_width = std::hypot(2 * large.interval.half_width, small.interval.half_width);
  large.interval.center = 2 * large.interval.center - small.interval.center;
  return large;
}

}  // namespace artel::verify
