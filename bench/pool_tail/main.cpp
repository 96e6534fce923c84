// Response times under an open load of sleeping tasks: 16 workers, 95 % of the tasks take 1 ms and
// 5 % take 20 ms, Poisson arrivals at 80 % load, one by one and in bursts of 32; against the ideal
// central queue, computed from the same arrivals and sizes.
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

#include "artel/core/id.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/random/stream.hpp"
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

// `burst` tasks at each arrival, at the same load.
std::vector<Arrival> arrivals(std::size_t tasks, std::size_t burst) {
  random::Stream gaps(Seed{1}, "arrivals");
  random::Stream sizes(Seed{1}, "sizes");
  const double mean = (1 - kLongShare) * kShortS + kLongShare * kLongS;
  const double rate = kLoad * kWorkers / mean;
  std::vector<Arrival> all;
  double at = 0;
  for (std::size_t i = 0; i < tasks; ++i) {
    if (i % burst == 0) at -= static_cast<double>(burst) * std::log1p(-gaps.uniform()) / rate;
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

// First come, first served by whoever is free first: the response times.
std::vector<double> central_queue(const std::vector<Arrival>& load) {
  std::priority_queue<double, std::vector<double>, std::greater<>> free_at;
  for (unsigned i = 0; i < kWorkers; ++i) free_at.push(0);
  std::vector<double> response;
  for (const auto& arrival : load) {
    const double end = std::max(arrival.at_s, free_at.top()) + arrival.size_s;
    free_at.pop();
    free_at.push(end);
    response.push_back(end - arrival.at_s);
  }
  return response;
}

// Besides the response times: the ideal queue's for what really happened, that is for arrivals when
// they came and sleeps as long as they were, and how late the latest arrival came. Sleeps overrun,
// and a machine that stands still delays arrivals; neither is the pool's doing.
template <class Pool>
Outcome serve(Pool& pool, const std::vector<Arrival>& load) {
  std::vector<double> response(load.size());
  std::vector<Arrival> happened(load.size());
  Clock::duration late{};
  const auto start = Clock::now() + std::chrono::milliseconds(10);
  for (std::size_t i = 0; i < load.size(); ++i) {
    const auto due =
        start + std::chrono::duration_cast<Clock::duration>(duration<double>(load[i].at_s));
    std::this_thread::sleep_until(due);
    const auto now = Clock::now();
    late = std::max(late, now - due);
    happened[i].at_s = duration<double>(now - start).count();
    pool.post([&response, &happened, now, i, size = load[i].size_s] {
      const auto begin = Clock::now();
      std::this_thread::sleep_for(duration<double>(size));
      const auto end = Clock::now();
      happened[i].size_s = duration<double>(end - begin).count();
      response[i] = duration<double>(end - now).count();
    });
  }
  pool.finish();
  Outcome result = outcome(std::move(response));
  for (Figure& figure : outcome(central_queue(happened)).figures)
    result.figures.push_back({"ideal_" + figure.metric, figure.unit, figure.value});
  result.figures.push_back({"late_ms", "ms", 1e3 * duration<double>(late).count()});
  return result;
}

void add_contenders(Comparison& comparison, const std::string& workload,
                    const std::vector<Arrival>& load) {
  comparison.add({"ideal", workload, [load] { return outcome(central_queue(load)); }});
  for (const dispatch::Policy& policy :
       {dispatch::Policy{dispatch::LeastLoaded{}}, dispatch::Policy{dispatch::Jsq{}},
        dispatch::Policy{dispatch::RoundRobin{}}, dispatch::Policy{dispatch::Random{}},
        dispatch::Policy{dispatch::Jiq{}}}) {
    comparison.add({"artel-" + dispatch::name(policy), workload, [load, policy] {
                      ArtelPool pool(kWorkers, policy);
                      return serve(pool, load);
                    }});
  }
  comparison.add({"tbb", workload, [load] {
                    TbbPool pool(kWorkers);
                    return serve(pool, load);
                  }});
  comparison.add({"asio", workload, [load] {
                    AsioPool pool(kWorkers);
                    return serve(pool, load);
                  }});
  comparison.add({"mutex", workload, [load] {
                    MutexPool pool(kWorkers);
                    return serve(pool, load);
                  }});
}

}  // namespace
}  // namespace artel::bench

int main(int argc, char** argv) {
  using namespace artel;
  using namespace artel::bench;
  Comparison comparison("pool_tail", argc, argv);
  const std::size_t tasks = comparison.smoke() ? 200 : 20'000;
  for (const auto& [workload, load] : {
           std::pair{std::string("sleep/W16/0.8"), arrivals(tasks, 1)},
           std::pair{std::string("bursts/W16/0.8"), arrivals(tasks, 32)},
       }) {
    add_contenders(comparison, workload, load);
  }
  return comparison.run();
}
