#pragma once

#include <string>

namespace artel::scenario {

/// A JSON Schema (draft 2020-12) of scenarios, for editors and checkers of TOML: what `artel
/// simulate --json-schema` prints. Made of scenario_schema() and the table of policies.
///
/// It finds unknown and missing keys, also those of a kind (of arrivals, distributions, scaling,
/// policies), values of the wrong type, and numbers out of range. What several keys say together,
/// and durations in text that are out of range, only load_scenario() finds. Its "$id" ends in a
/// version, which changes when a key goes or means something else.
[[nodiscard]] std::string scenario_json_schema();

}  // namespace artel::scenario
