#include "artel/report/model_json.hpp"

#include <fmt/core.h>

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/file/csv_reader.hpp"
#include "artel/own_models/model_parameters.hpp"
#include "artel/own_models/model_state_json.hpp"
#include "artel/own_models/model_study.hpp"
#include "artel/own_models/run_model_study.hpp"
#include "artel/report/detail/number.hpp"
#include "artel/report/model_table.hpp"
#include "artel/stat/interval.hpp"

namespace artel::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kModelSchema = "artel.model/1";

// What JSON has no number for is null.
Json estimate_json(const stat::Interval& interval) {
  const auto number = [](double value) { return std::isfinite(value) ? Json(value) : Json(); };
  return {{"value", number(interval.center)}, {"half_width", number(interval.half_width)}};
}

Json parameters_json(const own_models::ModelParameters& parameters) {
  Json json = Json::object();
  for (const auto& [name, value] : parameters.entries()) json[name] = value;
  return json;
}

Json variant_json(const own_models::ModelPoint& point, const own_models::VariantResult& variant) {
  Json json = {{"variant", variant.name},
               {"replications", variant.replications.size()},
               {"figures", Json::object()}};
  const auto& first = point.variants.front();
  for (const auto& figure : point.figures()) {
    auto entry = estimate_json(variant.estimate(figure));
    if (&variant != &first) entry["less_first"] = estimate_json(difference(variant, first, figure));
    json["figures"][figure] = std::move(entry);
  }
  return json;
}

void append_line(std::string& text, const std::vector<std::string>& record) {
  const std::vector<std::string_view> fields(record.begin(), record.end());
  file::append_csv(text, fields);
}

std::string dumped(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string model_json(const own_models::ModelStudy& study, const own_models::ModelResult& result) {
  Json json = {{"schema", kModelSchema},
               {"name", study.name},
               {"complete", result.complete},
               {"confidence", experiment::kConfidence},
               {"seed", static_cast<std::uint64_t>(study.seed)},
               {"shown", shown_figures(study, result)},
               {"points", Json::array()}};
  for (const auto& point : result.points) {
    Json entry = {{"values", Json::object()},
                  {"parameters", parameters_json(point.parameters)},
                  {"warm_up_s", to_seconds(point.warm_up)},
                  {"variants", Json::array()}};
    for (const auto& axis : study.sweep)  // as text, as those of scenarios
      entry["values"][axis.parameter] = fmt::format("{}", point.parameters[axis.parameter]);
    for (const auto& variant : point.variants)
      entry["variants"].push_back(variant_json(point, variant));
    json["points"].push_back(std::move(entry));
  }
  auto text = dumped(json);
  if (result.complete) return text + "\n";
  text.resize(text.rfind("\n}"));  // to put it on one line of its own: it is long, and for machines
  return text + ",\n  \"resume\": " + own_models::model_state_json(study, result) + "\n}\n";
}

Result<std::optional<own_models::ModelResult>> resumed_model(const own_models::ModelStudy& study,
                                                             std::string_view text) {
  const auto json = Json::parse(text, nullptr, false);
  if (!json.is_object() || json.value("schema", Json()) != kModelSchema) return std::nullopt;
  const auto state = json.find("resume");
  if (state == json.end()) return std::nullopt;
  auto known = own_models::read_model_state(study, state->dump());
  if (!known) return fail(known);
  return *std::move(known);
}

std::string model_csv(const own_models::ModelStudy& study, const own_models::ModelResult& result) {
  const auto figures = shown_figures(study, result);
  std::vector<std::string> names;
  for (const auto& axis : study.sweep) names.push_back(axis.parameter);
  names.insert(names.end(), {"variant", "replications"});
  for (const auto& figure : figures) {
    names.push_back(figure);
    names.push_back(figure + "_half_width");
  }
  std::string text;
  append_line(text, names);
  for (const auto& point : result.points) {
    for (const auto& variant : point.variants) {
      std::vector<std::string> record;
      for (const auto& axis : study.sweep)
        record.push_back(fmt::format("{}", point.parameters[axis.parameter]));
      record.push_back(variant.name);
      record.push_back(fmt::format("{}", variant.replications.size()));
      for (const auto& figure : figures) {
        const auto interval = variant.estimate(figure);
        record.push_back(detail::csv_number(interval.center));
        record.push_back(detail::csv_number(interval.half_width));
      }
      append_line(text, record);
    }
  }
  return text;
}

}  // namespace artel::report
