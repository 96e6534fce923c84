#pragma once

#include <cstdint>
#include <string_view>

#include "artel/core/error.hpp"

namespace artel::command {

/// What to do to the jobs of a run that has seen enough.
enum class Halt : std::uint8_t {
  never,  ///< go on
  soon,   ///< start no more jobs, wait for those that run
  now,    ///< kill those that run
};

/// When a run has seen enough: so many jobs have failed, succeeded, or are over.
struct HaltRule {
  /// Which jobs count.
  enum class Of : std::uint8_t { failed, succeeded, all };

  Halt halt = Halt::never;
  Of of = Of::failed;
  std::uint64_t jobs = 1;  ///< so many that count are enough
  double percent = 0;      ///< instead of `jobs` if not 0: of the jobs that are over, 3 at least

  /// Whether the run ends, with so many jobs over so far.
  [[nodiscard]] bool reached(std::uint64_t failed, std::uint64_t succeeded) const;
};

/// "never", "soon" or "now", the last two also as in "now,fail=3", "soon,fail=10%",
/// "now,success=1", "soon,done=100". Errors: invalid: what is allowed.
[[nodiscard]] Result<HaltRule> parse_halt_rule(std::string_view text);

}  // namespace artel::command
