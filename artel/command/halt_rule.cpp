#include "artel/command/halt_rule.hpp"

#include <fmt/core.h>

#include <cstdint>
#include <string_view>

#include "artel/core/error.hpp"
#include "artel/core/parse_number.hpp"

namespace artel::command {
namespace {

constexpr double kPercentMax = 100;

bool read_count(std::string_view text, HaltRule& rule) {
  if (!text.ends_with('%')) {
    rule.jobs = parse_number<std::uint64_t>(text).value_or(0);
    return rule.jobs > 0;
  }
  text.remove_suffix(1);
  rule.percent = parse_number<double>(text).value_or(0);
  return rule.percent > 0 && rule.percent <= kPercentMax && rule.of != HaltRule::Of::all;
}

bool read_what(std::string_view text, HaltRule& rule) {
  const auto equals = text.find('=');
  const auto what = text.substr(0, equals);
  if (what == "fail") {
    rule.of = HaltRule::Of::failed;
  } else if (what == "success") {
    rule.of = HaltRule::Of::succeeded;
  } else if (what == "done") {
    rule.of = HaltRule::Of::all;
  } else {
    return false;
  }
  return equals == std::string_view::npos || read_count(text.substr(equals + 1), rule);
}

}  // namespace

bool HaltRule::reached(std::uint64_t failed, std::uint64_t succeeded) const {
  if (halt == Halt::never) return false;
  const auto over = failed + succeeded;
  const auto count = of == Of::failed ? failed : of == Of::succeeded ? succeeded : over;
  if (percent == 0) return count >= jobs;
  constexpr std::uint64_t kLeast = 3;
  return count >= kLeast &&
         static_cast<double>(count) * kPercentMax >= percent * static_cast<double>(over);
}

Result<HaltRule> parse_halt_rule(std::string_view text) {
  HaltRule rule;
  const auto comma = text.find(',');
  const auto when = text.substr(0, comma);
  const bool more = comma != std::string_view::npos;
  rule.halt = when == "now" ? Halt::now : when == "soon" ? Halt::soon : Halt::never;
  if ((rule.halt != Halt::never || (when == "never" && !more)) &&
      (!more || read_what(text.substr(comma + 1), rule))) {
    return rule;
  }
  return fail(ErrorCode::invalid,
              fmt::format("found '{}'; expected never, soon or now, the last two also as in "
                          "now,fail=3, soon,fail=10%, now,success=1, soon,done=100",
                          text),
              "--halt");
}

}  // namespace artel::command
