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
#include "artel/dispatch/policy_entry.hpp"

namespace artel::dispatch::detail {

/// Reads the parameters of one policy; keeps the first mistake. What is not given, or wrong, is the
/// fallback.
class ParameterReader {
 public:
  /// Both must outlive it.
  ParameterReader(const PolicyEntry& policy, const Parameters& parameters);

  std::uint32_t whole(std::string_view name, std::uint32_t min, std::uint32_t max,
                      std::uint32_t fallback);
  /// How many workers to look at: `d`.
  std::uint32_t choices(std::uint32_t fallback);
  /// At least 1; text may say inf.
  double factor(std::string_view name, double fallback);
  struct NumberRange {
    double from;  // the least, or …
    double to;
    bool above = false;  // … what is more than that
  };
  double number(std::string_view name, const NumberRange& range, double fallback);
  Duration duration(std::string_view name, Duration fallback);
  std::vector<Duration> ascending(std::string_view name);
  /// As it is; a number, too. Empty: not given.
  std::string text(std::string_view name);
  Busyness busyness();
  Law law();

  [[nodiscard]] bool given(std::string_view name) const { return find(name) != nullptr; }
  [[nodiscard]] bool is(std::string_view name, std::string_view word) const;
  /// As a number or as text: files have both.
  [[nodiscard]] bool is_infinite(std::string_view name) const;

  void mistake(std::string what, std::string_view where);
  /// A value that was read is none that is allowed.
  void refuse_given(std::string_view name) { refuse(name, *find(name)); }
  Result<Policy> result(Policy policy);

 private:
  [[nodiscard]] const ParameterValue* find(std::string_view name) const;
  void refuse(std::string_view name, const ParameterValue& value);

  const PolicyEntry& policy_;
  const Parameters& parameters_;
  std::optional<Error> error_;
};

}  // namespace artel::dispatch::detail
