#include "tests/conformance/script.hpp"

#include <rapidcheck.h>  // IWYU pragma: keep

#include <array>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string_view>
#include <vector>

namespace artel::conformance {

std::ostream& operator<<(std::ostream& out, const Command& command) {
  static constexpr std::array<std::string_view, 6> kNames = {"arrive", "finish", "pass",
                                                             "join",   "leave",  "remove"};
  return out << kNames[static_cast<std::size_t>(command.kind)] << '(' << command.pick << ", "
             << command.extra << ')';
}

rc::Gen<std::vector<Command>> any_script() {
  const auto kind = rc::gen::weightedElement<Command::Kind>({{10, Command::Kind::arrive},
                                                             {8, Command::Kind::finish},
                                                             {3, Command::Kind::pass},
                                                             {1, Command::Kind::join},
                                                             {1, Command::Kind::leave},
                                                             {1, Command::Kind::remove}});
  const auto number = rc::gen::inRange<std::uint32_t>(0, 1000);
  const auto command = rc::gen::build<Command>(rc::gen::set(&Command::kind, kind),
                                               rc::gen::set(&Command::pick, number),
                                               rc::gen::set(&Command::extra, number));
  constexpr double kLonger = 4;  // than RapidCheck's usual 0 to 100 elements
  return rc::gen::scale(kLonger, rc::gen::container<std::vector<Command>>(command));
}

}  // namespace artel::conformance
