#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/own_models/model_parameters.hpp"
#include "artel/own_models/model_study.hpp"
#include "artel/stat/interval.hpp"
#include "artel/stat/replicated_histogram.hpp"

namespace artel::own_models {

/// What one replication of one variant has measured.
struct ModelReplication {
  std::uint32_t index = 0;  ///< which replication: from 0
  /// Name and value, in the order in which the model reports them.
  std::vector<std::pair<std::string, double>> figures;

  friend bool operator==(const ModelReplication&, const ModelReplication&) = default;
};

/// What is known of one variant at one point of a study.
struct VariantResult {
  std::string name;
  std::vector<ModelReplication> replications;  ///< in order of ModelReplication::index
  std::map<std::string, stat::ReplicatedHistogram, std::less<>> times;  ///< by name, ns

  /// Of a percentile of times ("response.p99"): that of all replications' times together. Of
  /// another figure: its mean over the replications that have it and for which it is a number.
  [[nodiscard]] stat::Interval estimate(std::string_view figure,
                                        double level = experiment::kConfidence) const;
};

/// The mean of a figure of `a` less that of `b` (of percentiles, too), over the replications that
/// both have: as both met the same chance, it is known better than either. The variants differ for
/// sure, with that confidence, when 0 is not in it.
[[nodiscard]] stat::Interval difference(const VariantResult& a, const VariantResult& b,
                                        std::string_view figure,
                                        double level = experiment::kConfidence);

/// What is known at one point of a study.
struct ModelPoint {
  ModelParameters parameters;
  Duration warm_up{};          ///< left out at the start of every replication, simulated time
  bool warm_up_known = false;  ///< the pilots that find it are done, or it needs none
  std::vector<VariantResult> variants;  ///< in the study's order

  /// Every name, in the order in which the model reports them.
  [[nodiscard]] std::vector<std::string> figures() const;
};

/// What is known of a study.
struct ModelResult {
  std::vector<ModelPoint> points;  ///< one for each value of the sweep
  bool complete = true;            ///< false: stopped early, or failed
  std::optional<Error> error;      ///< why it could not go on
};

/// How a study of a model is run; none of it changes what a complete one finds.
struct ModelOptions {
  unsigned jobs = 1;          ///< threads; results do not depend on it
  std::stop_token stop = {};  ///< asked to stop: `complete` is false
  std::function<void(const experiment::ExperimentProgress&)> progress =
      {};  ///< called from any thread, one at a time
  /// Hears of everything known so far, after every replication; one call at a time.
  std::function<void(const ModelResult&)> checkpoint = {};
  /// What an earlier run of the same study knew already: it is taken over, the rest is run.
  const ModelResult* resume = nullptr;
};

/// The seed of that replication, for all points and variants.
[[nodiscard]] Seed seed_of(const ModelStudy& study, std::uint32_t replication);

/// The points and variants of a study, and nothing of what they do. Requires: check(study).
[[nodiscard]] ModelResult nothing_known(const ModelStudy& study);

/// Runs every variant at every point of the study, replications in parallel, as run_experiment()
/// does for scenarios: with a precision in rounds until it is reached. Where a warm-up is to be
/// found, the longest that any variant needs at a point holds for all there.
/// Errors, in the result: those of check(); an exception of the model, with the replication that
/// threw it; a figure of a precision, or times of a warm-up, that the model does not report.
[[nodiscard]] ModelResult run_model_study(const ModelStudy& study, const ModelOptions& options);

}  // namespace artel::own_models
