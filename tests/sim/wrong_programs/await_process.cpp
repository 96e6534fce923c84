// error: process.join()
#include <chrono>

#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/task.hpp"

using namespace artel;
using namespace std::chrono_literals;

sim::Task<> work(sim::Context& context);
sim::Task<> wait(sim::Context& context) { co_await context.spawn(work(context)); }
