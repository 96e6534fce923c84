#include "artel/own_models/model_state_json.hpp"

#include <fmt/core.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/experiment/histogram_json.hpp"
#include "artel/own_models/model_study.hpp"
#include "artel/own_models/run_model_study.hpp"

namespace artel::own_models {
namespace {

using Json = nlohmann::ordered_json;

tl::unexpected<Error> refuse(std::string_view name) {
  return fail(ErrorCode::parse, fmt::format("'{}' is not as it should be", name));
}

Json as_json(const VariantResult& variant) {
  Json json = {{"replications", Json::array()}, {"times", Json::object()}};
  for (const auto& replication : variant.replications) {
    Json figures = Json::array();  // names may come twice in no object, but their order counts
    for (const auto& [name, value] : replication.figures)
      figures.push_back(
          {name, std::isfinite(value) ? Json(value) : Json(fmt::format("{}", value))});
    json["replications"].push_back({{"index", replication.index}, {"figures", std::move(figures)}});
  }
  for (const auto& [name, times] : variant.times)
    json["times"][name] = experiment::histogram_json(times);
  return json;
}

// What JSON has no number for is written as text.
bool read_value(const Json& json, double& value) {
  if (json.is_number()) {
    value = json.get<double>();
    return true;
  }
  if (json == "nan" || json == "-nan") {
    value = std::numeric_limits<double>::quiet_NaN();
  } else if (json == "inf") {
    value = std::numeric_limits<double>::infinity();
  } else if (json == "-inf") {
    value = -std::numeric_limits<double>::infinity();
  } else {
    return false;
  }
  return true;
}

Result<ModelReplication> read_replication(const Json& json) {
  ModelReplication replication;
  if (!json.is_object() || !json.contains("index") || !json["index"].is_number_unsigned() ||
      json["index"].get<std::uint64_t>() > std::numeric_limits<std::uint32_t>::max())
    return refuse("index");
  replication.index = json["index"].get<std::uint32_t>();
  if (!json.contains("figures") || !json["figures"].is_array()) return refuse("figures");
  for (const auto& figure : json["figures"]) {
    double value = 0;
    if (!figure.is_array() || figure.size() != 2 || !figure[0].is_string() ||
        !read_value(figure[1], value))
      return refuse("figures");
    replication.figures.emplace_back(figure[0].get<std::string>(), value);
  }
  return replication;
}

Result<void> read_variant(const Json& json, VariantResult& variant) {
  if (!json.is_object() || !json.contains("replications") || !json["replications"].is_array())
    return refuse("replications");
  for (const auto& one : json["replications"]) {
    auto replication = read_replication(one);
    if (!replication) return fail(replication);
    auto& all = variant.replications;
    if (!all.empty() && replication->index <= all.back().index) return refuse("index");
    all.push_back(*std::move(replication));
  }
  if (!json.contains("times") || !json["times"].is_object()) return refuse("times");
  for (const auto& [name, times] : json["times"].items()) {
    auto histogram = experiment::read_replicated_histogram(times);
    if (!histogram) return refuse("times");
    variant.times.emplace(name, *std::move(histogram));
  }
  return {};
}

Result<void> read_point(const Json& json, ModelPoint& point) {
  if (!json.is_object() || !json.contains("warm_up_ns") || !json["warm_up_ns"].is_number_integer())
    return refuse("warm_up_ns");
  point.warm_up_known = true;
  point.warm_up = Duration{json["warm_up_ns"].get<std::int64_t>()};
  if (!json.contains("variants") || !json["variants"].is_array() ||
      json["variants"].size() != point.variants.size())
    return refuse("variants");
  for (std::size_t k = 0; k < point.variants.size(); ++k) {
    if (const auto read = read_variant(json["variants"][k], point.variants[k]); !read) return read;
  }
  return {};
}

}  // namespace

std::string model_state_json(const ModelStudy& study, const ModelResult& result) {
  Json json = {
      {"version", ARTEL_VERSION}, {"study", fingerprint(study)}, {"points", Json::array()}};
  for (const auto& point : result.points) {
    auto& at_point = json["points"].emplace_back(nullptr);  // null: nothing known
    if (!point.warm_up_known) continue;
    at_point = {{"warm_up_ns", point.warm_up.count()}, {"variants", Json::array()}};
    for (const auto& variant : point.variants) at_point["variants"].push_back(as_json(variant));
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<ModelResult> read_model_state(const ModelStudy& study, std::string_view text) {
  const auto json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return fail(ErrorCode::parse, "this is not JSON of an object");
  if (json.value("version", Json()) != ARTEL_VERSION)
    return fail(ErrorCode::invalid, "begun by another version of artel");
  if (json.value("study", Json()) != fingerprint(study)) {
    return fail(ErrorCode::invalid,
                "the result of another study: model, version, parameters, variants, sweep, "
                "replications or seed are not the same");
  }
  auto result = nothing_known(study);
  const auto points = json.find("points");
  if (points == json.end() || !points->is_array() || points->size() != result.points.size())
    return refuse("points");
  for (std::size_t p = 0; p < result.points.size(); ++p) {
    if ((*points)[p].is_null()) continue;
    if (const auto read = read_point((*points)[p], result.points[p]); !read) return fail(read);
  }
  return result;
}

}  // namespace artel::own_models
