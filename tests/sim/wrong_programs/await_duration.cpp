// error: for a duration, context.sleep(d)
#include <chrono>

#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/task.hpp"

using namespace artel;
using namespace std::chrono_literals;

sim::Task<> wait(sim::Context&) { co_await 1s; }
