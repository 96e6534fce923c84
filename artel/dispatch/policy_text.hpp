#pragma once

#include <string>
#include <string_view>

#include "artel/core/error.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/policy_table.hpp"

namespace artel::dispatch {

/// A policy with all its parameters, as traces keep it: "jsq(d=2; busyness=queued)",
/// "sita(cutoffs=100000ns, 2000000ns)", "random". A policy that has been made in code keeps its
/// name alone, a busyness that has been made in code is called custom; neither can be read back.
[[nodiscard]] std::string policy_text(const Policy& policy);

/// Such a text taken apart; the values are not checked.
struct PolicyText {
  std::string name;
  Parameters parameters;
};

/// Errors: parentheses or equals signs that are missing.
[[nodiscard]] Result<PolicyText> split_policy(std::string_view text);

/// The policy of such a text; parameters may be left out.
///
/// Errors: those of make_policy and split_policy.
[[nodiscard]] Result<Policy> parse_policy(std::string_view text);

}  // namespace artel::dispatch
