#include "bench/rivals/rivals.hpp"

#include <fmt/core.h>

#include <cstdio>
#include <string>
#include <variant>
#include <vector>

#include "bench/measure.hpp"
#include "bench/rivals/throughput.hpp"

namespace artel::bench {

std::vector<Rival> rivals() {
  return {artel_rival(), stdexec_rival(), taskflow_rival(), tbb_rival(),  asio_rival(),
          bs_rival(),    dp_rival(),      libfork_rival(),  mutex_rival()};
}

void add(Comparison& comparison, const std::string& name, const Workload& workload,
         const std::vector<Rival>& contenders) {
  for (const Rival& rival : contenders) {
    if (!rival.run || (std::holds_alternative<Queued>(workload) && !rival.on_heap)) continue;
    comparison.add({rival.name, name, [run = rival.run, workload] { return run(workload); }});
  }
}

void add(Comparison& comparison, const std::string& name, const Fib& fib,
         const std::vector<Rival>& contenders) {
  for (const Rival& rival : contenders) {
    if (rival.fib) comparison.add({rival.name, name, [run = rival.fib, fib] { return run(fib); }});
  }
}

void say_left_out() {
  std::string names;
  for (const Rival& rival : rivals()) {
    if (rival.left_out()) names += ' ' + rival.name;
  }
  if (!names.empty()) fmt::print(stderr, "Left out, no headers in ARTEL_PEERS:{}\n", names);
}

}  // namespace artel::bench
