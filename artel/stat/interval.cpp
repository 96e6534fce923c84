#include "artel/stat/interval.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <span>

#include "artel/core/require.hpp"
#include "artel/stat/moments.hpp"

namespace artel::stat {
namespace {

namespace math = boost::math;

/// Plain doubles, so that every compiler gives the same number.
using Plain = math::policies::policy<math::policies::promote_double<false>>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

double Interval::relative() const { return half_width / std::abs(center); }

Interval mean_interval(std::span<const double> replications, double level) {
  ARTEL_REQUIRE(level > 0 && level < 1, "a confidence level is a probability", level);
  Moments moments;
  for (const double value : replications) moments.add(value);
  const auto count = static_cast<double>(moments.count());
  if (count < 2) return {moments.mean(), kInfinity, level};
  const math::students_t_distribution<double, Plain> student(count - 1);
  const double t = math::quantile(math::complement(student, (1 - level) / 2));
  return {moments.mean(), t * moments.stddev() / std::sqrt(count), level};
}

}  // namespace artel::stat
