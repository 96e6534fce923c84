#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/own_models/model_parameters.hpp"
#include "artel/own_models/model_report.hpp"

namespace artel::own_models {

/// The model with some parameters changed, to be compared with the others.
struct ModelVariant {
  std::string name;
  ModelParameters changes;  ///< parameters that are different
};

/// The values that one parameter goes through.
struct ModelAxis {
  std::string parameter;
  std::vector<double> values;
};

/// A figure, and how well its mean is to be known: half-width of the interval / size of the mean.
struct WantedPrecision {
  std::string figure;
  double relative = 0.01;  ///< half-width / size of the mean
};

/// A warm-up that ends when these times have settled, by MSER-5 on one pilot per variant.
struct FoundWarmUp {
  std::string times;
};

/// A model of the user's own and what is to be found out about it.
///
/// Every replication has a seed that depends on `seed` and its number alone, so all variants and
/// points meet the same chance (common random numbers), as far as the model draws each thing from a
/// stream of its own.
struct ModelStudy {
  std::string name;
  Model model;
  ModelParameters parameters;          ///< all that it has, and their values unless changed
  std::vector<ModelVariant> variants;  ///< all compared with the first; none: the model as it is
  std::vector<ModelAxis> sweep;        ///< every combination; the last changes fastest
  std::variant<Duration, FoundWarmUp> warm_up = Duration{};
  std::uint32_t replications = 10;         ///< with a precision: the fewest
  std::uint32_t replications_max = 0;      ///< with a precision; 0: ten times the fewest
  std::vector<WantedPrecision> precision;  ///< replications are added until all are reached
  std::vector<std::string> figures;        ///< that tables show, in this order; none: all
  Seed seed{1};
  std::uint32_t version = 1;  ///< of the model's code: what is resumed must be of the same
};

/// The parameters of every point of the sweep, those of variants not yet changed.
[[nodiscard]] std::vector<ModelParameters> points_of(const ModelStudy& study);

/// Whether it can be run. Errors: invalid; a parameter that there is not, or that is both swept and
/// changed by a variant; names that are there twice; no replication; more than
/// scenario::kSweepPointsMax points.
[[nodiscard]] Result<void> check(const ModelStudy& study);

/// Sixteen hexadecimal digits that tell studies apart; of the model itself, its name and version.
[[nodiscard]] std::string fingerprint(const ModelStudy& study);

}  // namespace artel::own_models
