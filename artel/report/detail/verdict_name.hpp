#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "artel/experiment/run_experiment.hpp"
#include "artel/scenario/objective.hpp"

namespace artel::report::detail {

/// The statistics of a quantity as every machine-readable report names them, in their order.
inline constexpr std::array<std::pair<std::string_view, scenario::Statistic>, 7> kStatistics{
    {{"mean", scenario::Statistic::mean},
     {"p50", scenario::Statistic::p50},
     {"p90", scenario::Statistic::p90},
     {"p95", scenario::Statistic::p95},
     {"p99", scenario::Statistic::p99},
     {"p999", scenario::Statistic::p999},
     {"max", scenario::Statistic::max}}};

[[nodiscard]] constexpr std::string_view verdict_name(experiment::Verdict verdict) {
  switch (verdict) {
    case experiment::Verdict::met:
      return "met";
    case experiment::Verdict::missed:
      return "missed";
    case experiment::Verdict::unclear:
      return "unclear";
    case experiment::Verdict::not_measured:
      return "not measured";
  }
  return "";
}

/// A verdict that no chance plays a part in is told as such: "met, exact".
[[nodiscard]] inline std::string verdict_text(experiment::Verdict verdict, bool exact) {
  std::string text(verdict_name(verdict));
  const bool known = verdict == experiment::Verdict::met || verdict == experiment::Verdict::missed;
  return exact && known ? text + ", exact" : text;
}

}  // namespace artel::report::detail
