#include "artel/scenario/scenario_schema.hpp"

#include <fmt/core.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "artel/config/schema.hpp"
#include "artel/config/schema_text.hpp"
#include "artel/dispatch/policy_table.hpp"
#include "artel/scenario/detail/caller_keys.hpp"
#include "artel/scenario/detail/kind_key.hpp"
#include "artel/scenario/detail/scaling_keys.hpp"
#include "artel/scenario/detail/seconds_max.hpp"
#include "artel/scenario/detail/workload_keys.hpp"
#include "artel/scenario/policy_names.hpp"
#include "artel/scenario/run_settings.hpp"

namespace artel::scenario {
namespace {

using detail::kSecondsMax;

using config::kRequired;
using detail::kind_key;
using enum config::KeyType;

constexpr double kWorkersMax = 100'000;
constexpr std::string_view kWorkerNumbers = "a number of a worker from 0, or a list of them";

constexpr config::SchemaKey kTables[] = {
    {"", "name", text, "", "shown above the results; default: the file's name"},
    {"", "workload", table, kRequired, "which tasks arrive when, and how long they take"},
    {"", "pool", table, kRequired, "the workers and their queues"},
    {"", "stages", list, "", "what each task needs after the pool, one after the other"},
    {"", "dispatch", table, kRequired, "the policies to compare, and what they can know"},
    {"", "run", table, "", "how long and how often to simulate"},
    {"", "slo", table, "", "objectives; the results say which policy meets them"},
    {"", "sweep", table, "", "values to try one after the other, by key"},
    {"", "plan", table, "", "what artel plan has to know besides"},
};

constexpr config::SchemaKey kOtherKeys[] = {
    {"pool", "workers", count, "", "how many; or give groups", 1, kWorkersMax},
    {"pool", "speeds", numbers, "1", "of all workers, or a list of one per worker", 0, 1e6, true},
    {"pool", "queue_bound", bounds, "inf",
     "most tasks bound to a worker, the running one included; 1: all waiting is in the common "
     "queue; or a list of one per worker",
     1, 1e9},
    {"pool", "groups", list, "", "kinds of workers, instead of workers, speeds and queue_bound"},
    {"pool", "common_bound", bound, "inf", "most tasks waiting that are bound to no worker yet", 0,
     1e9},
    {"pool", "when_full", word, "\"reject\"",
     "reject: the task is refused and counted; block: the source waits", 0, 0, false,
     "reject|block"},
    {"pool", "take_over", flag, "false", "an idle worker takes what waits in another's queue"},
    {"pool", "stealing", word, "\"none\"",
     "as artel's thread pool: a worker that runs out takes half of what waits at the next worker, "
     "before (tasks above 100us) or after it takes its fill from the common queue; not with "
     "take_over",
     0, 0, false, "none|before_common|after_common"},
    {"pool", "wake_up", durations, "",
     "how long an idle worker takes to begin a task: one of the list, each equally likely; "
     "default: no time",
     0, kSecondsMax},
    {"pool", "task_overhead", duration, "0",
     "a worker's time per task besides the service, when it goes from one to the next", 0,
     kSecondsMax},
    {"pool", "slots", count, "1",
     "tasks that a worker serves at once, each at its full speed; its queue bound has room for "
     "them "
     "in any case",
     1, 10'000},
    {"pool", "discipline", word, "\"fifo\"",
     "whom a worker serves of those that have come: the first, the last, the class of the highest "
     "priority, the shortest, whose deadline is next, who has least left (interrupts), who was "
     "served least, or all at "
     "once "
     "with equal parts of its speed; also the order of the common queue",
     0, 0, false, "fifo|lifo|priority|sjf|edf|srpt|las|ps"},
    {"pool", "preemptive", flag, "false",
     "who goes first interrupts whom it finds in service, who goes on later; with lifo, "
     "priority, sjf and edf"},
    {"pool", "total_speed", list, "",
     "with ps: how fast 1, 2, … tasks are together, the last number for more; default: always 1"},
    {"pool", "batch", table, "", "workers serve several tasks together"},
    {"pool", "cache", table, "",
     "each worker keeps what its tasks begin with, workload.trace.prefix, until others need the "
     "room"},
    {"pool", "failures", table, "", "workers break and are repaired"},
    {"pool", "speed_states", list, "",
     "speeds that each worker goes through, beginning with the first; default: always as fast"},
    {"pool.speed_states[]", "speed", number, kRequired, "times the worker's own; 0: it stands", 0,
     1e6},
    {"pool.speed_states[]", "mean_duration", duration, kRequired,
     "how long it lasts on average (exponentially distributed)", 0, kSecondsMax, true},
    {"pool.speed_states[]", "next", list, "",
     "how likely each state follows, a number for each; they sum to 1; default: the next one in "
     "order, and around"},
    {"pool", "speed_timetable", table, "", "speeds that go by the clock; not with speed_states"},
    {"pool.speed_timetable", "day", duration, "\"24h\"", "then it begins anew", 0, kSecondsMax,
     true},
    {"pool.speed_timetable", "points", list, "",
     "in order of time; each holds until the worker's next, the last over midnight; or give file"},
    {"pool.speed_timetable", "file", text, "",
     "CSV beside the scenario whose first line names the columns: time (of the day, in seconds, in "
     "order), speed and, unless each row is of all workers, worker (a number; empty: all)"},
    {"pool.speed_timetable.points[]", "at", duration, kRequired, "time of the day", 0, kSecondsMax},
    {"pool.speed_timetable.points[]", "speed", number, kRequired,
     "times the worker's own; 0: it stands", 0, 1e6},
    {"pool.speed_timetable.points[]", "workers", special, "", "default: all", 0, 0, false,
     kWorkerNumbers},
    {"pool", "admission", table, "", "which tasks the pool turns away though it has room"},
    {"pool", "start_up", special, "",
     "how long a worker that was idle takes before it serves again; default: no time", 0, 0, false,
     "a duration, or a distribution as in workload.service"},
    {"pool", "keep_warm", duration, "0", "a worker that was idle for less needs no start_up", 0,
     kSecondsMax},
    {"pool", "slow_start", table, "",
     "a worker that has started up, or is new to a fleet that grows, is slower for a while"},
    {"pool.slow_start", "time", duration, kRequired, "for so long", 0, kSecondsMax, true},
    {"pool.slow_start", "speed", number, kRequired, "times its own", 0, 1e6, true},
    {"pool", "scaling", table, "",
     "the size of the fleet goes by a policy; workers is the size at the start"},
    {"pool.batch", "most", count, kRequired, "tasks of a batch", 1, 100'000},
    {"pool.batch", "longest_wait", duration, "0",
     "of the first task, before a batch starts that is not full; 0: it starts with whoever waits",
     0, kSecondsMax},
    {"pool.batch", "step", duration, "",
     "tasks join and leave between steps, in each of which a task gets so much of its service; the "
     "times below are those of a step; default: all of a batch at once",
     0, kSecondsMax, true},
    {"pool.batch", "memory", duration, "",
     "with step: sum of the service times of all in the batch, at most; default: no bound", 0,
     kSecondsMax, true},
    {"pool.batch", "fixed", special, "0", "of the time that a batch takes: whatever is in it …", 0,
     0, false, "a duration, or a distribution as in workload.service"},
    {"pool.batch", "per_task", duration, "0", "… plus this for each task …", 0, kSecondsMax},
    {"pool.batch", "per_work", number, "1", "… plus this times the sum of their service times …", 0,
     1e6},
    {"pool.batch", "per_join", special, "0", "… plus this once, when a task joins", 0, 0, false,
     "a duration, a distribution as in workload.service, or { expression } over the trace's "
     "columns"},
    {"pool.cache", "blocks", bound, "inf",
     "room for so many; those go first that were used least recently", 1, 1e9},
    {"pool.cache", "saves", special, "",
     "what a task saves that finds all of its prefix there (in part: that part), off "
     "batch.per_join "
     "if that is an expression, else off its service; default: nothing",
     0, 0, false, "{ expression } over the trace's columns"},
    {"pool.failures", "mtbf", duration, "",
     "mean time from a repair to the next failure, exponentially distributed; idle workers fail, "
     "too; default: none fails by chance",
     0, kSecondsMax, true},
    {"pool.failures", "mttr", duration, "", "mean time to repair, likewise; with mtbf", 0,
     kSecondsMax, true},
    {"pool.failures", "outages", list, "", "times for which some workers are out of service"},
    {"pool.failures.outages[]", "at", duration, kRequired, "since the start", 0, kSecondsMax},
    {"pool.failures.outages[]", "lasts", duration, kRequired, "then they are whole again", 0,
     kSecondsMax, true},
    {"pool.failures.outages[]", "workers", special, "", "default: all", 0, 0, false,
     kWorkerNumbers},
    {"pool.failures.outages[]", "drain", duration, "",
     "dispatchers send them nothing from so long before until the end; default: they do not know",
     0, kSecondsMax},
    {"pool.failures", "task", word, "\"resume\"",
     "what becomes of the tasks in service: they go on after the repair, begin again, or are lost; "
     "error: lost, as is at once what comes to the worker until it is repaired",
     0, 0, false, "resume|restart|lose|error"},
    {"pool.failures", "detection", duration, "",
     "dispatchers send nothing to a worker so long after it broke, until so long after it was "
     "repaired; default: they never know",
     0, kSecondsMax},
    {"pool.admission", "policy", word, kRequired,
     "aimd: a limit of tasks in the pool that goes by how long they take; gradient: by how much "
     "longer than on average; codel: what waits in the common queue for long is dropped when it "
     "comes out (RFC 8289)",
     0, 0, false, "aimd|gradient|codel"},
    kind_key("aimd|codel", "pool.admission", "target", duration, kRequired,
             "aimd: a longer response is late; codel: a shorter wait is all right",
             {0, kSecondsMax, true}),
    kind_key("aimd", "pool.admission", "decrease", number, "0.9",
             "the limit is multiplied by that when a response is late, once per target at most",
             {0, 1, true}),
    kind_key("gradient", "pool.admission", "tolerance", number, "1.5",
             "times the average response is still all right", {1, 1000}),
    kind_key("gradient", "pool.admission", "queue", number, "4", "room for so many to wait",
             {0, 1e9}),
    kind_key("gradient", "pool.admission", "smoothing", number, "0.2",
             "share of the way to the new limit that it goes at once", {0, 1, true}),
    kind_key("gradient", "pool.admission", "window", count, "600", "responses of the average",
             {1, 1e9}),
    kind_key("aimd|gradient", "pool.admission", "min", count, "1", "least limit, and the first",
             {1, 1e9}),
    kind_key("aimd|gradient", "pool.admission", "max", count, "1000000", "greatest limit",
             {1, 1e9}),
    kind_key("codel", "pool.admission", "interval", duration, "\"100ms\"",
             "waits may be longer than the target for so long", {0, kSecondsMax, true}),
    {"pool.groups[]", "workers", count, kRequired, "how many of this kind", 1, kWorkersMax},
    {"pool.groups[]", "speed", number, "1", "service time = size / speed", 0, 1e6, true},
    {"pool.groups[]", "queue_bound", bound, "inf", "as in [pool]", 1, 1e9},

    {"stages[]", "name", text, kRequired, "in the results"},
    {"stages[]", "probability", number, "1", "that a task needs it", 0, 1, true},
    {"stages[]", "calls", count, "1",
     "at once, each placed by the policy as a task would be; the stage ends with the last", 1,
     1000},
    {"stages[]", "service", special, kRequired, "of a call", 0, 0, false,
     "a duration, or a distribution as in workload.service"},
    {"stages[]", "pool", table, kRequired, "the stage's workers and queues, as in [pool]"},
    {"stages[]", "slo", table, "", "objectives of this stage, as in [slo]"},

    {"dispatch", "policies", list, kRequired,
     "names (\"random\") or tables ({ name = \"jsq\", d = 2 }); one line of the results each"},
    {"dispatch", "dispatchers", count, "1",
     "tasks arrive at them at random; each has its own turns and dice", 1, 1000},
    {"dispatch", "view", word, "\"shared\"",
     "what a dispatcher knows: the loads of the workers; only what it sent itself and is not done "
     "(own); or both: the loads as of the last report, every staleness, and what became of its own "
     "tasks since (reported)",
     0, 0, false, "shared|own|reported"},
    {"dispatch", "staleness", duration, "0", "they see the loads only as often; 0: always fresh", 0,
     kSecondsMax},
    {"dispatch", "network_delay", duration, "0", "from a dispatcher to a worker", 0, kSecondsMax},
    {"dispatch", "ejection", table, "", "workers that fail are left out for a while"},
    {"dispatch.ejection", "failures", count, "5",
     "so many attempts in a row that are lost or not answered in time", 1, 1'000'000},
    {"dispatch.ejection", "time", duration, "\"30s\"",
     "how long, times how often the worker was left out already, this time included", 0,
     kSecondsMax, true},
    {"dispatch.ejection", "share", number, "0.1",
     "of the workers, at most; of fewer than 10 say more: it must be a whole worker", 0, 1, true},
    {"dispatch.policies[]", "name", text, kRequired, "see the list of policies below"},
    {"dispatch.policies[]", "label", text, "", "in the results; default: name and parameters"},
    {"dispatch.policies[]", "queue_bound", bound, "", "instead of the pool's, for this policy", 1,
     1e9},
    {"dispatch.policies[]", "take_over", flag, "", "instead of the pool's, for this policy"},

    {"run", "tasks", count, "",
     "per replication; default: the whole trace, or 100000 (unless duration ends it)", 1, 1e12},
    {"run", "duration", duration, "", "simulated time per replication", 0, kSecondsMax, true},
    {"run", "replications", count, "10", "independent runs; with precision: the fewest", 1,
     100'000},
    {"run", "precision", number, "",
     "go on until the 99% confidence interval of the response is that narrow: half-width / value",
     0, 1, true},
    {"run", "precision_of", word, "\"mean\"", "… of its mean, or of that percentile", 0, 0, false,
     "mean|p50|p90|p95|p99|p999"},
    {"run", "replications_max", count, "100", "where precision gives up", 1, 100'000},
    {"run", "warm_up", special, "\"auto\"",
     "what to leave out at the start: auto (MSER-5), a share of the tasks (\"20%\"), or a "
     "duration",
     0, 0, false,
     "\"auto\", a share from \"0%\" to \"90%\", or a duration with its unit (\"10s\")"},
    {"run", "seed", count, "1", "equal seeds give equal results", 0,
     static_cast<double>(RunSettings::kSeedMax)},

    {"slo", "mean_response", duration, "", "response = wait + service", 0, kSecondsMax, true},
    {"slo", "p50_response", duration, "", "", 0, kSecondsMax, true},
    {"slo", "p90_response", duration, "", "", 0, kSecondsMax, true},
    {"slo", "p95_response", duration, "", "", 0, kSecondsMax, true},
    {"slo", "p99_response", duration, "", "99 of 100 tasks respond within that time", 0,
     kSecondsMax, true},
    {"slo", "p999_response", duration, "", "999 of 1000", 0, kSecondsMax, true},
    {"slo", "max_response", duration, "", "", 0, kSecondsMax, true},
    {"slo", "mean_wait", duration, "", "", 0, kSecondsMax, true},
    {"slo", "p50_wait", duration, "", "", 0, kSecondsMax, true},
    {"slo", "p90_wait", duration, "", "", 0, kSecondsMax, true},
    {"slo", "p95_wait", duration, "", "", 0, kSecondsMax, true},
    {"slo", "p99_wait", duration, "", "", 0, kSecondsMax, true},
    {"slo", "p999_wait", duration, "", "", 0, kSecondsMax, true},
    {"slo", "max_wait", duration, "", "", 0, kSecondsMax, true},
    {"slo", "rejected", number, "", "share of all tasks", 0, 1},
    {"slo", "abandoned", number, "",
     "share that went away unserved, was lost, or not answered in time", 0, 1},
    {"slo", "failed", number, "", "share that was rejected, abandoned, or late for its deadline", 0,
     1},

    {"plan", "price", special, "", "of one worker, in any currency", 0, 0, false,
     "a number per hour, or text like \"0.12/h\", \"3/d\""},

    {"sweep", "*", list, "", "\"pool.workers\" = \"16..48:4\" or [16, 20, 24]"},
};

void append_policies(std::string& out) {
  constexpr std::size_t kIndent = 24;
  config::append_item(out, kCentral, kIndent,
                      {"one common queue: least_loaded with queue_bound 1"});
  for (const auto& entry : dispatch::policy_table()) {
    config::append_item(out, std::string(entry.name), kIndent, {entry.meaning});
    for (const auto& parameter : entry.parameters) {
      config::append_item(out, fmt::format("  {}", parameter.name), kIndent,
                          {fmt::format("{}; default {}", parameter.allowed, parameter.fallback),
                           parameter.meaning});
    }
  }
}

}  // namespace

const config::Schema& scenario_schema() {
  static const auto keys = [] {
    std::vector<config::SchemaKey> all;
    for (const std::span<const config::SchemaKey> some :
         {std::span<const config::SchemaKey>(kTables), detail::workload_keys(),
          std::span<const config::SchemaKey>(kOtherKeys), detail::scaling_keys(),
          detail::caller_keys()})
      all.insert(all.end(), some.begin(), some.end());
    return all;
  }();
  static const config::Schema schema(keys);
  return schema;
}

std::string scenario_schema_text() {
  std::string out =
      "A scenario is a TOML file. A duration is text with a unit (\"250ms\"; ns us ms s min h\n"
      "d) or a number of seconds; rates are per second; no bound is \"inf\". On the command\n"
      "line a key goes with its table: --set pool.queue_bound=4 --sweep pool.workers=8..32:4\n";
  out += config::schema_text(scenario_schema());
  out += "\npolicies, and the parameters that they take\n";
  append_policies(out);
  return out;
}

}  // namespace artel::scenario
