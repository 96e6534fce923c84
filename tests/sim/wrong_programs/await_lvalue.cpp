// error: a wait or a task is awaited once: co_await std::move(it)
#include <chrono>

#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/next.hpp"
#include "artel/sim/kernel/task.hpp"

using namespace artel;
using namespace std::chrono_literals;

sim::Task<> wait(sim::Context& context) {
  auto answer = context.next<int>().within(1s);
  co_await answer;
}
