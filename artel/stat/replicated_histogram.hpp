#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "artel/stat/histogram.hpp"
#include "artel/stat/interval.hpp"

namespace artel::stat {

/// The values of several replications: all together, and how much the replications differ.
///
/// Quantiles are those of all values together. The mean of each replication's own quantile would be
/// too low for tails: a replication whose values hang together sees the worst times seldom, and
/// most replications do not see them at all.
/// Cost:    that of two histograms for each of the first kGroupsMax replications, the second a
///          coarse one; later ones cost no memory.
/// Threads: one thread at a time.
class ReplicatedHistogram {
 public:
  /// So many groups of replications are told apart: replication i belongs to group i mod
  /// kGroupsMax. Student's factor for more would be less than a fifteenth smaller.
  static constexpr std::size_t kGroupsMax = 32;
  /// What is enough to compare groups.
  static constexpr unsigned kGroupBits = 5;

  explicit ReplicatedHistogram(unsigned precision_bits) : all_(precision_bits) {}
  /// What these parts were of. Errors: nullopt if there are too many groups, or they have other
  /// counts or another precision than a ReplicatedHistogram's.
  [[nodiscard]] static std::optional<ReplicatedHistogram> of(Histogram all,
                                                             std::vector<Histogram> groups);

  /// Adds a replication's values; the order in which they are added does not matter. Requires: at
  /// least the precision of this one.
  void add(std::size_t replication, const Histogram& values);

  /// The values of all replications.
  [[nodiscard]] const Histogram& all() const { return all_; }
  /// By number; of precision kGroupBits.
  [[nodiscard]] const std::vector<Histogram>& groups() const { return groups_; }

  /// The value below which a share p of all values lies, and how far off that may be. The share of
  /// each group's values that lie above it varies; Student's interval for the whole share becomes
  /// one for the quantile by reading the quantiles at its two ends, of which the farther one
  /// counts. Infinitely wide if one end is beyond all values, or there is but one group.
  /// Requires: 0 <= p <= 1, 0 < level < 1. NaN when empty.
  /// Source: R. S. Woodruff, Confidence intervals for medians and other position measures, JASA 47
  /// (1952), with replications in place of sampled clusters.
  [[nodiscard]] Interval quantile(double p, double level) const;

 private:
  [[nodiscard]] double share_off(double x, double level) const;

  Histogram all_;
  std::vector<Histogram> groups_;
};

}  // namespace artel::stat
