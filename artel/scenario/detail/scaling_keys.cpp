#include "artel/scenario/detail/scaling_keys.hpp"

#include <span>
#include <string_view>

#include "artel/config/schema.hpp"
#include "artel/scenario/detail/kind_key.hpp"
#include "artel/scenario/detail/seconds_max.hpp"

namespace artel::scenario::detail {
namespace {

using config::kRequired;
using config::SchemaKey;
using enum config::KeyType;

constexpr double kWorkersMax = 100'000;

// A key of some of the policies.
constexpr SchemaKey of(std::string_view policies, std::string_view key, config::KeyType type,
                       std::string_view fallback, std::string_view meaning, KeyRange range,
                       std::string_view words = {}) {
  return kind_key(policies, "pool.scaling", key, type, fallback, meaning, range, words);
}
constexpr KeyRange kDuration{0, kSecondsMax};
constexpr KeyRange kLasting{0, kSecondsMax, true};
constexpr KeyRange kCount{0, kWorkersMax};

constexpr SchemaKey kKeys[] = {
    of({}, "policy", word, kRequired,
       "hpa: as Kubernetes, in proportion to a metric; keda: the same down to no worker; knative: "
       "tasks per worker in a long and a short window; timetable: by the clock; predictive: Erlang "
       "C on a forecast of the rate",
       {}, "hpa|keda|knative|timetable|predictive"),
    of({}, "min", count, "1", "fewest workers", kCount),
    of({}, "max", count, kRequired, "most workers", {1, kWorkersMax}),
    of({}, "start_up", special, "",
       "from the decision until a new worker takes tasks; default: no time", {},
       "a duration, or a distribution as in workload.service"),
    of({}, "metric_delay", duration, "0", "the policy sees the fleet as it was so long ago",
       kDuration),
    of({}, "period", duration, "", "between decisions; default: 15s, knative 2s", kLasting),

    of("hpa|keda", "metric", word, "",
       "what is divided among the workers: tasks in service (default of hpa), tasks in the system "
       "(of keda), tasks that wait, or arrivals per second",
       {}, "in_service|in_system|waiting|arrivals"),
    of("hpa|keda|knative", "target", number, "",
       "of the metric, per worker; default: hpa 0.7, keda 5, knative 70", {0, 1e9, true}),
    of("hpa|keda", "tolerance", number, "0.1", "nothing changes within that of the target", {0, 1}),
    of("hpa|keda", "stabilisation_up", duration, "0",
       "more workers only if all that was wanted for so long is more", kDuration),
    of("hpa|keda", "stabilisation_down", duration, "\"5min\"", "fewer likewise", kDuration),
    of("hpa|keda", "up_percent", number, "100", "more workers at once: by this share …", {0, 1e6}),
    of("hpa|keda", "up_workers", count, "4", "… or by so many, whichever is more …", kCount),
    of("hpa|keda", "up_within", duration, "\"15s\"", "… in so much time", kLasting),
    of("hpa|keda", "down_percent", number, "100", "fewer likewise", {0, 100}),
    of("hpa|keda", "down_workers", count, "0", "likewise", kCount),
    of("hpa|keda", "down_within", duration, "\"15s\"", "likewise", kLasting),
    of("keda", "polling", duration, "\"30s\"",
       "between looks whether the metric exceeds activation, so that the first worker comes or the "
       "last one goes",
       kLasting),
    of("keda", "activation", number, "0", "what the metric exceeds for a first worker", {0, 1e9}),
    of("keda", "cooldown", duration, "\"5min\"", "how long it has not, before the last one goes",
       kDuration),

    of("knative", "stable_window", duration, "\"60s\"", "the long window", kLasting),
    of("knative", "panic_window_percent", number, "10", "the short one, of it", {0, 100, true}),
    of("knative", "panic_threshold", number, "2",
       "in a panic the short one wants so many times the ready workers", {0, 1e6, true}),
    of("knative", "max_up_rate", number, "1000", "one decision multiplies by that at most",
       {1, 1e6, true}),
    of("knative", "max_down_rate", number, "2", "… or divides by this", {1, 1e6, true}),
    of("knative", "zero_grace", duration, "\"30s\"", "idle for so long, before the last one goes",
       kDuration),

    of("timetable", "day", duration, "\"24h\"", "then it begins anew", kLasting),
    of("timetable", "entries", list, kRequired, "of the timetable, in order", {}),
    {"pool.scaling.entries[]", "from", duration, kRequired, "time of the day", 0, kSecondsMax},
    {"pool.scaling.entries[]", "workers", count, kRequired, "from then on", 0, kWorkersMax},

    of("predictive", "window", duration, "\"5min\"", "whose rates a straight line is put through",
       kLasting),
    of("predictive", "lead", duration, "\"1min\"", "how far ahead it is read", kDuration),
    of("predictive", "hold", duration, "\"5min\"",
       "fewer workers only if fewer were enough for so long", kDuration),
    of("predictive", "waiting", number, "0.2", "share of tasks that may have to wait",
       {0, 1, true}),
};

}  // namespace

std::span<const config::SchemaKey> scaling_keys() { return kKeys; }

}  // namespace artel::scenario::detail
