#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "artel/lab/experiment.hpp"
#include "artel/lab/scenario.hpp"

namespace artel::report {

/// The statistics of a quantity as every machine-readable report names them, in their order.
inline constexpr std::array<std::pair<std::string_view, lab::Statistic>, 7> kStatistics{
    {{"mean", lab::Statistic::mean},
     {"p50", lab::Statistic::p50},
     {"p90", lab::Statistic::p90},
     {"p95", lab::Statistic::p95},
     {"p99", lab::Statistic::p99},
     {"p999", lab::Statistic::p999},
     {"max", lab::Statistic::max}}};

[[nodiscard]] constexpr std::string_view verdict_name(lab::Verdict verdict) {
  switch (verdict) {
    case lab::Verdict::met:
      return "met";
    case lab::Verdict::missed:
      return "missed";
    case lab::Verdict::unclear:
      return "unclear";
  }
  return "";
}

}  // namespace artel::report
