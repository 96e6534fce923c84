// In the place of top_terminal.cpp where there is no ncurses.
#include <cstddef>
#include <string>
#include <vector>

#include "app/top_terminal.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

namespace artel::app {

struct TopTerminal::Screen {};

Result<TopTerminal> TopTerminal::open() {
  return fail(ErrorCode::unsupported,
              "this artel was built without ncurses; --once prints a plain table");
}

std::size_t TopTerminal::columns() const { return 0; }
std::size_t TopTerminal::rows() const { return 0; }
void TopTerminal::show(const std::vector<std::string>& /*lines*/) {}
int TopTerminal::key(Duration /*wait*/) { return 0; }

}  // namespace artel::app
