#include "artel/core/parse_bytes.hpp"

#include <fmt/core.h>

#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "artel/core/error.hpp"
#include "artel/core/parse_number.hpp"

namespace artel {
namespace {

struct Unit {
  std::string_view name;
  double size;
};
constexpr double kBit = 0.125;  // of a byte
constexpr Unit kFlops[] = {{"f", 1}};
constexpr Unit kBandwidth[] = {{"Bps", 1}, {"bps", kBit}};
constexpr Unit kBytes[] = {{"B", 1}, {"b", kBit}};

struct Kind {
  std::string_view name;
  std::string_view example;
  std::span<const Unit> units;
};

// "" is 1, "k" 1000, "Ki" 1024; nothing if it is no prefix.
std::optional<double> prefix_size(std::string_view prefix) {
  if (prefix.empty()) return 1;
  const bool binary = prefix.size() == 2 && prefix[1] == 'i';
  if (prefix.size() != (binary ? 2U : 1U)) return std::nullopt;
  const auto power = std::string_view(binary ? "KMGTPE" : "kMGTPE").find(prefix[0]);
  if (power == std::string_view::npos) return std::nullopt;
  double size = 1;
  for (std::size_t i = 0; i <= power; ++i) size *= binary ? 1024 : 1000;
  return size;
}

std::optional<double> unit_size(std::string_view text, std::span<const Unit> units) {
  for (const Unit& unit : units) {
    if (!text.ends_with(unit.name)) continue;
    const auto prefix = prefix_size(text.substr(0, text.size() - unit.name.size()));
    if (prefix) return *prefix * unit.size;
  }
  return std::nullopt;
}

Result<double> parse(std::string_view text, const Kind& kind) {
  const auto refuse = [&](std::string_view why) {
    return fail(ErrorCode::parse, fmt::format("'{}' is not a {}: {}; write a number and a unit, "
                                              "for example {}",
                                              text.substr(0, 40), kind.name, why, kind.example));
  };
  std::string_view unit = text;
  const auto number = take_number<double>(unit);
  if (!number) return refuse("no number");
  if (!std::isfinite(*number) || *number < 0) return refuse("the number is negative or not finite");
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  if (unit.empty()) return refuse("no unit");
  const auto size = unit_size(unit, kind.units);
  if (!size) return refuse(fmt::format("unknown unit '{}'", unit));
  if (!std::isfinite(*number * *size)) return refuse("too large");
  return *number * *size;
}

}  // namespace

Result<double> parse_flops(std::string_view text) {
  return parse(text, {"speed", "\"10Gf\"", kFlops});
}

Result<double> parse_bandwidth(std::string_view text) {
  return parse(text, {"bandwidth", "\"125MBps\" or \"1Gbps\"", kBandwidth});
}

Result<double> parse_bytes(std::string_view text) {
  return parse(text, {"size", "\"16GiB\"", kBytes});
}

}  // namespace artel
