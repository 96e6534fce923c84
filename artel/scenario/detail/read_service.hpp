#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "artel/config/problems.hpp"
#include "artel/config/table_reader.hpp"
#include "artel/config/toml_value.hpp"
#include "artel/random/distribution.hpp"

namespace artel::scenario::detail {

/// What `workload.service` asks for: one of the two.
struct ServiceSpec {
  std::optional<random::Distribution> distribution;  ///< of seconds
  std::optional<std::string> expression;             ///< compiles; its columns are not checked yet
};

/// Reads a table { distribution = …, parameters } or { expression = … }; nothing after a mistake.
/// `shown`: what messages call the table.
[[nodiscard]] std::optional<ServiceSpec> read_service(const config::TomlValue& table,
                                                      config::Problems& problems,
                                                      std::string_view shown = "workload.service");

/// A duration, or the table of a distribution as `workload.service` has it; nothing after a
/// mistake. `shown`: what messages call the table. Requires: the key is there.
[[nodiscard]] std::optional<random::Distribution> read_law(const config::TableReader& reader,
                                                           std::string_view key,
                                                           std::string_view shown,
                                                           config::Problems& problems);

}  // namespace artel::scenario::detail
