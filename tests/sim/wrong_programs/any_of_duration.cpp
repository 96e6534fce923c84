// error: this is nothing to wait for
#include <chrono>

#include "artel/sim/kernel/any_of.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/next.hpp"
#include "artel/sim/kernel/task.hpp"

using namespace artel;
using namespace std::chrono_literals;

sim::Task<> wait(sim::Context& context) { co_await sim::any_of(1s, context.next<int>()); }
