#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/predict/service_fit.hpp"
#include "artel/scenario/workload.hpp"

namespace artel::predict::detail {

/// "0.000058213": seconds, exact, as scenarios read them.
[[nodiscard]] std::string seconds(Duration duration);
/// In quotes.
[[nodiscard]] std::string toml_text(std::string_view text);
/// A list over lines of ten.
[[nodiscard]] std::string list(const std::vector<Duration>& values);
/// A law of service as one value, with lists over lines.
[[nodiscard]] std::string law(const ServiceFit& fit);
/// Arrivals as one value; empty for those that no fit makes.
[[nodiscard]] std::string arrivals_table(const scenario::Arrivals& arrivals);

}  // namespace artel::predict::detail
