// error: write std::uint64_t key_of(const T&) beside the payload
#include <chrono>

#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/next.hpp"
#include "artel/sim/kernel/task.hpp"

using namespace artel;
using namespace std::chrono_literals;

struct Plain {};
sim::Task<> wait(sim::Context& context) { co_await context.next<Plain>().key(3); }
