// artel_verify: compares the simulator with everything that is known about queues. See
// tests/verify/README.md.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/cpu_quota.hpp"
#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/random/stream.hpp"
#include "tests/verify/by_hand.hpp"
#include "tests/verify/check.hpp"
#include "tests/verify/dialogue.hpp"
#include "tests/verify/estimate.hpp"
#include "tests/verify/fleet.hpp"
#include "tests/verify/known_answer.hpp"
#include "tests/verify/load_ramp.hpp"
#include "tests/verify/paper_figure.hpp"
#include "tests/verify/retry_storm.hpp"

namespace artel::verify {
namespace {

Precision precision_for(double load, unsigned jobs, std::uint64_t times) {
  const double relative = load > 0.95 ? 0.02 : 0.01;
  return {.relative = relative / std::sqrt(static_cast<double>(times)), .jobs = jobs};
}

Check check_of(const KnownAnswer& row, unsigned jobs, Simulated& simulated) {
  // Higher loads and rare events need long runs; limits need thousands of workers.
  const bool quick = row.load <= 0.5 && row.workers != "inf" && row.expected > 0.1;
  const auto name = fmt::format("{}, load {}, {}", row.system, row.load, row.statistic);
  const auto find = [=, &simulated](Seed seed, std::uint64_t times) {
    const auto precision = precision_for(row.load, jobs, times);
    const auto found = simulate(row, {.seed = seed, .times = times}, precision, simulated);
    if (!found) {
      fmt::print(stderr, "{}: {}\n", row.model, to_string(found.error()));
      return Finding{.expected = row.expected, .got = NAN, .half_width = NAN, .pass = false};
    }
    const auto& interval = found->interval;
    const bool precise = interval.relative() <= precision.relative;
    return Finding{row.expected, interval.center, interval.half_width,
                   precise && interval.contains(row.expected)};
  };
  return {row.model, name, quick, [find](Seed seed) { return find(seed, 1); },
          [find](Seed seed) { return find(seed, kAgainTimes); }};
}

// A right simulator misses one in a hundred 99% intervals; a check that misses is run again with
// other random numbers, a row of known answers with more tasks, too, and fails if it misses again.
bool run(const Check& check, std::uint64_t seed) {
  if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\033[K{}: {} …", check.group, check.name);
  const auto begun = steady_now();
  auto finding = check.run(Seed{seed});
  const bool again = !finding.pass && finding.half_width > 0;
  if (again) {
    const Seed other{random::Stream(Seed{seed}, "again")()};
    finding = check.run_longer ? check.run_longer(other) : check.run(other);
  }
  if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\033[K");
  fmt::print("{:<20} {:<72} {:>11.6g} {:>11.6g} ± {:<9.2g} {} {:>5.0f} s{}\n", check.group,
             check.name, finding.expected, finding.got, finding.half_width,
             finding.pass ? "pass" : "FAIL", to_seconds(steady_now() - begun),
             !again             ? ""
             : check.run_longer ? " (again, four times the tasks)"
                                : " (second run)");
  std::fflush(stdout);
  return finding.pass;
}

}  // namespace
}  // namespace artel::verify

int main(int argc, char** argv) {
  using namespace artel;
  std::filesystem::path golden = ARTEL_SOURCE_DIR "/tests/verify/golden.csv";
  std::filesystem::path fleet = ARTEL_SOURCE_DIR "/tests/verify/fleet.csv";
  std::filesystem::path file;
  bool quick = false;
  unsigned jobs = usable_cpus();
  std::string only;
  std::size_t from = 1;
  std::uint64_t seed = 1;
  CLI::App app{
      "Compare the simulator with known answers: closed forms, invariants, published tables"};
  app.add_option("file", file,
                 "closed forms to check, in the columns of tests/verify/golden.csv or fleet.csv");
  app.add_flag("--quick", quick, "only what takes seconds");
  app.add_option("--only", only, "only checks whose line contains this text");
  app.add_option("--from", from, "leave out the checks before this one: 2 is the second line");
  app.add_option("--seed", seed,
                 "other random numbers; whatever the seed, a row of known answers whose 99% "
                 "interval misses is run again with others and four times the tasks")
      ->capture_default_str();
  app.add_option("--jobs", jobs, "threads")->check(CLI::Range(1, 4096));
  CLI11_PARSE(app, argc, argv);

  if (!file.empty()) (verify::has_fleet_columns(file) ? fleet : golden) = file;
  const auto rows = verify::read_known_answers(golden);
  if (!rows) {
    fmt::print(stderr, "verify: {}\n", to_string(rows.error()));
    return 2;
  }
  std::vector<verify::Check> checks;
  verify::Simulated simulated;
  for (const auto& row : *rows) checks.push_back(verify::check_of(row, jobs, simulated));
  for (auto& check : verify::invariant_checks(jobs)) checks.push_back(std::move(check));
  for (auto& check : verify::table_checks(jobs)) checks.push_back(std::move(check));
  for (auto& from_file :
       {verify::fleet_checks(fleet, jobs), verify::by_hand_checks(ARTEL_SOURCE_DIR "/tests/verify"),
        verify::retry_storm_checks(ARTEL_SOURCE_DIR "/scenarios/retry-storm.toml", jobs),
        verify::load_ramp_checks(ARTEL_SOURCE_DIR "/scenarios/papers/prequal.toml", jobs),
        verify::paper_checks(ARTEL_SOURCE_DIR "/scenarios/papers", jobs),
        verify::paper_checks(ARTEL_SOURCE_DIR "/scenarios/atlas", jobs)}) {
    if (!from_file) {
      fmt::print(stderr, "verify: {}\n", to_string(from_file.error()));
      return 2;
    }
    checks.insert(checks.end(), from_file->begin(), from_file->end());
  }
  for (const double load : {0.5, 0.8, 0.9}) checks.push_back(verify::one_prompt_kept(load, jobs));
  for (auto& check : verify::slow_server_checks()) checks.push_back(std::move(check));
  for (auto& check : verify::dialogue_checks()) checks.push_back(std::move(check));

  fmt::print("{:<20} {:<72} {:>11} {:>11}   99%\n", "model", "check", "expected", "got");
  int passed = 0, failed = 0;
  std::size_t number = 0;
  for (const auto& check : checks) {
    if ((quick && !check.quick) || (check.group + ' ' + check.name).find(only) == std::string::npos)
      continue;
    if (++number < from) continue;
    ++(verify::run(check, seed) ? passed : failed);
  }
  fmt::print("{} passed, {} failed\n", passed, failed);
  return failed == 0 ? 0 : 1;
}
