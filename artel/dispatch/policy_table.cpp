#include "artel/dispatch/policy_table.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/nearest_name.hpp"
#include "artel/dispatch/affinity.hpp"
#include "artel/dispatch/c3.hpp"
#include "artel/dispatch/cache_aware.hpp"
#include "artel/dispatch/closed_loop.hpp"
#include "artel/dispatch/detail/parameter_reader.hpp"
#include "artel/dispatch/jbt.hpp"
#include "artel/dispatch/jiq.hpp"
#include "artel/dispatch/jsq.hpp"
#include "artel/dispatch/least_loaded.hpp"
#include "artel/dispatch/least_work_left.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_policy_plugin.hpp"
#include "artel/dispatch/maglev.hpp"
#include "artel/dispatch/maglev_table.hpp"
#include "artel/dispatch/peak_ewma.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/prequal.hpp"
#include "artel/dispatch/random.hpp"
#include "artel/dispatch/rendezvous.hpp"
#include "artel/dispatch/round_robin.hpp"
#include "artel/dispatch/sita.hpp"
#include "artel/dispatch/weighted_least_request.hpp"
#include "artel/dispatch/weighted_round_robin.hpp"

namespace artel::dispatch {
namespace {

using Reader = detail::ParameterReader;

constexpr ParameterEntry kBusyness{"busyness", "queued, occupancy, weighted, work, delay", "queued",
                                   "what workers are compared by"};
constexpr std::array kLeastLoaded{kBusyness};
constexpr std::array kJsq{
    ParameterEntry{"d", "whole number, 1 to 64, or 'all'", "2", "workers to look at"}, kBusyness,
    ParameterEntry{"draws", "independent, different", "independent",
                   "whether one worker may be drawn twice"}};
constexpr std::array kSita{
    ParameterEntry{"cutoffs", "service times, ascending, above 0", "of equal load",
                   "where one interval of sizes ends and the next begins"},
    ParameterEntry{"intervals", "whole number, 1 to 4096", "one per worker",
                   "how many intervals of equal load, when no cutoffs are given"}};
constexpr std::array kClosedLoop{
    ParameterEntry{"law", "level, yawp", "level", "how beacon reports become shares"},
    ParameterEntry{"beacon_every", "time above 0", "200ms", "between beacons to one worker"},
    ParameterEntry{"publish_every", "time above 0", "50ms", "between distributions"}};

constexpr ParameterEntry kDecay{"decay", "time above 0", "10s",
                                "after so long the past counts 1/e"};
constexpr ParameterEntry kInitial{"initial", "time above 0", "30ms",
                                  "latency of who has not answered yet"};
constexpr std::array kPeakEwma{
    ParameterEntry{"d", "whole number, 1 to 64, or 'all'", "2", "different workers to look at"},
    kDecay, kInitial};
constexpr std::array kRendezvous{
    ParameterEntry{"bound", "number, 1 or more, or 'inf'", "inf",
                   "most tasks of a worker, times the average"},
    ParameterEntry{"subset", "whole number, 1 to 64", "1",
                   "the least busy of so many workers that the key prefers"}};
constexpr std::array kMaglev{ParameterEntry{"places", "prime number, 101 to 1000003", "65537",
                                            "of the table; 100 times as many as workers, or more"}};
constexpr std::array kJbt{ParameterEntry{"threshold", "whole number, 1 to 1000000, or 'inf'", "2",
                                         "a worker with so many tasks is passed over"}};
constexpr std::array kC3{
    ParameterEntry{"d", "whole number, 1 to 64, or 'all'", "all", "different workers to look at"},
    ParameterEntry{"clients", "whole number, 1 to 1000000", "1",
                   "dispatchers that share the workers and see their own tasks only"},
    kDecay, kInitial};
constexpr std::array kAffinity{ParameterEntry{
    "beta", "number, 0 or more", "0.5", "so much of a prefix weighs as much as an average queue"}};
constexpr std::array kCacheAware{
    ParameterEntry{"cache_threshold", "number, 0 to 1", "0.3",
                   "a worker that holds no more of the prefix than that is not sought out"},
    ParameterEntry{"balance_abs", "whole number, 0 to 1000000", "64",
                   "loads are alike as long as they differ by so many tasks at most …"},
    ParameterEntry{"balance_rel", "number, 0 or more", "1.5", "… or by this factor"}};

constexpr std::array kPrequal{
    ParameterEntry{"pool", "whole number, 2 to 64", "16", "most answers kept"},
    ParameterEntry{"r_probe", "number above 0, up to 64", "3", "workers asked per task"},
    ParameterEntry{"r_remove", "number, 0 to 64", "1", "answers forgotten per task"},
    ParameterEntry{"q_rif", "number, 0 to 1", "0.8409",
                   "hot is who has more tasks than this quantile of workers"},
    ParameterEntry{"delta", "number, 0 or more", "1",
                   "answers that come in per task beyond those that are used up"},
    ParameterEntry{"max_age", "time above 0", "1s", "older answers are forgotten"},
    kDecay,
    ParameterEntry{"initial", "time above 0", "30ms",
                   "latency per task of who has not answered yet"}};

constexpr std::array kWeightedLeastRequest{
    ParameterEntry{"bias", "number, 0 to 100", "1", "how much tasks count beside weights"}};
constexpr std::array kPlugin{
    ParameterEntry{"file", "a path", "none: it must be given", "the shared object"},
    ParameterEntry{"options", "text", "none", "what the plugin is told"}};

constexpr std::array kPolicies{
    PolicyEntry{"random", "uniform among the workers with room", {}},
    PolicyEntry{"round_robin", "the workers in turn", {}},
    PolicyEntry{"weighted_round_robin", "in turn, in proportion to the workers' weights", {}},
    PolicyEntry{"least_loaded", "the least busy worker (JSQ)", kLeastLoaded},
    PolicyEntry{"jsq", "JSQ(d): the least busy of d workers drawn at random", kJsq},
    PolicyEntry{"jiq", "an idle worker if there is one, else at random", {}},
    PolicyEntry{"least_work_left", "the worker through with its work first; needs size hints", {}},
    PolicyEntry{"sita", "each interval of sizes has its own workers; needs size hints", kSita},
    PolicyEntry{"closed_loop", "sampled from a distribution that beacons keep up to date",
                kClosedLoop},
    PolicyEntry{"peak_ewma", "the least latency × tasks of d workers drawn at random", kPeakEwma},
    PolicyEntry{"rendezvous", "equal keys to the same worker, with bounded loads or a subset",
                kRendezvous},
    PolicyEntry{"maglev", "equal keys to the same worker, by a table", kMaglev},
    PolicyEntry{"jbt", "any worker below a threshold if there is one, else at random", kJbt},
    PolicyEntry{"c3", "the least latency × (tasks + 1) cubed", kC3},
    PolicyEntry{"affinity", "the most of the task's prefix in its cache, less beta × its load",
                kAffinity},
    PolicyEntry{"cache_aware", "the most of the task's prefix, as long as loads are alike",
                kCacheAware},
    PolicyEntry{"prequal",
                "the least latency of workers with few tasks, by probes of some at random",
                kPrequal},
    PolicyEntry{"weighted_least_request", "drawn by weight / (tasks + 1)^bias",
                kWeightedLeastRequest},
    PolicyEntry{"plugin", "one of your own, from a shared object made with artel_policy.h", kPlugin,
                false},
};

Policy read_sita(Reader& reader) {
  constexpr std::uint32_t kIntervalsMax = 4096;
  Sita sita{.cutoffs = reader.ascending("cutoffs"),
            .intervals = reader.whole("intervals", 1, kIntervalsMax, 0)};
  if (reader.given("cutoffs") && reader.given("intervals")) {
    reader.mistake("sita takes cutoffs or intervals, not both", "intervals");
  }
  return sita;
}

Policy read_closed_loop(Reader& reader) {
  const ClosedLoop fallback;
  return ClosedLoop{.law = reader.law(),
                    .beacon_every = reader.duration("beacon_every", fallback.beacon_every),
                    .publish_every = reader.duration("publish_every", fallback.publish_every)};
}

Policy read_jsq(Reader& reader) {
  const auto d = reader.choices(Jsq{}.d);
  const auto busyness = reader.busyness();
  if (reader.given("draws") && !reader.is("draws", "different") &&
      !reader.is("draws", "independent"))
    reader.refuse_given("draws");
  return Jsq{.d = d, .busyness = busyness, .different = reader.is("draws", "different")};
}

Policy read_peak_ewma(Reader& reader) {
  const PeakEwma fallback;
  return PeakEwma{.d = reader.choices(fallback.d),
                  .decay = reader.duration("decay", fallback.decay),
                  .initial = reader.duration("initial", fallback.initial)};
}

Policy read_rendezvous(Reader& reader) {
  const Rendezvous fallback;
  return Rendezvous{.bound = reader.factor("bound", fallback.bound),
                    .subset = reader.whole("subset", 1, Rendezvous::kSubsetMax, fallback.subset)};
}

Policy read_maglev(Reader& reader) {
  constexpr std::uint32_t kLeast = 101;
  constexpr std::uint32_t kMost = 1'000'003;
  const auto places = reader.whole("places", kLeast, kMost, Maglev{}.places);
  if (!is_prime(places)) reader.refuse_given("places");
  return Maglev{.places = places};
}

constexpr std::uint32_t kMillion = 1'000'000;
constexpr double kNumberMax = 1e9;

Policy read_jbt(Reader& reader) {
  if (reader.is_infinite("threshold")) return Jbt{.threshold = kUnbounded};
  return Jbt{.threshold = reader.whole("threshold", 1, kMillion, Jbt{}.threshold)};
}

Policy read_c3(Reader& reader) {
  const C3 fallback;
  return C3{.d = reader.choices(fallback.d),
            .clients = reader.whole("clients", 1, kMillion, fallback.clients),
            .decay = reader.duration("decay", fallback.decay),
            .initial = reader.duration("initial", fallback.initial)};
}

Policy read_affinity(Reader& reader) {
  return Affinity{.beta = reader.number("beta", {.from = 0, .to = kNumberMax}, Affinity{}.beta)};
}

Policy read_cache_aware(Reader& reader) {
  const CacheAware fallback;
  return CacheAware{.cache_threshold = reader.number("cache_threshold", {.from = 0, .to = 1},
                                                     fallback.cache_threshold),
                    .balance_abs = reader.whole("balance_abs", 0, kMillion, fallback.balance_abs),
                    .balance_rel = reader.number("balance_rel", {.from = 0, .to = kNumberMax},
                                                 fallback.balance_rel)};
}

Policy read_prequal(Reader& reader) {
  const Prequal fallback;
  constexpr double kMost = Prequal::kPoolMax;
  return Prequal{
      .pool = reader.whole("pool", Prequal::kProbesMin, Prequal::kPoolMax, fallback.pool),
      .r_probe =
          reader.number("r_probe", {.from = 0, .to = kMost, .above = true}, fallback.r_probe),
      .r_remove = reader.number("r_remove", {.from = 0, .to = kMost}, fallback.r_remove),
      .q_rif = reader.number("q_rif", {.from = 0, .to = 1}, fallback.q_rif),
      .delta = reader.number("delta", {.from = 0, .to = std::numeric_limits<double>::max()},
                             fallback.delta),
      .max_age = reader.duration("max_age", fallback.max_age),
      .decay = reader.duration("decay", fallback.decay),
      .initial = reader.duration("initial", fallback.initial)};
}

Policy read_weighted_least_request(Reader& reader) {
  constexpr double kMost = 100;
  return WeightedLeastRequest{
      .bias = reader.number("bias", {.from = 0, .to = kMost}, WeightedLeastRequest{}.bias)};
}

Policy read_plugin(Reader& reader) {
  const std::string file = reader.text("file");
  if (file.empty()) {
    reader.mistake("plugin needs a file: { name = \"plugin\", file = \"mine.so\" }", "file");
    return {};
  }
  auto loaded = load_policy_plugin(file, reader.text("options"));
  if (loaded) return *std::move(loaded);
  reader.mistake("plugin: " + to_string(loaded.error()), "file");
  return {};
}

/// How each policy of the table is made, in the order of the table.
constexpr std::array<Policy (*)(Reader&), kPolicies.size()> kMakers{
    [](Reader&) { return Policy{Random{}}; },
    [](Reader&) { return Policy{RoundRobin{}}; },
    [](Reader&) { return Policy{WeightedRoundRobin{}}; },
    [](Reader& reader) { return Policy{LeastLoaded{.busyness = reader.busyness()}}; },
    read_jsq,
    [](Reader&) { return Policy{Jiq{}}; },
    [](Reader&) { return Policy{LeastWorkLeft{}}; },
    read_sita,
    read_closed_loop,
    read_peak_ewma,
    read_rendezvous,
    read_maglev,
    read_jbt,
    read_c3,
    read_affinity,
    read_cache_aware,
    read_prequal,
    read_weighted_least_request,
    read_plugin,
};

}  // namespace

std::span<const PolicyEntry> policy_table() { return kPolicies; }

Result<Policy> make_policy(std::string_view name, const Parameters& parameters) {
  const auto entry = std::find_if(kPolicies.begin(), kPolicies.end(),
                                  [&](const auto& policy) { return policy.name == name; });
  if (entry == kPolicies.end()) {
    std::array<std::string_view, kPolicies.size()> names;
    std::transform(kPolicies.begin(), kPolicies.end(), names.begin(),
                   [](const auto& policy) { return policy.name; });
    return fail(ErrorCode::invalid, unknown_name("policy", name, names));
  }
  Reader reader(*entry, parameters);
  return reader.result(kMakers[static_cast<std::size_t>(entry - kPolicies.begin())](reader));
}

}  // namespace artel::dispatch
