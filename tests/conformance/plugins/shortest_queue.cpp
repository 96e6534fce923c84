// LeastLoaded once more, as a plugin: the conformance tests hold it to what the built-in one does.
#include <cstdint>

#include "artel/dispatch/artel_policy.h"

namespace {

std::int64_t choose(void* /*self*/, const artel_loads* loads, const artel_draw* /*draw*/) {
  std::int64_t best = ARTEL_ANY_WORKER;
  artel_load least{};
  for (std::uint32_t i = 0; i < loads->workers; ++i) {
    artel_load load;
    loads->read(loads->host, i, &load);
    if (load.capacity <= load.queued) continue;
    if (best != ARTEL_ANY_WORKER && load.queued >= least.queued) continue;
    best = i;
    least = load;
  }
  return best;
}

}  // namespace

const std::uint32_t artel_policy_abi = ARTEL_POLICY_ABI;

const char* artel_make_policy(const char* /*options*/, artel_policy* policy) {
  policy->name = "shortest-queue";
  policy->choose = choose;
  return nullptr;
}
