// Breaks the contract in the way that its options name; ARTEL_BROKEN_ABI, ARTEL_BROKEN_WITHOUT_…:
// by being made so.
#include <cstdint>
#include <stdexcept>
#include <string>

#include "artel/dispatch/artel_policy.h"

namespace {

std::string wanted;  // the options

[[maybe_unused]] std::int64_t choose(void* /*self*/, const artel_loads* loads,
                                     const artel_draw* draw) {
  if (wanted == "throws") throw std::runtime_error("no idea");
  if (wanted == "throws seldom" && draw->turn % 10 == 9) throw std::runtime_error("no idea");
  if (wanted == "throws a number") throw 7;
  if (wanted == "too far") return loads->workers;
  if (wanted == "negative") return -2;
  if (wanted.starts_with("reads worker ")) {
    artel_load load;
    loads->read(loads->host, static_cast<std::uint32_t>(std::stoul(wanted.substr(13))), &load);
    return load.queued == 0 ? 0 : 1;
  }
  if (wanted == "asks behind the last") return loads->next(loads->host, ARTEL_IDLE, UINT32_MAX);
  return ARTEL_ANY_WORKER;
}

}  // namespace

#ifndef ARTEL_BROKEN_ABI
#define ARTEL_BROKEN_ABI ARTEL_POLICY_ABI
#endif
#ifndef ARTEL_BROKEN_WITHOUT_ABI
const std::uint32_t artel_policy_abi = ARTEL_BROKEN_ABI;
#endif

#ifndef ARTEL_BROKEN_WITHOUT_MAKE
const char* artel_make_policy(const char* options, artel_policy* policy) {
  wanted = options;
  if (wanted == "refuses") return "the moon is full";
  if (wanted == "cannot be made") throw std::runtime_error("out of ideas");
  policy->name = wanted == "has no name" ? nullptr : wanted == "has a bad name" ? "a\nb" : "broken";
  policy->reads = wanted == "reads too much" ? 1U << 30U : 0;
  policy->latency_mean = wanted == "has a bad law" ? 2 : 0;
  policy->latency_decay = wanted == "has a bad decay" ? -1 : 0;
  policy->choose = wanted == "has no choose" ? nullptr : choose;
  return nullptr;
}
#endif
