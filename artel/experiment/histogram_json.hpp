#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "artel/fleet/replication_options.hpp"
#include "artel/stat/histogram.hpp"
#include "artel/stat/replicated_histogram.hpp"

namespace artel::experiment {

/// All that is in a histogram; read again it is equal.
[[nodiscard]] nlohmann::ordered_json histogram_json(const stat::Histogram& histogram);

[[nodiscard]] nlohmann::ordered_json histogram_json(const stat::ReplicatedHistogram& times);

/// Nothing if the JSON is not of a histogram with so many bits. Any JSON will do.
[[nodiscard]] std::optional<stat::Histogram> read_histogram(const nlohmann::ordered_json& json,
                                                            unsigned bits = fleet::kHistogramBits);
/// Nothing if it is not of one with kHistogramBits.
[[nodiscard]] std::optional<stat::ReplicatedHistogram> read_replicated_histogram(
    const nlohmann::ordered_json& json);

}  // namespace artel::experiment
