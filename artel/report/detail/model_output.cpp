#include "artel/report/detail/model_output.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/core/cpu_quota.hpp"
#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/nearest_name.hpp"
#include "artel/core/parse_number.hpp"
#include "artel/own_models/model_study.hpp"
#include "artel/scenario/sweep_axis.hpp"

namespace artel::report::detail {
namespace {

Result<double> number_in(std::string_view text, const std::string& where) {
  const bool percent = text.ends_with('%');
  const auto number = parse_number<double>(text.substr(0, text.size() - (percent ? 1 : 0)));
  if (!number) return fail(ErrorCode::parse, fmt::format("'{}' is not a number", text), where);
  return percent ? *number / 100 : *number;
}

template <class Whole>
Result<void> read_whole(std::string_view text, const std::string& where, Whole& whole) {
  const auto number = parse_number<Whole>(text);
  if (!number)
    return fail(ErrorCode::parse, fmt::format("'{}' is not a whole number", text), where);
  whole = *number;
  return {};
}

// "name=value" cut at the first '='.
Result<std::pair<std::string, std::string_view>> name_and_value(std::string_view text,
                                                                const std::string& where) {
  const auto equal = text.find('=');
  if (equal == std::string_view::npos || equal == 0)
    return fail(ErrorCode::parse, "expected name=value", where);
  return std::pair{std::string(text.substr(0, equal)), text.substr(equal + 1)};
}

Result<void> set_parameter(std::string_view text, const std::string& where,
                           own_models::ModelStudy& study) {
  const auto parts = name_and_value(text, where);
  if (!parts) return fail(parts);
  const auto value = number_in(parts->second, where);
  if (!value) return fail(value);
  if (!study.parameters.contains(parts->first)) {
    std::vector<std::string_view> names;
    for (const auto& [name, unused] : study.parameters.entries()) names.emplace_back(name);
    return fail(ErrorCode::invalid, unknown_name("parameter", parts->first, names), where);
  }
  study.parameters.set(parts->first, *value);
  return {};
}

// The first --sweep takes the place of the study's own.
Result<void> add_axis(std::string_view text, const std::string& where, bool first,
                      own_models::ModelStudy& study) {
  const auto parts = name_and_value(text, where);
  if (!parts) return fail(parts);
  const auto values = scenario::parse_sweep_values(parts->second);
  if (!values) return fail(values.error().code, values.error().what, where);
  if (first) study.sweep.clear();
  auto& axis = study.sweep.emplace_back();
  axis.parameter = parts->first;
  for (const auto& value : *values) {
    const auto number = number_in(value, where);
    if (!number) return fail(number);
    axis.values.push_back(*number);
  }
  return {};
}

Result<void> add_precision(std::string_view text, const std::string& where, bool first,
                           own_models::ModelStudy& study) {
  const auto parts = name_and_value(text, where);
  if (!parts) return fail(parts);
  const auto relative = number_in(parts->second, where);
  if (!relative) return fail(relative);
  if (first) study.precision.clear();
  study.precision.push_back({.figure = parts->first, .relative = *relative});
  return {};
}

constexpr std::string_view kWithValue[] = {
    "--set",  "--sweep",  "--replications", "--replications-max", "--precision", "--seed",
    "--jobs", "--output", "--report"};

// The state of one read_arguments.
struct Reading {
  own_models::ModelStudy& study;
  ModelOutput output{};
  std::size_t sweeps = 0;
  std::size_t precisions = 0;

  Result<void> take(std::string_view name, std::string_view value) {
    const auto where = fmt::format("{} {}", name, value);
    if (name == "--set") return set_parameter(value, where, study);
    if (name == "--sweep") return add_axis(value, where, sweeps++ == 0, study);
    if (name == "--precision") return add_precision(value, where, precisions++ == 0, study);
    if (name == "--replications") return read_whole(value, where, study.replications);
    if (name == "--replications-max") return read_whole(value, where, study.replications_max);
    if (name == "--jobs") return read_whole(value, where, output.jobs);
    if (name == "--seed") {
      std::uint64_t seed = 0;
      if (const auto read = read_whole(value, where, seed); !read) return read;
      study.seed = Seed{seed};
      return {};
    }
    (name == "--report" ? output.report : output.file) = value;
    return {};
  }
};

}  // namespace

Result<ModelOutput> read_arguments(std::span<const char* const> arguments,
                                   own_models::ModelStudy& study) {
  Reading reading{.study = study};
  reading.output.jobs = usable_cpus();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view argument = arguments[i];
    if (argument == "--help" || argument == "-h") {
      reading.output.help = true;
    } else if (argument == "--json") {
      reading.output.format = ModelOutput::Format::json;
    } else if (argument == "--csv") {
      reading.output.format = ModelOutput::Format::csv;
    } else {
      const bool is_long = argument.starts_with("--");
      const auto equal = is_long ? argument.find('=') : std::string_view::npos;
      std::string_view name = argument.substr(0, equal);
      if (name == "-o") name = "--output";
      if (name == "-j") name = "--jobs";
      if (std::ranges::find(kWithValue, name) == std::end(kWithValue))
        return fail(ErrorCode::invalid, unknown_name("option", name, kWithValue), study.name);
      if (equal == std::string_view::npos && i + 1 == arguments.size())
        return fail(ErrorCode::invalid, "needs a value", std::string(argument));
      const auto value =
          equal == std::string_view::npos ? arguments[++i] : argument.substr(equal + 1);
      if (const auto taken = reading.take(name, value); !taken) return fail(taken);
    }
  }
  return std::move(reading.output);
}

std::string help_text(const own_models::ModelStudy& study) {
  auto text = fmt::format(
      "{}: replications of a model, with confidence intervals\n\n"
      "  --set NAME=VALUE          changes a parameter\n"
      "  --sweep NAME=A..B:STEP    or NAME=A,B,C: a point for each value; several: every\n"
      "                            combination\n"
      "  --replications N          of every variant at every point ({})\n"
      "  --precision FIGURE=1%     more replications until the half-width is that share of the\n"
      "                            mean\n"
      "  --replications-max N      with a precision: at most (ten times the fewest)\n"
      "  --seed N                  ({})\n"
      "  -j, --jobs N              threads (all processors); the result is the same\n"
      "  --json, --csv             instead of the table\n"
      "  -o, --output FILE         instead of standard output; an interrupted --json is resumed\n"
      "  --report FILE             a page with charts\n\n"
      "Parameters:",
      study.name, study.replications, static_cast<std::uint64_t>(study.seed));
  for (const auto& [name, value] : study.parameters.entries())
    text += fmt::format(" {}={}", name, value);
  text += "\n";
  if (!study.variants.empty()) {
    text += "Variants:";
    for (const auto& variant : study.variants) text += " " + variant.name;
    text += "\n";
  }
  return text;
}

}  // namespace artel::report::detail
