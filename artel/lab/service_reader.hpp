#pragma once

#include <optional>
#include <string>

#include "artel/lab/problems.hpp"
#include "artel/lab/toml_value.hpp"
#include "artel/random/distribution.hpp"

namespace artel::lab {

/// What `workload.service` asks for: one of the two.
struct ServiceSpec {
  std::optional<random::Distribution> distribution;  ///< of seconds
  std::optional<std::string> expression;             ///< compiles; its columns are not checked yet
};

/// Reads a table { distribution = …, parameters } or { expression = … }; nothing after a mistake.
[[nodiscard]] std::optional<ServiceSpec> read_service(const TomlValue& table, Problems& problems);

}  // namespace artel::lab
