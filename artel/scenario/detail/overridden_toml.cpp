#include "artel/scenario/detail/overridden_toml.hpp"

#include <span>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

#include "artel/config/problems.hpp"
#include "artel/config/toml_value.hpp"
#include "artel/scenario/override.hpp"

namespace artel::scenario::detail {

config::Checked<config::TomlValue> overridden_toml(std::string_view text,
                                                   std::string_view file_name,
                                                   std::span<const Override> overrides) {
  auto root = config::parse_toml(text, file_name);
  if (!root) return tl::unexpected(config::Errors{root.error()});
  for (const auto& override : overrides) {
    if (auto applied = apply_override(*root, override); !applied) {
      return tl::unexpected(config::Errors{applied.error()});
    }
  }
  return std::move(*root);
}

}  // namespace artel::scenario::detail
