#include "app/cluster_flag_options.hpp"

#include <cstddef>
#include <variant>
#include <vector>

#include "app/command_line.hpp"
#include "artel/cluster/cluster_flags.hpp"

namespace artel::app {

void add_flags(Subcommand command, const std::vector<cluster::FlagSpec>& flags) {
  for (const auto& flag : flags) {
    auto option = std::visit(
        [&](auto* value) { return command.option(flag.names, *value, flag.help); }, flag.value);
    if (!flag.type.empty()) option.type_name(flag.type);
    if (!flag.group.empty()) option.group(flag.group);
    if (flag.most > 0) option.range(std::size_t{1}, std::size_t{flag.most});
    if (flag.default_shown) option.show_default();
  }
}

}  // namespace artel::app
