#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

#include "artel/core/error.hpp"
#include "artel/dispatch/custom.hpp"

namespace artel::dispatch {

/// Loads a policy of one's own from a shared object made with artel_policy.h. Its name is the
/// plugin's own; `options` is text for the plugin.
///
/// The file stays loaded until the program ends, and runs with all its rights.
/// Cost:    a decision: two std::function calls, and a virtual one per question.
/// Errors:  not found, no such plugin, made for another version of the interface, names or fields
///          that are none, and whatever the plugin says of its options. A decision that throws, or
///          names a worker that does not exist, throws PolicyFailure.
/// Threads: any.
[[nodiscard]] Result<Custom> load_policy_plugin(const std::filesystem::path& file,
                                                const std::string& options = {});

/// A policy broke its contract in a decision: what() names it and what it did. Whoever had the
/// decision made gets it: submit(), run_experiment().
class PolicyFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace artel::dispatch
