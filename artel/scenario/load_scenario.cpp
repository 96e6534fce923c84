#include "artel/scenario/load_scenario.hpp"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "artel/config/problems.hpp"
#include "artel/file/read_text_file.hpp"
#include "artel/scenario/detail/overridden_toml.hpp"
#include "artel/scenario/detail/read_scenario.hpp"
#include "artel/scenario/detail/trace_store.hpp"
#include "artel/scenario/override.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::scenario {

config::Checked<Scenario> parse_scenario(std::string_view text, std::string_view file_name,
                                         std::span<const Override> overrides, Overload overload) {
  const auto root = detail::overridden_toml(text, file_name, overrides);
  if (!root) return tl::unexpected(root.error());
  detail::TraceStore traces;
  return detail::read_scenario(*root, std::string(file_name), traces, overload);
}

config::Checked<Scenario> load_scenario(const std::filesystem::path& path,
                                        std::span<const Override> overrides, Overload overload) {
  const auto text = file::read_text_file(path, kScenarioBytesMax);
  if (!text) return tl::unexpected(config::Errors{text.error()});
  return parse_scenario(*text, path.string(), overrides, overload);
}

}  // namespace artel::scenario
