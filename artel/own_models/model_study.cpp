#include "artel/own_models/model_study.hpp"

#include <fmt/core.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/nearest_name.hpp"
#include "artel/own_models/model_parameters.hpp"
#include "artel/scenario/sweep_axis.hpp"
#include "artel/trace/fingerprint.hpp"

namespace artel::own_models {
namespace {

Result<void> check_known(const ModelStudy& study, const std::string& parameter,
                         const std::string& where) {
  if (study.parameters.contains(parameter)) return {};
  std::vector<std::string_view> names;
  for (const auto& [name, value] : study.parameters.entries()) names.emplace_back(name);
  return fail(ErrorCode::invalid, unknown_name("parameter", parameter, names), where);
}

Result<void> check_sweep(const ModelStudy& study, std::set<std::string>& swept) {
  std::size_t points = 1;
  for (const auto& axis : study.sweep) {
    const auto where = fmt::format("sweep of {}", axis.parameter);
    if (const auto known = check_known(study, axis.parameter, where); !known) return known;
    if (!swept.insert(axis.parameter).second)
      return fail(ErrorCode::invalid, "is there twice", where);
    if (axis.values.empty()) return fail(ErrorCode::invalid, "has no values", where);
    points *= axis.values.size();
    if (points > scenario::kSweepPointsMax)
      return fail(ErrorCode::invalid, fmt::format("more than {} points", scenario::kSweepPointsMax),
                  where);
  }
  return {};
}

Result<void> check_variants(const ModelStudy& study, const std::set<std::string>& swept) {
  std::set<std::string> names;
  for (const auto& variant : study.variants) {
    const auto where = fmt::format("variant {}", variant.name);
    if (!names.insert(variant.name).second)
      return fail(ErrorCode::invalid, "is there twice", where);
    for (const auto& [parameter, value] : variant.changes.entries()) {
      if (const auto known = check_known(study, parameter, where); !known) return known;
      if (swept.contains(parameter))
        return fail(ErrorCode::invalid, fmt::format("changes {}, which is swept", parameter),
                    where);
    }
  }
  return {};
}

std::string text_of(const ModelParameters& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters.entries())
    text += fmt::format("{}={}\n", name, value);
  return text;
}

}  // namespace

std::vector<ModelParameters> points_of(const ModelStudy& study) {
  std::vector<ModelParameters> points{study.parameters};
  for (const auto& axis : study.sweep) {
    std::vector<ModelParameters> longer;
    for (const auto& point : points) {
      for (const double value : axis.values) longer.emplace_back(point).set(axis.parameter, value);
    }
    points = std::move(longer);
  }
  return points;
}

Result<void> check(const ModelStudy& study) {
  if (!study.model) return fail(ErrorCode::invalid, "there is no model", study.name);
  if (study.replications == 0)
    return fail(ErrorCode::invalid, "no replication is asked for", study.name);
  for (const auto& wanted : study.precision) {
    if (!(wanted.relative > 0))
      return fail(ErrorCode::invalid, "a precision must be positive", wanted.figure);
  }
  std::set<std::string> swept;
  if (const auto good = check_sweep(study, swept); !good) return good;
  return check_variants(study, swept);
}

std::string fingerprint(const ModelStudy& study) {
  auto text = fmt::format("{}\n{}\n{}\n{} {}\n", study.name, study.version,
                          static_cast<std::uint64_t>(study.seed), study.replications,
                          study.replications_max);
  text += text_of(study.parameters);
  for (const auto& variant : study.variants)
    text += fmt::format("variant {}\n{}", variant.name, text_of(variant.changes));
  for (const auto& axis : study.sweep) {
    text += fmt::format("sweep {}\n", axis.parameter);
    for (const double value : axis.values) text += fmt::format("{}\n", value);
  }
  for (const auto& wanted : study.precision)
    text += fmt::format("precision {} {}\n", wanted.figure, wanted.relative);
  if (const auto* fixed = std::get_if<Duration>(&study.warm_up)) {
    text += fmt::format("warm-up {}\n", fixed->count());
  } else {
    text += fmt::format("warm-up by {}\n", std::get<FoundWarmUp>(study.warm_up).times);
  }
  trace::Fingerprint print;
  print.add(text);
  return print.text();
}

}  // namespace artel::own_models
