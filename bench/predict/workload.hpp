#pragma once

#include <string>
#include <vector>

namespace artel::bench {

/// What a task does with its time.
enum class Kind : unsigned char { sleep, compute };

/// What tasks, or the pool, have besides.
enum class Extra : unsigned char {
  nothing,
  priorities,  ///< a fifth of the tasks are of high priority, a fifth of low
  deadlines,   ///< half of the tasks expire unless they start within 20 ms
  resizing,    ///< every half second a quarter of the workers comes or goes
};

/// One open load on one size of pool.
struct Workload {
  std::string sizes;  ///< "bimodal": 95% 1 ms, 5% 20 ms; "pareto": bounded, 0.5 to 50 ms
  Kind kind = Kind::sleep;
  unsigned workers = 4;
  double load = 0.8;
  unsigned queue = 0;  ///< PoolOptions::queue
  Extra extra = Extra::nothing;

  /// "sleep-bimodal/W16/0.80", with "/Q64" where workers have queues of their own, "/priorities" …
  [[nodiscard]] std::string name() const;
};

/// A task of the load, seconds.
struct Arrival {
  double at_s = 0;
  double size_s = 0;
  unsigned lot = 0;  ///< 0 to 9, each equally likely: decides what it has besides
};

/// Poisson arrivals over `seconds`, at the rate that offers the load if every task takes
/// `overshoot_s` longer than its size (as sleeping does).
[[nodiscard]] std::vector<Arrival> draw(const Workload& workload, double seconds,
                                        double overshoot_s);

/// How much longer than asked sleeping takes here, seconds: median of some. Asks the kernel to wake
/// this thread, and those that it starts, without slack.
[[nodiscard]] double sleep_overshoot();

}  // namespace artel::bench
