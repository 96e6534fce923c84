#include "artel/experiment/state_json.hpp"

#include <fmt/core.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <type_traits>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/experiment/histogram_json.hpp"
#include "artel/experiment/replication_job.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/fleet/replication.hpp"
#include "artel/fleet/replication_options.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/study.hpp"
#include "artel/stat/histogram.hpp"
#include "artel/stat/replicated_histogram.hpp"

namespace artel::experiment {
namespace {

using Json = nlohmann::ordered_json;

template <class Summary, class Visit>
  requires std::is_same_v<std::remove_const_t<Summary>, fleet::TimeSummary>
void each_field(Summary& summary, Visit&& visit) {
  visit("mean", summary.mean);
  visit("p50", summary.p50);
  visit("p90", summary.p90);
  visit("p95", summary.p95);
  visit("p99", summary.p99);
  visit("p999", summary.p999);
  visit("max", summary.max);
}

template <class Numbers, class Visit>
  requires std::is_same_v<std::remove_const_t<Numbers>, fleet::ClassSummary>
void each_field(Numbers& one, Visit&& visit) {
  visit("response", one.response);
  visit("wait", one.wait);
  visit("arrived", one.arrived);
  visit("completed", one.completed);
  visit("rejected", one.rejected);
  visit("abandoned", one.abandoned);
  visit("late", one.late);
}

template <class Numbers, class Visit>
  requires std::is_same_v<std::remove_const_t<Numbers>, fleet::Replication>
void each_field(Numbers& replication, Visit&& visit) {
  visit("index", replication.index);
  visit("response", replication.response);
  visit("wait", replication.wait);
  visit("wait_probability", replication.wait_probability);
  visit("rejected_share", replication.rejected_share);
  visit("abandoned_share", replication.abandoned_share);
  visit("utilisation", replication.utilisation);
  visit("in_system", replication.in_system);
  visit("workers", replication.workers);
  visit("beyond", replication.beyond);
  visit("arrived", replication.arrived);
  visit("completed", replication.completed);
  visit("rejected", replication.rejected);
  visit("abandoned", replication.abandoned);
  visit("late", replication.late);
  visit("attempts", replication.attempts);
  visit("prefix_all", replication.prefix_all);
  visit("prefix_held", replication.prefix_held);
  visit("classes", replication.classes);
  visit("tasks", replication.tasks);
  visit("events", replication.events);
  visit("window_s", replication.window_s);
}

Json as_json(const fleet::Replication& replication);
Json as_json(const fleet::TimeSummary& summary);
Json as_json(const std::vector<fleet::ClassSummary>& classes);
template <class Number>
  requires std::is_arithmetic_v<Number>
Json as_json(Number number) {
  return number;
}
Json as_json(const std::array<double, fleet::kDepths>& numbers) { return numbers; }
template <class Fields>
Json object_of(const Fields& fields) {
  Json json;
  each_field(fields, [&](const char* name, const auto& field) { json[name] = as_json(field); });
  return json;
}
Json as_json(const fleet::TimeSummary& summary) { return object_of(summary); }
Json as_json(const std::vector<fleet::ClassSummary>& classes) {
  Json json = Json::array();
  for (const auto& one : classes) json.push_back(object_of(one));
  return json;
}
Json as_json(const fleet::Replication& replication) { return object_of(replication); }

template <class Times>
Json times_json(const Times& times) {
  return {{"responses", histogram_json(times.responses)}, {"waits", histogram_json(times.waits)}};
}
template <class Times>
Json times_json(const std::vector<Times>& classes) {
  Json json = Json::array();
  for (const auto& times : classes) json.push_back(times_json(times));
  return json;
}

/// Reads members; keeps the first mistake, and what is read after it means nothing.
class Reader {
 public:
  [[nodiscard]] const Json& member(const Json& json, std::string_view name) {
    static const Json nothing;
    if (const auto at = json.find(name); json.is_object() && at != json.end()) return *at;
    refuse(name);
    return nothing;
  }

  template <class Whole>
    requires std::is_unsigned_v<Whole>
  void read(const Json& json, std::string_view name, Whole& whole) {
    if (!json.is_number_unsigned() ||
        json.get<std::uint64_t>() > std::uint64_t{std::numeric_limits<Whole>::max()})
      return refuse(name);
    whole = json.get<Whole>();
  }
  void read(const Json& json, std::string_view name, double& number) {
    if (!json.is_number()) return refuse(name);
    number = json.get<double>();
  }
  void read(const Json& json, std::string_view name, std::array<double, fleet::kDepths>& numbers) {
    if (!json.is_array() || json.size() != numbers.size()) return refuse(name);
    for (std::size_t i = 0; i < numbers.size(); ++i) read(json[i], name, numbers[i]);
  }
  void read(const Json& json, std::string_view name, std::string& text) {
    if (!json.is_string()) return refuse(name);
    text = json.get<std::string>();
  }
  template <class Fields>
    requires std::is_same_v<Fields, fleet::TimeSummary> ||
             std::is_same_v<Fields, fleet::ClassSummary> ||
             std::is_same_v<Fields, fleet::Replication>
  void read(const Json& json, std::string_view /*name*/, Fields& fields) {
    each_field(fields, [&](const char* name, auto& field) { take(json, name, field); });
  }
  void read(const Json& json, std::string_view name, stat::Histogram& histogram) {
    auto read = read_histogram(json);
    if (!read) return refuse(name);
    histogram = *std::move(read);
  }
  void read(const Json& json, std::string_view name, stat::ReplicatedHistogram& times) {
    auto read = read_replicated_histogram(json);
    if (!read) return refuse(name);
    times = *std::move(read);
  }

  template <class Times>
    requires std::is_same_v<Times, fleet::CountedTimes> || std::is_same_v<Times, ReplicatedTimes>
  void read(const Json& json, std::string_view /*name*/, Times& times) {
    take(json, "responses", times.responses);
    take(json, "waits", times.waits);
  }
  template <class Each>
  void read(const Json& json, std::string_view name, std::vector<Each>& list) {
    if (!json.is_array()) return refuse(name);
    for (const auto& one : json) read(one, name, list.emplace_back());
  }

  template <class Value>
  void take(const Json& json, std::string_view name, Value& value) {
    read(member(json, name), name, value);
  }

  void refuse(std::string_view name) {
    if (!error_) error_ = {ErrorCode::parse, fmt::format("'{}' is not as it should be", name), ""};
  }
  [[nodiscard]] bool failed() const { return error_.has_value(); }
  [[nodiscard]] Result<void> outcome() const {
    if (error_) return tl::unexpected(*error_);
    return {};
  }

 private:
  std::optional<Error> error_;
};

Result<Json> parsed(std::string_view text) {
  auto json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return fail(ErrorCode::parse, "this is not JSON");
  return json;
}

void read_policy(Reader& reader, const Json& json, const scenario::Scenario& scenario,
                 PolicyResult& policy) {
  const auto& replications = reader.member(json, "replications");
  if (!replications.is_array()) return reader.refuse("replications");
  std::uint64_t completed = 0;
  std::uint64_t abandoned = 0;
  for (const auto& one : replications) {
    fleet::Replication replication;
    reader.read(one, "", replication);
    const bool ascending =
        policy.replications.empty() || replication.index > policy.replications.back().index;
    if (!ascending || replication.index >= scenario.run.replications_max)
      return reader.refuse("index");
    if (replication.classes.size() != scenario.groups().size()) return reader.refuse("classes");
    completed += replication.completed;
    abandoned += replication.abandoned;
    policy.replications.push_back(replication);
  }
  reader.take(json, "times", policy.times);
  reader.take(json, "class_times", policy.class_times);
  const auto waits = policy.times.waits.all().count();
  if (policy.times.responses.all().count() != completed) reader.refuse("responses");
  if (waits < completed || waits > completed + abandoned) reader.refuse("waits");
  const auto classes = policy.replications.empty() ? 0 : scenario.groups().size();
  if (policy.class_times.size() != classes) reader.refuse("class_times");
}

// What the study has at this point is set already.
void read_point(Reader& reader, const Json& json, const scenario::Scenario& scenario,
                PointResult& point) {
  const auto& policies = reader.member(json, "policies");
  if (!policies.is_array() || policies.size() != point.policies.size())
    return reader.refuse("policies");
  point.warm_up_known = true;
  reader.take(json, "warm_up_tasks", point.warm_up_tasks);
  reader.take(json, "precise_from", point.precise_from);
  for (std::size_t k = 0; k < point.policies.size(); ++k)
    read_policy(reader, policies[k], scenario, point.policies[k]);
}

}  // namespace

std::string outcome_json(const ReplicationOutcome& outcome) {
  return Json{{"replication", as_json(outcome.replication)},
              {"times", times_json(outcome.times)},
              {"class_times", times_json(outcome.class_times)},
              {"warm_up_tasks", outcome.warm_up_tasks}}
      .dump();
}

Result<ReplicationOutcome> read_outcome(std::string_view text) {
  const auto json = parsed(text);
  if (!json) return fail(json);
  Reader reader;
  ReplicationOutcome outcome;
  reader.take(*json, "replication", outcome.replication);
  reader.take(*json, "times", outcome.times);
  reader.take(*json, "class_times", outcome.class_times);
  reader.take(*json, "warm_up_tasks", outcome.warm_up_tasks);
  if (const auto read = reader.outcome(); !read) return fail(read);
  return outcome;
}

std::string state_json(const scenario::Study& study, const ExperimentResult& result) {
  Json json = {{"version", ARTEL_VERSION},
               {"study", scenario::fingerprint(study)},
               {"points", Json::array()}};
  for (const auto& point : result.points) {
    auto& at_point = json["points"].emplace_back(nullptr);  // null: nothing known
    if (!point.warm_up_known) continue;
    at_point = {{"warm_up_tasks", point.warm_up_tasks},
                {"precise_from", point.precise_from},
                {"policies", Json::array()}};
    for (const auto& policy : point.policies) {
      Json replications = Json::array();
      for (const auto& replication : policy.replications)
        replications.push_back(as_json(replication));
      at_point["policies"].push_back({{"replications", std::move(replications)},
                                      {"times", times_json(policy.times)},
                                      {"class_times", times_json(policy.class_times)}});
    }
  }
  return json.dump();
}

Result<ExperimentResult> read_state(const scenario::Study& study, std::string_view text) {
  const auto json = parsed(text);
  if (!json) return fail(json);
  Reader reader;
  std::string version;
  std::string of;
  reader.take(*json, "version", version);
  reader.take(*json, "study", of);
  if (const auto read = reader.outcome(); !read) return fail(read);
  if (version != ARTEL_VERSION) {
    return fail(ErrorCode::invalid,
                fmt::format("begun by artel {}, this is artel {}", version, ARTEL_VERSION));
  }
  if (of != scenario::fingerprint(study)) {
    return fail(ErrorCode::invalid,
                "the result of another study: scenario, --set, --sweep, seed or trace are not the "
                "same");
  }
  const auto& points = reader.member(*json, "points");
  if (!points.is_array() || points.size() != study.points.size()) reader.refuse("points");
  ExperimentResult result;
  result.axes = study.axes;
  for (std::size_t p = 0; p < study.points.size() && !reader.failed(); ++p) {
    const auto& scenario = study.points[p].scenario;
    auto& point = result.points.emplace_back();
    point.values = study.points[p].values;
    for (const auto& policy : scenario.dispatch.policies)
      point.policies.emplace_back().label = policy.label;
    if (!points[p].is_null()) read_point(reader, points[p], scenario, point);
  }
  if (const auto read = reader.outcome(); !read) return fail(read);
  result.complete = false;
  return result;
}

}  // namespace artel::experiment
