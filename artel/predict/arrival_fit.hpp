#pragma once

#include <span>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/scenario/workload.hpp"

namespace artel::predict {

/// Index of dispersion for counts: variance / mean of the number of arrivals in windows of one
/// length. 1 for Poisson arrivals, 0 for even ones, more for bursts.
struct Dispersion {
  Duration window{};  ///< the length of the windows
  double recorded = 0;
  double fitted = 0;  ///< of arrivals drawn from the fitted process
  double noise = 0;   ///< standard deviation of `recorded` if the arrivals were Poisson
};

/// A process fitted to recorded arrivals, and how well it fits.
struct ArrivalFit {
  scenario::Arrivals process;  ///< constant, Poisson, gamma gaps, or MMPP with two states
  double rate = 0;             ///< recorded: arrivals per second
  double gap_scv = 0;          ///< recorded: squared coefficient of variation of the gaps
  /// Greatest distance between the distributions of the recorded gaps and the process's
  /// (Kolmogorov, Smirnov) …
  double ks = 0;
  /// … and what gaps drawn from the process itself stay below 99 times in 100.
  double ks_noise = 0;
  std::vector<Dispersion> dispersion;  ///< windows from some gaps to 1/32 of the trace
};

/// Fits a process to arrivals: constant if the gaps hardly vary; MMPP if in windows of some length
/// the counts vary by clearly more than Poisson's; gamma gaps (renewal) of the recorded mean and
/// variation if they vary by clearly less; else Poisson.
///
/// The MMPP's two states come from a hidden Markov model with Poisson counts (Baum, Welch), in
/// windows of an eighth of the time scale that the dispersion shows; then their rates are moved
/// until rate and dispersion are the recorded ones.
/// Cost:   O(n); 16 bytes per window, at most 200 000 windows.
/// Requires: ascending; at least two; not all at once.
/// Source: H. Heffes, D. Lucantoni 1986 (dispersion of an MMPP); L. Rabiner 1989 (the estimator).
[[nodiscard]] ArrivalFit fit_arrivals(std::span<const Instant> arrivals);

}  // namespace artel::predict
