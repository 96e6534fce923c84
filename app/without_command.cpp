// In the place of the subcommand that needs component command.
#include <string>
#include <vector>

#include "app/command.hpp"
#include "app/command_line.hpp"
#include "app/left_out.hpp"

namespace artel::app {

// NOLINTNEXTLINE(performance-unnecessary-value-param): as the one that keeps them
void add_map(Subcommand artel, std::vector<std::string> /*command*/) {
  add_left_out(artel, "map", "command");
}

}  // namespace artel::app
