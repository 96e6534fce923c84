#include "artel/dispatch/policy_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <variant>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/join.hpp"
#include "artel/core/nearest_name.hpp"
#include "artel/core/parse_number.hpp"
#include "artel/dispatch/busyness.hpp"
#include "artel/dispatch/c3.hpp"
#include "artel/dispatch/closed_loop.hpp"
#include "artel/dispatch/jbt.hpp"
#include "artel/dispatch/jiq.hpp"
#include "artel/dispatch/jsq.hpp"
#include "artel/dispatch/least_loaded.hpp"
#include "artel/dispatch/least_work_left.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/maglev.hpp"
#include "artel/dispatch/maglev_table.hpp"
#include "artel/dispatch/peak_ewma.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/random.hpp"
#include "artel/dispatch/rendezvous.hpp"
#include "artel/dispatch/round_robin.hpp"
#include "artel/dispatch/sita.hpp"
#include "artel/dispatch/weighted_round_robin.hpp"

namespace artel::dispatch {
namespace {

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
};

std::string shown(const ParameterValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
  if (const auto* text = std::get_if<std::string>(&value)) return fmt::format("'{}'", *text);
  return fmt::format("[{}]", join(std::get<std::vector<double>>(value), ", "));
}

/// Seconds, or text with a unit. A bare number in text is seconds, too.
std::optional<Duration> to_duration(const ParameterValue& value) {
  double seconds = 0;
  if (const auto* number = std::get_if<double>(&value)) {
    seconds = *number;
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    const auto bare = parse_number<double>(*text);
    if (!bare) {
      const auto parsed = parse_duration(*text);
      return parsed ? std::optional(*parsed) : std::nullopt;
    }
    seconds = *bare;
  } else {
    return std::nullopt;
  }
  if (!std::isfinite(seconds)) return std::nullopt;
  return from_seconds(seconds);
}

std::vector<ParameterValue> elements(const ParameterValue& value) {
  std::vector<ParameterValue> all;
  if (const auto* numbers = std::get_if<std::vector<double>>(&value)) {
    all.assign(numbers->begin(), numbers->end());
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    std::string_view rest = *text;
    while (true) {
      const std::size_t comma = rest.find(',');
      std::string_view element = rest.substr(0, comma);
      element.remove_prefix(std::min(element.find_first_not_of(' '), element.size()));
      element.remove_suffix(element.size() - (element.find_last_not_of(' ') + 1));
      all.emplace_back(std::string(element));
      if (comma == std::string_view::npos) break;
      rest.remove_prefix(comma + 1);
    }
  } else {
    all.push_back(value);
  }
  return all;
}

/// Reads the parameters of one policy; keeps the first mistake.
class Reader {
 public:
  Reader(const PolicyEntry& policy, const Parameters& parameters)
      : policy_(policy), parameters_(parameters) {
    std::vector<std::string_view> allowed;
    for (const auto& entry : policy.parameters) allowed.push_back(entry.name);
    for (const auto& [name, value] : parameters) {
      if (std::find(allowed.begin(), allowed.end(), name) != allowed.end()) continue;
      const auto kind = fmt::format("parameter of {}", policy.name);
      mistake(allowed.empty() ? fmt::format("{} takes no parameters", policy.name)
                              : unknown_name(kind, name, allowed),
              name);
    }
  }

  std::uint32_t whole(std::string_view name, std::uint32_t min, std::uint32_t max,
                      std::uint32_t fallback) {
    const auto* value = find(name);
    if (value == nullptr) return fallback;
    const auto* number = std::get_if<double>(value);
    if (number != nullptr && *number >= min && *number <= max && std::floor(*number) == *number) {
      return static_cast<std::uint32_t>(*number);
    }
    refuse(name, *value);
    return fallback;
  }

  /// How many workers to look at.
  std::uint32_t choices(std::uint32_t fallback) {
    return is("d", "all") ? Jsq::kAll : whole("d", 1, Jsq::kChoicesMax, fallback);
  }

  /// At least 1; text may say inf.
  double factor(std::string_view name, double fallback) {
    const auto* value = find(name);
    if (value == nullptr || is_infinite(name)) return fallback;
    const auto* number = std::get_if<double>(value);
    if (number != nullptr && *number >= 1) return *number;
    refuse(name, *value);
    return fallback;
  }

  /// A value that was read is none that is allowed.
  void refuse_given(std::string_view name) { refuse(name, *find(name)); }

  Duration duration(std::string_view name, Duration fallback) {
    const auto* value = find(name);
    if (value == nullptr) return fallback;
    const auto read = to_duration(*value);
    if (read && *read > Duration{0} && *read != kForever) return *read;
    refuse(name, *value);
    return fallback;
  }

  std::vector<Duration> ascending(std::string_view name) {
    const auto* value = find(name);
    if (value == nullptr) return {};
    std::vector<Duration> all;
    for (const auto& element : elements(*value)) {
      const auto read = to_duration(element);
      if (!read || *read <= (all.empty() ? Duration{0} : all.back())) {
        refuse(name, *value);
        return {};
      }
      all.push_back(*read);
    }
    return all;
  }

  Busyness busyness() {
    const auto* value = find(kBusyness.name);
    if (value == nullptr) return {};
    const auto* text = std::get_if<std::string>(value);
    if (text == nullptr) {
      refuse(kBusyness.name, *value);
      return {};
    }
    if (const auto measure = find_measure(*text)) return *measure;
    mistake(unknown_name(kBusyness.name, *text, measure_names()), kBusyness.name);
    return {};
  }

  Law law() {
    static constexpr std::array kLaws = {Law::level, Law::yawp};
    const auto* value = find("law");
    if (value == nullptr) return Law::level;
    const auto* text = std::get_if<std::string>(value);
    if (text == nullptr) {
      refuse("law", *value);
      return Law::level;
    }
    std::vector<std::string_view> names;
    for (const Law law : kLaws) {
      names.push_back(name(law));
      if (*text == names.back()) return law;
    }
    mistake(unknown_name("law", *text, names), "law");
    return Law::level;
  }

  [[nodiscard]] bool given(std::string_view name) const { return find(name) != nullptr; }

  [[nodiscard]] bool is(std::string_view name, std::string_view word) const {
    const auto* value = find(name);
    const auto* text = value == nullptr ? nullptr : std::get_if<std::string>(value);
    return text != nullptr && *text == word;
  }

  /// As a number or as text: files have both.
  [[nodiscard]] bool is_infinite(std::string_view name) const {
    const auto* value = find(name);
    const auto* number = value == nullptr ? nullptr : std::get_if<double>(value);
    return is(name, "inf") || (number != nullptr && *number > 0 && std::isinf(*number));
  }

  void mistake(std::string what, std::string_view where) {
    if (!error_) error_ = Error{ErrorCode::invalid, std::move(what), std::string(where)};
  }

  Result<Policy> result(Policy policy) {
    if (error_) return tl::unexpected(*std::move(error_));
    return policy;
  }

 private:
  [[nodiscard]] const ParameterValue* find(std::string_view name) const {
    const auto found = parameters_.find(name);
    return found == parameters_.end() ? nullptr : &found->second;
  }

  void refuse(std::string_view name, const ParameterValue& value) {
    const auto entry = std::find_if(policy_.parameters.begin(), policy_.parameters.end(),
                                    [&](const auto& one) { return one.name == name; });
    mistake(fmt::format("{} of {}: found {}, allowed: {}", name, policy_.name, shown(value),
                        entry->allowed),
            name);
  }

  const PolicyEntry& policy_;
  const Parameters& parameters_;
  std::optional<Error> error_;
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
