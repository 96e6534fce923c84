#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "artel/stat/histogram.hpp"

namespace artel::experiment::detail {

/// All that is in a histogram; read again it is equal.
[[nodiscard]] nlohmann::ordered_json histogram_json(const stat::Histogram& histogram);

/// Nothing if the JSON is not of a histogram with kHistogramBits. Any JSON will do.
[[nodiscard]] std::optional<stat::Histogram> read_histogram(const nlohmann::ordered_json& json);

}  // namespace artel::experiment::detail
