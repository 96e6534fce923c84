#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "bench/measure.hpp"
#include "bench/rivals/latency.hpp"
#include "bench/rivals/tail.hpp"
#include "bench/rivals/throughput.hpp"

namespace artel::bench {

/// What is measured, with its sizes. Each has a `run(make)` that makes pools of so many workers
/// with `make(workers)` and measures outside of that.
using Workload =
    std::variant<Posts, Submits, Queued, TwoPools, Starts, RoundTrips, Waits, OpenLoad, ClosedLoad>;

/// A pool under comparison. Its file defines a class with a constructor that takes the number of
/// workers, post(fn), submit(fn) -> something with get(), and a destructor that ends it all.
struct Rival {
  std::string name;
  std::function<Outcome(const Workload&)> run{};  ///< empty: takes no tasks from outside
  std::function<Outcome(const Fib&)> fib{};       ///< empty: tasks cannot wait for their own
  bool on_heap = true;                            ///< queues tasks in memory that malloc knows of
  [[nodiscard]] bool left_out() const { return !run && !fib; }
};

/// Compiles every workload for the pools that `make(workers)` makes.
template <class Make>
std::function<Outcome(const Workload&)> every_workload(Make make) {
  return [make](const Workload& workload) {
    return std::visit([&](const auto& each) { return each.run(make); }, workload);
  };
}

Rival artel_rival();
Rival asio_rival();
Rival bs_rival();
Rival dp_rival();
Rival libfork_rival();
Rival mutex_rival();
Rival stdexec_rival();
Rival taskflow_rival();
Rival tbb_rival();

/// artel with its default policy first, then the others.
std::vector<Rival> rivals();
/// artel with the other policies, by which a task may be placed; and those that come to one of them
/// when tasks bring no sizes and workers no weights.
std::vector<Rival> artel_policies();
std::vector<Rival> artel_further_policies();

/// Every contender that can do it.
void add(Comparison& comparison, const std::string& name, const Workload& workload,
         const std::vector<Rival>& contenders);
void add(Comparison& comparison, const std::string& name, const Fib& fib,
         const std::vector<Rival>& contenders);

/// Says which rivals are not in the comparison because their headers were not found.
void say_left_out();

}  // namespace artel::bench
