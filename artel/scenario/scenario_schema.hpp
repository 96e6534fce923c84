#pragma once

#include <string>

#include "artel/config/schema.hpp"

namespace artel::scenario {

/// All keys of a scenario.
[[nodiscard]] const config::Schema& scenario_schema();

/// The same for people, with the parameters of the policies: what `artel simulate --schema` prints.
[[nodiscard]] std::string scenario_schema_text();

}  // namespace artel::scenario
