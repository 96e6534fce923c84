#include "app/cluster_flag_options.hpp"

#include <cstddef>
#include <string_view>
#include <variant>
#include <vector>

#include "app/command_line.hpp"
#include "artel/cluster/cluster_flags.hpp"
#include "artel/dispatch/policy_table.hpp"

namespace artel::app {

namespace {

std::vector<std::string_view> policies() {
  std::vector<std::string_view> names;
  for (const auto& entry : dispatch::policy_table()) names.push_back(entry.name);
  return names;
}

}  // namespace

void add_flags(Subcommand command, const std::vector<cluster::FlagSpec>& flags) {
  for (const auto& flag : flags) {
    auto option = std::visit(
        [&](auto* value) { return command.option(flag.names, *value, flag.help); }, flag.value);
    if (!flag.type.empty()) option.type_name(flag.type);
    if (!flag.group.empty()) option.group(flag.group);
    if (flag.most > 0) option.range(std::size_t{1}, std::size_t{flag.most});
    if (flag.default_shown) option.show_default();
    if (flag.type == "POLICY") option.suggest(policies());
  }
}

}  // namespace artel::app
