#include "bench/rivals/tail.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <queue>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/random/stream.hpp"
#include "bench/measure.hpp"
#include "bench/rivals/latency.hpp"

namespace artel::bench {

std::vector<Arrival> arrivals(const Mix& mix, std::size_t tasks, unsigned workers, double load,
                              std::size_t burst) {
  random::Stream gaps(Seed{1}, "arrivals");
  random::Stream sizes(Seed{1}, "sizes");
  const double mean = (1 - mix.long_share) * mix.short_s + mix.long_share * mix.long_s;
  const double rate = load * workers / mean;
  std::vector<Arrival> all;
  double at = 0;
  for (std::size_t i = 0; i < tasks; ++i) {
    if (i % burst == 0) at -= static_cast<double>(burst) * std::log1p(-gaps.uniform()) / rate;
    all.push_back({at, sizes.uniform() < mix.long_share ? mix.long_s : mix.short_s});
  }
  return all;
}

std::vector<double> central_queue(const std::vector<Arrival>& load, unsigned workers) {
  std::priority_queue<double, std::vector<double>, std::greater<>> free_at;
  for (unsigned i = 0; i < workers; ++i) free_at.push(load.front().at_s);
  std::vector<double> response;
  for (const auto& arrival : load) {
    const double end = std::max(arrival.at_s, free_at.top()) + arrival.size_s;
    free_at.pop();
    free_at.push(end);
    response.push_back(end - arrival.at_s);
  }
  return response;
}

Outcome tail(const std::vector<double>& response_s, const std::vector<Arrival>& load,
             double counted_s) {
  std::vector<double> ms;
  for (std::size_t i = 0; i < load.size(); ++i) {
    if (load[i].size_s <= counted_s) ms.push_back(1e3 * response_s[i]);
  }
  return {{{"p50_ms", "ms", quantile(ms, 0.5)},
           {"p99_ms", "ms", quantile(ms, 0.99)},
           {"p999_ms", "ms", quantile(ms, 0.999)}},
          ""};
}

Outcome Responses::outcome(unsigned workers, double counted_s) const {
  Outcome found = tail(response_s_, load_, counted_s);
  const Outcome ideal = tail(central_queue(happened_, workers), load_, counted_s);
  for (const Figure& figure : ideal.figures)
    found.figures.push_back({"ideal_" + figure.metric, figure.unit, figure.value});
  return found;
}

}  // namespace artel::bench
