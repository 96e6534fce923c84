// Response times under an open load of sleeping tasks: 16 workers, 95 % of the tasks take 1 ms and
// 5 % take 20 ms, Poisson arrivals at 80 % load; against the ideal central queue, computed from the
// same arrivals and sizes.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <functional>
#include <queue>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "artel/dispatch/policy.hpp"
#include "artel/random/stream.hpp"
#include "artel/unit/id.hpp"
#include "bench/measure.hpp"
#include "bench/pool_throughput/contenders.hpp"

namespace artel::bench {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::duration;

constexpr unsigned kWorkers = 16;
constexpr double kShortS = 0.001, kLongS = 0.020, kLongShare = 0.05, kLoad = 0.8;

struct Arrival {
  double at_s = 0;
  double size_s = 0;
};

std::vector<Arrival> arrivals(std::size_t tasks) {
  random::Stream gaps(Seed{1}, "arrivals");
  random::Stream sizes(Seed{1}, "sizes");
  const double mean = (1 - kLongShare) * kShortS + kLongShare * kLongS;
  const double rate = kLoad * kWorkers / mean;
  std::vector<Arrival> all;
  double at = 0;
  for (std::size_t i = 0; i < tasks; ++i) {
    at -= std::log1p(-gaps.uniform()) / rate;
    all.push_back({at, sizes.uniform() < kLongShare ? kLongS : kShortS});
  }
  return all;
}

Outcome outcome(std::vector<double> response_s) {
  std::sort(response_s.begin(), response_s.end());
  const auto ms_at = [&](double p) {
    return 1e3 * response_s[static_cast<std::size_t>(p * static_cast<double>(response_s.size()))];
  };
  return {{{"p50_ms", "ms", ms_at(0.5)},
           {"p99_ms", "ms", ms_at(0.99)},
           {"p999_ms", "ms", ms_at(0.999)}},
          ""};
}

// First come, first served by whoever is free first.
Outcome ideal(const std::vector<Arrival>& load) {
  std::priority_queue<double, std::vector<double>, std::greater<>> free_at;
  for (unsigned i = 0; i < kWorkers; ++i) free_at.push(0);
  std::vector<double> response;
  for (const auto& arrival : load) {
    const double end = std::max(arrival.at_s, free_at.top()) + arrival.size_s;
    free_at.pop();
    free_at.push(end);
    response.push_back(end - arrival.at_s);
  }
  return outcome(std::move(response));
}

template <class Pool>
Outcome serve(Pool& pool, const std::vector<Arrival>& load) {
  std::vector<double> response(load.size());
  const auto start = Clock::now() + std::chrono::milliseconds(10);
  for (std::size_t i = 0; i < load.size(); ++i) {
    const auto due =
        start + std::chrono::duration_cast<Clock::duration>(duration<double>(load[i].at_s));
    std::this_thread::sleep_until(due);
    pool.post([&response, due, i, size = load[i].size_s] {
      std::this_thread::sleep_for(duration<double>(size));
      response[i] = duration<double>(Clock::now() - due).count();
    });
  }
  pool.finish();
  return outcome(std::move(response));
}

}  // namespace
}  // namespace artel::bench

int main(int argc, char** argv) {
  using namespace artel;
  using namespace artel::bench;
  Comparison comparison("pool_tail", argc, argv);
  const auto load = arrivals(comparison.smoke() ? 200 : 20'000);
  const std::string workload = "sleep/W16/0.8";
  comparison.add({"ideal", workload, [&] { return ideal(load); }});
  for (const dispatch::Policy& policy :
       {dispatch::Policy{dispatch::LeastLoaded{}}, dispatch::Policy{dispatch::Jsq{}},
        dispatch::Policy{dispatch::RoundRobin{}}, dispatch::Policy{dispatch::Random{}},
        dispatch::Policy{dispatch::Jiq{}}}) {
    comparison.add({"artel-" + dispatch::name(policy), workload, [&load, policy] {
                      ArtelPool pool(kWorkers, policy);
                      return serve(pool, load);
                    }});
  }
  comparison.add({"tbb", workload, [&] {
                    TbbPool pool(kWorkers);
                    return serve(pool, load);
                  }});
  comparison.add({"asio", workload, [&] {
                    AsioPool pool(kWorkers);
                    return serve(pool, load);
                  }});
  comparison.add({"mutex", workload, [&] {
                    MutexPool pool(kWorkers);
                    return serve(pool, load);
                  }});
  return comparison.run();
}
