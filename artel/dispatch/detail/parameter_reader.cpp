#include "artel/dispatch/detail/parameter_reader.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
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
#include "artel/dispatch/closed_loop.hpp"
#include "artel/dispatch/jsq.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/policy_entry.hpp"

namespace artel::dispatch::detail {
namespace {

std::string shown(const ParameterValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
  if (const auto* text = std::get_if<std::string>(&value)) return fmt::format("'{}'", *text);
  return fmt::format("[{}]", join(std::get<std::vector<double>>(value), ", "));
}

// Seconds, or text with a unit. A bare number in text is seconds, too.
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
}  // namespace

ParameterReader::ParameterReader(const PolicyEntry& policy, const Parameters& parameters)
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

std::uint32_t ParameterReader::whole(std::string_view name, std::uint32_t min, std::uint32_t max,
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

std::uint32_t ParameterReader::choices(std::uint32_t fallback) {
  return is("d", "all") ? Jsq::kAll : whole("d", 1, Jsq::kChoicesMax, fallback);
}

double ParameterReader::factor(std::string_view name, double fallback) {
  const auto* value = find(name);
  if (value == nullptr || is_infinite(name)) return fallback;
  const auto* number = std::get_if<double>(value);
  if (number != nullptr && *number >= 1) return *number;
  refuse(name, *value);
  return fallback;
}

double ParameterReader::number(std::string_view name, const NumberRange& range, double fallback) {
  const auto* value = find(name);
  if (value == nullptr) return fallback;
  const auto* number = std::get_if<double>(value);
  if (number != nullptr && *number >= range.from && *number <= range.to &&
      !(range.above && *number == range.from))
    return *number;
  refuse(name, *value);
  return fallback;
}

Duration ParameterReader::duration(std::string_view name, Duration fallback) {
  const auto* value = find(name);
  if (value == nullptr) return fallback;
  const auto read = to_duration(*value);
  if (read && *read > Duration{0} && *read != kForever) return *read;
  refuse(name, *value);
  return fallback;
}

std::vector<Duration> ParameterReader::ascending(std::string_view name) {
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

std::string ParameterReader::text(std::string_view name) {
  const auto* value = find(name);
  if (value == nullptr) return {};
  if (const auto* text = std::get_if<std::string>(value)) return *text;
  if (const auto* number = std::get_if<double>(value)) return fmt::format("{}", *number);
  refuse(name, *value);
  return {};
}

Busyness ParameterReader::busyness() {
  const auto* value = find("busyness");
  if (value == nullptr) return {};
  const auto* text = std::get_if<std::string>(value);
  if (text == nullptr) {
    refuse("busyness", *value);
    return {};
  }
  if (const auto measure = find_measure(*text)) return *measure;
  mistake(unknown_name("busyness", *text, measure_names()), "busyness");
  return {};
}

Law ParameterReader::law() {
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

bool ParameterReader::is(std::string_view name, std::string_view word) const {
  const auto* value = find(name);
  const auto* text = value == nullptr ? nullptr : std::get_if<std::string>(value);
  return text != nullptr && *text == word;
}

bool ParameterReader::is_infinite(std::string_view name) const {
  const auto* value = find(name);
  const auto* number = value == nullptr ? nullptr : std::get_if<double>(value);
  return is(name, "inf") || (number != nullptr && *number > 0 && std::isinf(*number));
}

void ParameterReader::mistake(std::string what, std::string_view where) {
  if (!error_) error_ = Error{ErrorCode::invalid, std::move(what), std::string(where)};
}

Result<Policy> ParameterReader::result(Policy policy) {
  if (error_) return tl::unexpected(*std::move(error_));
  return policy;
}

const ParameterValue* ParameterReader::find(std::string_view name) const {
  const auto found = parameters_.find(name);
  return found == parameters_.end() ? nullptr : &found->second;
}

void ParameterReader::refuse(std::string_view name, const ParameterValue& value) {
  const auto entry = std::find_if(policy_.parameters.begin(), policy_.parameters.end(),
                                  [&](const auto& one) { return one.name == name; });
  mistake(fmt::format("{} of {}: found {}, allowed: {}", name, policy_.name, shown(value),
                      entry->allowed),
          name);
}

}  // namespace artel::dispatch::detail
