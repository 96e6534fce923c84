#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/busyness.hpp"
#include "artel/dispatch/closed_loop.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/policy_table.hpp"

namespace artel::dispatch::detail {

inline constexpr ParameterEntry kBusyness{"busyness", "queued, occupancy, weighted, work, delay",
                                          "queued", "what workers are compared by"};

/// Reads the parameters of one policy; keeps the first mistake.
class ParameterReader {
 public:
  /// Both must outlive the reader.
  ParameterReader(const PolicyEntry& policy, const Parameters& parameters);

  [[nodiscard]] std::uint32_t whole(std::string_view name, std::uint32_t min, std::uint32_t max,
                                    std::uint32_t fallback);
  [[nodiscard]] double number(std::string_view name, double min, double max, double fallback);
  /// How many workers to look at.
  [[nodiscard]] std::uint32_t choices(std::uint32_t fallback);
  /// At least 1; text may say inf.
  [[nodiscard]] double factor(std::string_view name, double fallback);
  [[nodiscard]] Duration duration(std::string_view name, Duration fallback);
  [[nodiscard]] std::vector<Duration> ascending(std::string_view name);
  [[nodiscard]] Busyness busyness();
  [[nodiscard]] Law law();

  [[nodiscard]] bool given(std::string_view name) const { return find(name) != nullptr; }
  [[nodiscard]] bool is(std::string_view name, std::string_view word) const;
  /// As a number or as text: files have both.
  [[nodiscard]] bool is_infinite(std::string_view name) const;

  /// A value that was read is none that is allowed.
  void refuse_given(std::string_view name) { refuse(name, *find(name)); }
  void mistake(std::string what, std::string_view where);

  [[nodiscard]] Result<Policy> result(Policy policy);

 private:
  [[nodiscard]] const ParameterValue* find(std::string_view name) const;
  void refuse(std::string_view name, const ParameterValue& value);

  const PolicyEntry& policy_;
  const Parameters& parameters_;
  std::optional<Error> error_;
};

}  // namespace artel::dispatch::detail
