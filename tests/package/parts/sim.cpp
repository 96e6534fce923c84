#include <artel/sim/platform/load_platform.hpp>

int main() {
  const auto platform = artel::sim::parse_platform(R"(
    [[hosts]]
    name  = "node"
    speed = "1Gf"
  )",
                                                   "inline");
  return platform ? 0 : 1;
}
