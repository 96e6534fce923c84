#include "artel/predict/arrival_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/random/distribution.hpp"
#include "artel/scenario/workload.hpp"
#include "artel/stat/moments.hpp"

namespace artel::predict {
namespace {

constexpr std::size_t kWindowsMin = 32;
constexpr std::size_t kWindowsMax = 200'000;
constexpr double kBursty = 0.2;     // dispersion beyond 1 that queues notice …
constexpr double kBeyondNoise = 4;  // … and standard deviations that chance does not explain
constexpr double kEvenScv = 0.01;
constexpr double kRegular = 0.2;  // squared variation of gaps below 1 that queues notice

std::vector<std::uint32_t> counts_of(std::span<const Instant> arrivals, Duration window) {
  const auto length = arrivals.back() - arrivals.front();
  std::vector<std::uint32_t> counts(static_cast<std::size_t>(length / window));
  for (const auto at : arrivals) {
    const auto i = static_cast<std::size_t>((at - arrivals.front()) / window);
    if (i < counts.size()) ++counts[i];
  }
  return counts;
}

/// Two states, seconds and arrivals per second.
struct TwoStates {
  std::array<double, 2> rate{};
  std::array<double, 2> leave{};  // per second

  [[nodiscard]] double share(std::size_t state) const {
    return leave[1 - state] / (leave[0] + leave[1]);
  }
  [[nodiscard]] double mean_rate() const { return share(0) * rate[0] + share(1) * rate[1]; }
};

// How much of a time scale's dispersion shows in windows of `x` time scales.
double shown(double x) { return x < 1e-6 ? x / 2 : 1 + std::expm1(-x) / x; }

double dispersion_of(const TwoStates& states, double window_s) {
  const double pace = states.leave[0] + states.leave[1];
  const double apart = states.rate[0] - states.rate[1];
  const double all =
      2 * states.share(0) * states.share(1) * apart * apart / (states.mean_rate() * pace);
  return 1 + all * shown(pace * window_s);
}

// P(gap > t): a sum of two exponentials, from the eigenvalues of Q - diag(rate).
class GapTail {
 public:
  explicit GapTail(const TwoStates& s) {
    const double trace = -(s.leave[0] + s.rate[0] + s.leave[1] + s.rate[1]);
    const double determinant =
        (s.leave[0] + s.rate[0]) * (s.leave[1] + s.rate[1]) - s.leave[0] * s.leave[1];
    const double root = std::sqrt(std::max(0.0, trace * trace / 4 - determinant));
    slow_ = trace / 2 + root;
    fast_ = trace / 2 - root;
    double end_rate = 0;  // of the gap right after an arrival
    for (std::size_t i = 0; i < 2; ++i)
      end_rate += s.share(i) * s.rate[i] * s.rate[i] / s.mean_rate();
    slow_share_ = root > 0 ? (-end_rate - fast_) / (slow_ - fast_) : 1;
  }
  double operator()(double t) const {
    return slow_share_ * std::exp(slow_ * t) + (1 - slow_share_) * std::exp(fast_ * t);
  }

 private:
  double slow_ = 0, fast_ = 0, slow_share_ = 1;
};

/// A Poisson hidden Markov model with two states over equal windows.
class HiddenStates {
 public:
  HiddenStates(const std::vector<std::uint32_t>& counts, double leave) : counts_(counts) {
    const double mean = mean_between(0, UINT32_MAX);
    const auto middle = static_cast<std::uint32_t>(mean);
    mean_ = {mean_between(middle + 1, UINT32_MAX), mean_between(0, middle)};
    leave_ = {leave, leave};
    forward_.resize(counts.size());
  }

  /// Nothing: the states do not come apart.
  std::optional<TwoStates> fit(double window_s) {
    constexpr int kRounds = 200;
    constexpr double kSettled = 1e-6;
    for (int i = 0; i < kRounds; ++i) {
      const auto before = mean_;
      step();
      const double moved = std::abs(mean_[0] - before[0]) + std::abs(mean_[1] - before[1]);
      if (moved < kSettled * (mean_[0] + mean_[1])) break;
    }
    const double both = leave_[0] + leave_[1];
    if (!(both > 0 && both < 1) || !(mean_[0] > 1.05 * mean_[1])) return std::nullopt;
    // Windows see the states at times: leave = e^(Q·window), see any book on Markov chains.
    const double pace = -std::log1p(-both) / window_s;
    return TwoStates{{mean_[0] / window_s, mean_[1] / window_s},
                     {pace * leave_[0] / both, pace * leave_[1] / both}};
  }

 private:
  using Pair = std::array<double, 2>;

  [[nodiscard]] double mean_between(std::uint32_t low, std::uint32_t high) const {
    double sum = 0;
    double count = 0;
    for (const auto c : counts_) {
      if (c < low || c > high) continue;
      sum += c;
      ++count;
    }
    return count > 0 ? sum / count : 0;
  }

  // The likelihoods of a count in both states, up to a common factor.
  [[nodiscard]] Pair likelihood(std::uint32_t count) const {
    Pair logs{};
    for (std::size_t s = 0; s < 2; ++s)
      logs[s] = count * std::log(std::max(mean_[s], 1e-12)) - mean_[s];
    const double top = std::max(logs[0], logs[1]);
    return {std::exp(logs[0] - top), std::exp(logs[1] - top)};
  }

  static Pair normalised(Pair p) {
    const double sum = p[0] + p[1];
    return sum > 0 ? Pair{p[0] / sum, p[1] / sum} : Pair{0.5, 0.5};
  }

  // One round of Baum and Welch.
  void step() {
    Pair now{0.5, 0.5};
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      if (i > 0) {
        now = {now[0] * (1 - leave_[0]) + now[1] * leave_[1],
               now[0] * leave_[0] + now[1] * (1 - leave_[1])};
      }
      const auto seen = likelihood(counts_[i]);
      forward_[i] = now = normalised({now[0] * seen[0], now[1] * seen[1]});
    }
    Pair weight{}, sum{}, left{}, stood{};
    Pair back{1, 1};
    for (std::size_t i = counts_.size(); i-- > 0;) {
      const auto here = normalised({forward_[i][0] * back[0], forward_[i][1] * back[1]});
      for (std::size_t s = 0; s < 2; ++s) {
        weight[s] += here[s];
        sum[s] += here[s] * counts_[i];
      }
      if (i == 0) break;
      const auto seen = likelihood(counts_[i]);
      const Pair onward{seen[0] * back[0], seen[1] * back[1]};
      const auto& before = forward_[i - 1];
      const Pair stay{before[0] * (1 - leave_[0]) * onward[0],
                      before[1] * (1 - leave_[1]) * onward[1]};
      const Pair go{before[0] * leave_[0] * onward[1], before[1] * leave_[1] * onward[0]};
      const double all = stay[0] + stay[1] + go[0] + go[1];
      for (std::size_t s = 0; s < 2 && all > 0; ++s) {
        left[s] += go[s] / all;
        stood[s] += (stay[s] + go[s]) / all;
      }
      back = normalised({(1 - leave_[0]) * onward[0] + leave_[0] * onward[1],
                         leave_[1] * onward[0] + (1 - leave_[1]) * onward[1]});
    }
    for (std::size_t s = 0; s < 2; ++s) {
      if (weight[s] > 0) mean_[s] = sum[s] / weight[s];
      if (stood[s] > 0) leave_[s] = std::clamp(left[s] / stood[s], 1e-9, 0.5);
    }
  }

  const std::vector<std::uint32_t>& counts_;
  Pair mean_{};   // arrivals per window; state 0 has more
  Pair leave_{};  // per window
  std::vector<Pair> forward_;
};

// The time scale at which the dispersion comes up: least squares over a grid of scales.
double pace_of(const std::vector<Dispersion>& dispersion) {
  constexpr int kSteps = 200;
  const double fastest = 4 / to_seconds(dispersion.front().window);
  const double slowest = 0.25 / to_seconds(dispersion.back().window);
  double best_pace = fastest;
  double best_error = INFINITY;
  for (int i = 0; i <= kSteps; ++i) {
    const double pace = slowest * std::pow(fastest / slowest, static_cast<double>(i) / kSteps);
    double squares = 0;
    double products = 0;
    double total = 0;
    for (const auto& d : dispersion) {
      const double trust = 1 / (d.noise * d.noise);
      const double g = shown(pace * to_seconds(d.window));
      squares += trust * g * g;
      products += trust * g * (d.recorded - 1);
      total += trust * (d.recorded - 1) * (d.recorded - 1);
    }
    const double error = total - products * products / squares;
    if (products > 0 && error < best_error) {
      best_error = error;
      best_pace = pace;
    }
  }
  return best_pace;
}

// Gives the states the recorded rate, and moves their rates apart or together until their
// dispersion is the recorded one over all windows: the model is after what is likely in its own
// window.
void match(TwoStates& states, const std::vector<Dispersion>& dispersion, double rate) {
  const double scale = rate / states.mean_rate();
  for (auto& r : states.rate) r *= scale;
  double products = 0;
  double squares = 0;
  for (const auto& d : dispersion) {
    const double beyond = dispersion_of(states, to_seconds(d.window)) - 1;
    products += (d.recorded - 1) * beyond / d.noise;
    squares += beyond * beyond / d.noise;
  }
  double stretch = std::sqrt(std::max(0.0, products / squares));
  const double slowest = std::min(states.rate[0], states.rate[1]);
  stretch = std::min(stretch, rate / (rate - slowest));  // no rate below 0
  for (auto& r : states.rate) r = std::max(0.0, rate + (r - rate) * stretch);
}

std::optional<TwoStates> fit_bursts(std::span<const Instant> arrivals,
                                    const std::vector<Dispersion>& dispersion, double rate) {
  const double pace = pace_of(dispersion);
  const double length_s = to_seconds(arrivals.back() - arrivals.front());
  const double window_s = std::max({1 / (8 * pace), 2 / rate, length_s / kWindowsMax});
  const auto counts = counts_of(arrivals, from_seconds(window_s));
  if (counts.size() < kWindowsMin) return std::nullopt;
  auto states = HiddenStates(counts, std::clamp(pace * window_s / 2, 1e-6, 0.4)).fit(window_s);
  if (!states) return std::nullopt;
  match(*states, dispersion, rate);
  // Runs begin in the first state: let it be the usual one.
  if (states->share(0) < states->share(1)) {
    std::swap(states->rate[0], states->rate[1]);
    std::swap(states->leave[0], states->leave[1]);
  }
  return states;
}

std::vector<Dispersion> dispersion_of(std::span<const Instant> arrivals, double rate) {
  constexpr double kPerWindowMin = 4;  // tasks
  std::vector<Dispersion> all;
  const auto length = arrivals.back() - arrivals.front();
  for (auto window = std::max(Duration{1}, from_seconds(kPerWindowMin / rate));
       length / window >= static_cast<std::int64_t>(kWindowsMin); window *= 2) {
    stat::Moments moments;
    for (const auto count : counts_of(arrivals, window)) moments.add(count);
    all.push_back({.window = window,
                   .recorded = moments.variance() / moments.mean(),
                   .noise = std::sqrt(2.0 / static_cast<double>(moments.count() - 1))});
  }
  return all;
}

bool bursty(const Dispersion& d) {
  return d.recorded > 1 + std::max(kBursty, kBeyondNoise * d.noise);
}

// Whether gaps that scv is of, of so many, vary clearly less than exponential ones, whose scv is
// 1 ± 2 / sqrt(count) (the variance of the estimator by the delta method is 4 / count).
bool regular(double scv, std::size_t count) {
  return scv < 1 - std::max(kRegular, kBeyondNoise * 2 / std::sqrt(static_cast<double>(count)));
}

// Of a renewal process with gamma gaps, of windows with so many arrivals on average: from the first
// two terms of the variance of its counts. Source: D. R. Cox, Renewal Theory (1962), on the
// equilibrium process.
double dispersion_of_gamma(double scv, double arrivals) {
  return std::min(1.0, scv + (1 - scv * scv) / (6 * arrivals));
}

// The greatest distance between sorted gaps and P(gap <= t) = 1 - tail(t).
template <class Tail>
double distance(const std::vector<double>& sorted, const Tail& tail) {
  const auto n = static_cast<double>(sorted.size());
  double greatest = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const double below = 1 - tail(sorted[i]);
    const auto rank = static_cast<double>(i);
    greatest = std::max({greatest, below - rank / n, (rank + 1) / n - below});
  }
  return greatest;
}

// Where all mass is in one place, gaps that are off by less than their own scatter count as equal.
double distance_from_constant(const std::vector<double>& sorted, double gap) {
  const auto near = [&](double x) { return std::abs(x - gap) <= gap * 0.1; };
  return 1 - static_cast<double>(std::count_if(sorted.begin(), sorted.end(), near)) /
                 static_cast<double>(sorted.size());
}

}  // namespace

ArrivalFit fit_arrivals(std::span<const Instant> arrivals) {
  ARTEL_REQUIRE(arrivals.size() >= 2 && arrivals.back() > arrivals.front(),
                "arrivals that take time", arrivals.size());
  constexpr double kKsAt99 = 1.63;
  ArrivalFit fit;
  stat::Moments gaps;
  std::vector<double> sorted;
  sorted.reserve(arrivals.size() - 1);
  for (std::size_t i = 1; i < arrivals.size(); ++i) {
    sorted.push_back(to_seconds(arrivals[i] - arrivals[i - 1]));
    gaps.add(sorted.back());
  }
  std::sort(sorted.begin(), sorted.end());
  fit.rate = 1 / gaps.mean();
  fit.gap_scv = gaps.count() < 2 ? 0 : gaps.variance() / (gaps.mean() * gaps.mean());
  fit.ks_noise = kKsAt99 / std::sqrt(static_cast<double>(gaps.count()));
  fit.dispersion = dispersion_of(arrivals, fit.rate);

  if (fit.gap_scv < kEvenScv) {
    fit.process = scenario::ConstantArrivals{fit.rate};
    fit.ks = distance_from_constant(sorted, gaps.mean());
    return fit;
  }
  if (std::any_of(fit.dispersion.begin(), fit.dispersion.end(), bursty)) {
    if (const auto states = fit_bursts(arrivals, fit.dispersion, fit.rate)) {
      fit.process = scenario::MmppArrivals{{{states->rate[0], from_seconds(1 / states->leave[0])},
                                            {states->rate[1], from_seconds(1 / states->leave[1])}}};
      fit.ks = distance(sorted, GapTail(*states));
      for (auto& d : fit.dispersion) d.fitted = dispersion_of(*states, to_seconds(d.window));
      return fit;
    }
  }
  if (regular(fit.gap_scv, gaps.count())) {
    const auto gap =
        random::Distribution::gamma({.shape = 1 / fit.gap_scv, .scale = gaps.mean() * fit.gap_scv});
    ARTEL_REQUIRE(gap.has_value(), "an scv between kEvenScv and 1", fit.gap_scv);
    fit.process = scenario::RenewalArrivals{*gap};
    fit.ks = distance(sorted, [&](double t) { return gap->tail(t); });
    for (auto& d : fit.dispersion)
      d.fitted = dispersion_of_gamma(fit.gap_scv, fit.rate * to_seconds(d.window));
    return fit;
  }
  fit.process = scenario::PoissonArrivals{fit.rate};
  fit.ks = distance(sorted, [&](double t) { return std::exp(-fit.rate * t); });
  for (auto& d : fit.dispersion) d.fitted = 1;
  return fit;
}

}  // namespace artel::predict
