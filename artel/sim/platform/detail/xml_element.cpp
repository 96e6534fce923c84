#include "artel/sim/platform/detail/xml_element.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "artel/config/toml_value.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/nearest_name.hpp"
#include "artel/core/parse_bytes.hpp"
#include "artel/core/parse_number.hpp"

namespace artel::sim::detail {
namespace {

std::optional<double> parse_seconds(std::string_view text) {
  if (const auto plain = parse_number<double>(text)) return plain;
  const auto duration = parse_duration(text);
  if (!duration || *duration == kForever) return std::nullopt;
  return to_seconds(*duration);
}

}  // namespace

LineStarts::LineStarts(std::string_view text) : starts_{0} {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') starts_.push_back(i + 1);
  }
}

config::SourcePosition LineStarts::place(std::size_t offset) const {
  const auto line = std::upper_bound(starts_.begin(), starts_.end(), offset) - starts_.begin();
  return {static_cast<std::uint32_t>(line),
          static_cast<std::uint32_t>(offset - starts_[static_cast<std::size_t>(line - 1)] + 1),
          {}};
}

config::SourcePosition XmlElement::place() const {
  const std::ptrdiff_t offset = node_.offset_debug();  // of the name, behind the <
  return lines_->place(static_cast<std::size_t>(std::max<std::ptrdiff_t>(offset - 1, 0)));
}

std::vector<XmlElement> XmlElement::children() const {
  std::vector<XmlElement> children;
  for (const pugi::xml_node child : node_.children()) {
    if (child.type() == pugi::node_element) children.emplace_back(child, *lines_, *problems_);
  }
  return children;
}

void XmlElement::allow(std::initializer_list<std::string_view> attributes) const {
  for (const pugi::xml_attribute attribute : node_.attributes()) {
    const std::string_view name = attribute.name();
    if (std::find(attributes.begin(), attributes.end(), name) != attributes.end()) continue;
    refuse(unknown_name("attribute", name, attributes), ErrorCode::unsupported);
  }
}

void XmlElement::refuse(const std::string& what, ErrorCode code) const {
  problems_->add(place(), fmt::format("<{}>: {}", name(), what), code);
}

std::string XmlElement::text(const char* attribute) const {
  std::string value = node_.attribute(attribute).value();
  if (value.empty()) refuse(fmt::format("{} is missing", attribute));
  return value;
}

std::string XmlElement::text_or(const char* attribute, std::string_view fallback) const {
  return has(attribute) ? node_.attribute(attribute).value() : std::string(fallback);
}

std::string XmlElement::word(const char* attribute, std::initializer_list<std::string_view> allowed,
                             std::string_view fallback) const {
  std::string found = text_or(attribute, fallback);
  if (std::find(allowed.begin(), allowed.end(), found) != allowed.end()) return found;
  refuse(unknown_name(attribute, found, allowed), ErrorCode::unsupported);
  return std::string(fallback);
}

template <class Parse>
double XmlElement::quantity(const char* attribute, Parse parse, std::string_view allowed) const {
  const std::string found = text(attribute);
  if (found.empty()) return 1;
  double number = std::numeric_limits<double>::quiet_NaN();
  if (const auto plain = parse_number<double>(found)) {
    number = *plain;
  } else {
    number = parse(found).value_or(number);
  }
  if (std::isfinite(number) && number > 0) return number;
  refuse(fmt::format("{}: found '{}', allowed: {}", attribute, found, allowed));
  return 1;
}

double XmlElement::flops(const char* attribute) const {
  return quantity(attribute, parse_flops, "one speed above 0, like \"10Gf\"");
}

double XmlElement::bandwidth(const char* attribute) const {
  return quantity(attribute, parse_bandwidth, "a bandwidth above 0, like \"125MBps\" or \"1Gbps\"");
}

double XmlElement::bytes(const char* attribute) const {
  return quantity(attribute, parse_bytes, "a size above 0, like \"500GiB\"");
}

Duration XmlElement::duration(const char* attribute) const {
  if (!has(attribute)) return {};
  const std::string found = text(attribute);
  const auto seconds = parse_seconds(found);
  constexpr double kSecondsMax = 1e4;  // sums over a route fit
  if (seconds && *seconds >= 0 && *seconds <= kSecondsMax) return from_seconds(*seconds);
  refuse(fmt::format("{}: found '{}', allowed: a time up to {} s, like \"50us\"", attribute, found,
                     kSecondsMax));
  return {};
}

std::uint32_t XmlElement::count(const char* attribute, std::uint32_t fallback) const {
  if (!has(attribute)) return fallback;
  const auto number = parse_number<std::uint32_t>(text(attribute));
  if (number && *number > 0) return *number;
  refuse(fmt::format("{}: found '{}', allowed: a whole number from 1 to {}", attribute,
                     text(attribute), std::numeric_limits<std::uint32_t>::max()));
  return fallback;
}

}  // namespace artel::sim::detail
