#include "artel/scenario/detail/caller_keys.hpp"

#include <span>
#include <string_view>

#include "artel/config/schema.hpp"
#include "artel/scenario/detail/seconds_max.hpp"

namespace artel::scenario::detail {
namespace {

using config::SchemaKey;
using enum config::KeyType;

constexpr std::string_view kTable = "workload.callers";

constexpr SchemaKey kCallerKeys[] = {
    {kTable, "timeout", special, "",
     "how long a caller waits for the answer to a try; default: for ever", 0, 0, false,
     "a duration, or a distribution as in workload.service"},
    {kTable, "cancel", word, "\"nothing\"",
     "what workers are spared of what nobody waits for any more: nothing, what they have not "
     "begun, "
     "or all of it",
     0, 0, false, "nothing|waiting|all"},
    {kTable, "retries", count, "0",
     "tries after one that failed: was refused, lost, or not answered in time", 0, 1000},
    {kTable, "backoff", duration, "0", "before the first retry …", 0, kSecondsMax},
    {kTable, "backoff_factor", number, "2", "… times this before each further one …", 1, 1000},
    {kTable, "backoff_most", duration, "", "… up to this; default: without end", 0, kSecondsMax,
     true},
    {kTable, "jitter", word, "\"none\"",
     "what of it is left to chance: nothing, half of it, or all of it", 0, 0, false,
     "none|equal|full"},
    {kTable, "budget", number, "",
     "retries and hedges per request, on average over all callers; default: as many as they want",
     0, 1000},
    {kTable, "budget_burst", number, "10", "how many of them may be saved up", 1, 1e9},
    {kTable, "hedge", special, "",
     "one more attempt, at another worker, if there is no answer after so long; the first answer "
     "counts",
     0, 0, false, "a duration, or a percentile of the answers so far from \"p1\" to \"p99.99\""},
    {kTable, "hedges", count, "1", "of a try, one after the other", 1, 100},
    {kTable, "copies", count, "1",
     "attempts that are sent at once, to as many workers that have room; the first answer counts",
     1, 1000},
    {kTable, "tied", flag, "false",
     "when a worker begins one of several attempts, the others that wait are taken back"},
    {kTable, "breaker", table, "", "callers that do not even ask while too many tries fail"},
    {"workload.callers.breaker", "failures", number, "0.5", "share of the last tries", 0, 1, true},
    {"workload.callers.breaker", "tries", count, "100", "which last tries", 1, 1'000'000},
    {"workload.callers.breaker", "open", duration, "\"5s\"",
     "no try for so long, all fail at once; then one, which decides", 0, kSecondsMax, true},
    {kTable, "redraw", flag, "false",
     "every attempt draws a service time of its own, as where the worker is what is slow; without "
     "it all have the request's"},
};

}  // namespace

std::span<const config::SchemaKey> caller_keys() { return kCallerKeys; }

}  // namespace artel::scenario::detail
