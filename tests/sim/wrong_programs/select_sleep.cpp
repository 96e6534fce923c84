// error: for events, sleeps and tasks as well, any_of
#include <chrono>

#include "artel/sim/kernel/channel.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/select.hpp"
#include "artel/sim/kernel/task.hpp"

using namespace artel;
using namespace std::chrono_literals;

sim::Task<> wait(sim::Context& context, sim::Channel<int>& channel) {
  co_await sim::select(context.sleep(1s), channel.receive());
}
