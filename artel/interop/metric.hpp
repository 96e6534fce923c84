#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace artel::interop {

/// How a Metric may change.
enum class MetricKind : std::uint8_t {
  counter,  ///< it only grows, from 0; its name ends in "_total"
  gauge,    ///< up and down
};

/// One number about a process, as monitoring systems read it.
struct Metric {
  std::string name;  ///< letters, digits, '_'; with its unit, a base unit: "…_seconds", "…_bytes"
  std::string help;  ///< a line for people
  MetricKind kind = MetricKind::gauge;
  double value = 0;                                           ///< in base units
  std::vector<std::pair<std::string, std::string>> labels{};  ///< names and values
};

}  // namespace artel::interop
