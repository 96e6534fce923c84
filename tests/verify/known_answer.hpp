#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "tests/verify/estimate.hpp"

namespace artel::verify {

/// A system of queueing theory whose answer is known: one row of golden.csv.
struct KnownAnswer {
  std::string model;
  std::string system;
  std::string service;
  std::string workers;
  double load = 0;
  std::string statistic;
  double expected = 0;
  std::string status;
};

/// Errors: file, line and what is wrong with it.
[[nodiscard]] Result<std::vector<KnownAnswer>> read_known_answers(
    const std::filesystem::path& file);

/// "p99 response", "mean wait", "probability of waiting", "share rejected".
/// Errors: unsupported.
[[nodiscard]] Result<Measure> measure_of(const std::string& text);

/// What has been simulated, by system: its rows share it.
using Simulated = std::map<std::string, experiment::PolicyResult>;

/// Which random numbers, and how much of them.
struct Effort {
  Seed seed{1};
  std::uint64_t times = 1;  ///< as many tasks as usual in each replication
};

/// Simulates the row's system and estimates its statistic. The limit systems are estimated from two
/// sizes.
/// Errors: unsupported, when the row describes a system, service or statistic that is not known
/// here.
[[nodiscard]] Result<Estimate> simulate(const KnownAnswer& row, const Effort& effort,
                                        const Precision& precision, Simulated& simulated);

}  // namespace artel::verify
