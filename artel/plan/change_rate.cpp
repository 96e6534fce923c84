#include "artel/plan/change_rate.hpp"

#include <fmt/core.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include "artel/core/error.hpp"
#include "artel/core/parse_number.hpp"
#include "artel/file/csv_header.hpp"
#include "artel/plan/detail/fewest_workers.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/workload.hpp"

namespace artel::plan {
namespace {

constexpr double kRateMax = 1e9;  // tasks per second

std::optional<double> parse_factor(std::string_view text, double rate) {
  std::optional<double> factor;
  if (text.starts_with('x')) {
    factor = parse_number<double>(text.substr(1));
  } else if (text.ends_with("/s")) {
    factor = parse_number<double>(file::trimmed(text.substr(0, text.size() - 2)));
    if (factor) *factor /= rate;
  }
  if (!factor || !(*factor > 0 && *factor * rate <= kRateMax)) return std::nullopt;
  return factor;
}

}  // namespace

Result<void> change_rate(scenario::Scenario& scenario, std::string_view change) {
  auto& workload = scenario.workload;
  if (std::holds_alternative<scenario::ClosedArrivals>(workload.arrivals)) {
    return fail(ErrorCode::invalid,
                "does not go with closed arrivals: they ask as fast as they are answered; allowed: "
                "another number of workload.arrivals.users");
  }
  const auto factor = parse_factor(change, workload.rate);
  if (!factor) {
    return fail(ErrorCode::parse,
                fmt::format("found '{}', allowed: a factor like x1.5, or tasks per second like "
                            "300/s, above 0 and up to {:g}/s (now: {:.4g}/s)",
                            change, kRateMax, workload.rate));
  }
  scenario::make_faster(workload.arrivals, *factor);
  workload.rate *= *factor;
  return {};
}

void change_workers(scenario::Scenario& scenario, std::uint32_t workers) {
  scenario.pool = detail::resized(scenario.pool, workers);
}

}  // namespace artel::plan
