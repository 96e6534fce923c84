#include "artel/scenario/detail/workload_keys.hpp"

#include <span>

#include "artel/config/schema.hpp"
#include "artel/scenario/detail/kind_key.hpp"
#include "artel/scenario/detail/seconds_max.hpp"

namespace artel::scenario::detail {
namespace {

using config::kRequired;
using enum config::KeyType;

constexpr config::SchemaKey kWorkloadKeys[] = {
    {"workload", "arrivals", table, kRequired, "when tasks arrive"},
    {"workload", "service", table, kRequired,
     "how long a task takes on a worker of speed 1: a distribution, or an expression over the "
     "columns of the trace (row by row when the arrivals are the trace's, else rows drawn at "
     "random)"},
    {"workload", "trace", table, "", "a CSV file whose first line names the columns"},
    {"workload", "fork", count, "1",
     "parts of a task, each placed by the policy as a task would be; it ends with the last", 1,
     1000},
    {"workload", "hint_error", number, "0",
     "error of the size hints that least_work_left and sita see: hint = size × exp(error × N(0,1))",
     0, 10},

    {"workload", "classes", list, "", "kinds of tasks; default: all are alike"},
    {"workload", "patience", special, "",
     "how long a task waits for its service to begin before it goes away; default: for ever", 0, 0,
     false, "a duration, or a distribution as in workload.service"},
    {"workload", "deadline", duration, "",
     "an answer that comes later is of no use, and counts as failed; default: none does", 0,
     kSecondsMax, true},
    {"workload", "keys", table, "",
     "what tasks are about, for policies that keep equal keys together: rendezvous, maglev"},
    {"workload.keys", "count", count, kRequired, "how many there are", 1, 1e7},
    {"workload.keys", "exponent", number, "0",
     "the k-th most popular is asked for in proportion to 1 / k^exponent (Zipf); 0: all alike", 0,
     10},
    {"workload", "callers", table, "", "what callers do about answers that do not come"},
    {"workload.classes[]", "name", text, kRequired, "in the results"},
    {"workload.classes[]", "share", number, "",
     "of all tasks; they sum to 1; needed unless workload.trace.class says it row by row", 0, 1,
     true},
    {"workload.classes[]", "priority", number, "0", "a whole number; more is more urgent", -1e6,
     1e6},
    {"workload.classes[]", "service", table, "",
     "as workload.service, a distribution; default: that"},
    {"workload.classes[]", "deadline", duration, "", "instead of the workload's", 0, kSecondsMax,
     true},
    {"workload.classes[]", "key", count, "",
     "what all tasks of the class are about: a customer, a model; default: a key of workload.keys",
     1, 1e9},
    {"workload.classes[]", "slo", table, "", "objectives of this class, as in [slo]"},

    {"workload.arrivals", "kind", word, kRequired,
     "poisson: at random; constant: equal gaps; mmpp: bursts; timetable: at random, at a rate that "
     "goes by the clock; renewal: independent gaps of a law; sum: several sources; trace: as "
     "recorded; closed: users who think between requests",
     0, 0, false, "poisson|constant|mmpp|timetable|renewal|sum|trace|closed"},
    kind_key("poisson|constant", "workload.arrivals", "rate", number, "",
             "tasks per second; or give load", {0, 1e9, true}),
    kind_key("poisson|constant|mmpp|timetable|renewal|sum|trace", "workload.arrivals", "load",
             number, "",
             "arriving work as a share of what the pool can do, of the file's pool where a sweep "
             "changes it; scales to it where rates or gaps are given",
             {0, 100, true}),
    kind_key("poisson|constant|mmpp|timetable|renewal", "workload.arrivals", "batch", special, "1",
             "tasks that come at once; a rate is of tasks, not of batches", {},
             "a whole number from 1 to 100000, or a list of them, each equally likely"),
    kind_key("renewal", "workload.arrivals", "gap", special, kRequired,
             "from one task, or batch, to the next", {},
             "a duration, or a distribution as in workload.service"),
    kind_key("sum", "workload.arrivals", "sources", list, kRequired,
             "each with the keys of workload.arrivals; not trace, closed or sum", {}),
    kind_key("closed", "workload.arrivals", "users", count, kRequired,
             "each thinks, sends a request, waits for the end of it, and thinks again",
             {1, 1'000'000}),
    kind_key("closed", "workload.arrivals", "think", special, kRequired, "how long each time", {},
             "a duration, or a distribution as in workload.service"),
    kind_key("mmpp", "workload.arrivals", "states", list, kRequired,
             "of the bursts; they follow one another, around", {}),
    kind_key("trace", "workload.arrivals", "scale", number, "1",
             "replay that many times as fast; or give load", {0, 1e6, true}),
    {"workload.arrivals.states[]", "rate", number, kRequired, "tasks per second in this state", 0,
     1e9},
    {"workload.arrivals.states[]", "mean_duration", duration, kRequired,
     "how long it lasts on average (exponentially distributed)", 0, kSecondsMax, true},

    kind_key("timetable", "workload.arrivals", "points", list, kRequired,
             "of the timetable, in order; the rate goes from one to the next in a straight line, "
             "from the "
             "last to the first over midnight",
             {}),
    kind_key("timetable", "workload.arrivals", "day", duration, "\"24h\"", "then it begins anew",
             {0, kSecondsMax, true}),
    {"workload.arrivals.points[]", "at", duration, kRequired, "time of the day", 0, kSecondsMax},
    {"workload.arrivals.points[]", "rate", number, kRequired, "tasks per second then", 0, 1e9},

    {"workload.service", "distribution", word, "", "the law; or give expression", 0, 0, false,
     "constant|uniform|exponential|erlang|hyperexponential|lognormal|weibull|bounded_pareto|gamma|"
     "empirical|mixture"},
    kind_key(
        "expression", "workload.service", "expression", text, "",
        "seconds, from columns of the trace: \"50ms + 0.12ms * ContextTokens\"; `odd names` in "
        "backticks; + - * / ^ ?: min max sqrt exp ln…",
        {}),
    kind_key("constant", "workload.service", "value", duration, kRequired, "always that long",
             {0, kSecondsMax}),
    kind_key("exponential|erlang|hyperexponential|lognormal", "workload.service", "mean", duration,
             kRequired, "mean service time", {0, kSecondsMax, true}),
    kind_key(
        "hyperexponential|lognormal", "workload.service", "scv", number, kRequired,
        "squared coefficient of variation, variance / mean² (exponential: 1; hyperexponential: at "
        "least 1)",
        {0, 1e6, true}),
    kind_key("erlang", "workload.service", "phases", count, kRequired,
             "as many exponential phases; scv = 1 / phases", {1, 1000}),
    kind_key("uniform|bounded_pareto", "workload.service", "low", duration, kRequired, "least",
             {0, kSecondsMax}),
    kind_key("uniform|bounded_pareto", "workload.service", "high", duration, kRequired, "greatest",
             {0, kSecondsMax, true}),
    kind_key("bounded_pareto", "workload.service", "alpha", number, kRequired,
             "exponent of the tail; less is heavier", {0, 100, true}),
    kind_key("weibull|gamma", "workload.service", "shape", number, kRequired, "exponent of the law",
             {0, 1000, true}),
    kind_key("weibull|gamma", "workload.service", "scale", duration, kRequired,
             "unit of the law (gamma: mean / shape)", {0, kSecondsMax, true}),
    kind_key("empirical", "workload.service", "values", durations, kRequired,
             "one of them, each equally likely", {0, kSecondsMax}),
    kind_key("mixture", "workload.service", "parts", list, kRequired,
             "one of them: probability and the keys of a distribution", {}),
    {"workload.service.parts[]", "probability", number, kRequired, "they sum to 1", 0, 1, true},

    {"workload.trace", "file", text, kRequired, "CSV, looked up beside the scenario"},
    {"workload.trace", "time", text, "", "column with the time of arrival; for trace arrivals"},
    {"workload.trace", "class", text, "",
     "column with the name of each task's class, of workload.classes; for trace arrivals"},
    {"workload.trace", "patience", text, "",
     "column with how many seconds each task waits for its service to begin before it goes away; "
     "empty: for ever; for trace arrivals"},
    {"workload.trace", "prefix", text, "",
     "column with the keys of the blocks that a task begins with: whole numbers with blanks "
     "between, 3-6 is 3 4 5 6; for pool.cache; the first is the task's key"},
    {"workload.trace", "prefix_tokens", text, "",
     "column with what these blocks hold together; default: block_tokens each"},
    {"workload.trace", "block_tokens", count, "1", "what a block holds, but for a task's last one",
     1, 1'000'000},
    {"workload.trace", "time_format", word, "\"auto\"",
     "auto: iso (2023-11-16 18:17:03.97, T and zones allowed) or seconds; epoch is in seconds", 0,
     0, false, "auto|iso|seconds|epoch|epoch_ms|epoch_us|epoch_ns"},
};

}  // namespace

std::span<const config::SchemaKey> workload_keys() { return kWorkloadKeys; }

}  // namespace artel::scenario::detail
