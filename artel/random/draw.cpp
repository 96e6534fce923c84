// The draws, in one file with the call that chooses among them, so that they become one function.

#include <boost/random/exponential_distribution.hpp>
#include <boost/random/gamma_distribution.hpp>
#include <boost/random/normal_distribution.hpp>
#include <cmath>
#include <variant>

#include "artel/random/detail/any_law.hpp"
#include "artel/random/distribution.hpp"
#include "artel/random/stream.hpp"

namespace artel::random {
namespace detail {
namespace {

/// Above this, one gamma draw is cheaper than the sum of the phases.
constexpr unsigned kPhasesSummed = 16;

double draw_exponential(Stream& stream) {
  return boost::random::exponential_distribution<double>()(stream);
}

double draw_gamma(Stream& stream, double shape) {
  return boost::random::gamma_distribution<double>(shape)(stream);
}

}  // namespace

double Uniform::draw(Stream& stream) const { return low + (high - low) * stream.uniform(); }

double Exponential::draw(Stream& stream) const { return average * draw_exponential(stream); }

double Erlang::draw(Stream& stream) const {
  const double phase_mean = average / phases;
  if (phases > kPhasesSummed) return phase_mean * draw_gamma(stream, phases);
  double sum = 0;
  for (unsigned phase = 0; phase < phases; ++phase) sum += draw_exponential(stream);
  return phase_mean * sum;
}

double Hyperexponential::draw(Stream& stream) const {
  const double phase_mean = stream.uniform() < short_share_ ? short_mean_ : long_mean_;
  return phase_mean * draw_exponential(stream);
}

double Lognormal::draw(Stream& stream) const {
  return std::exp(mu + sigma * boost::random::normal_distribution<double>()(stream));
}

double Weibull::draw(Stream& stream) const {
  return scale * std::pow(draw_exponential(stream), 1 / shape);
}

double BoundedPareto::draw(Stream& stream) const { return quantile(stream.uniform()); }

double Gamma::draw(Stream& stream) const { return scale * draw_gamma(stream, shape); }

double Empirical::draw(Stream& stream) const { return (*sorted_)[stream.below(sorted_->size())]; }

}  // namespace detail

double Distribution::operator()(Stream& stream) const {
  return std::visit([&stream](const auto& law) { return law.draw(stream); }, law_);
}

}  // namespace artel::random
