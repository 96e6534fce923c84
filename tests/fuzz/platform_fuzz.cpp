// Any bytes are a platform or a list of mistakes: in XML when they begin with <, else in TOML.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "artel/config/problems.hpp"
#include "artel/core/require.hpp"
#include "artel/sim/platform/load_platform.hpp"
#include "artel/sim/platform/parse_simgrid_platform.hpp"
#include "artel/sim/platform/platform.hpp"

namespace artel::sim {
namespace {

void check(config::Checked<Platform> platform) {
  if (!platform) {
    ARTEL_REQUIRE(!platform.error().empty(), "a refusal says why");
    for (const auto& error : platform.error()) {
      ARTEL_REQUIRE(!error.what.empty(), "a mistake has words");
    }
    return;
  }
  ARTEL_REQUIRE(!platform->hosts.empty(), "a platform has hosts");
  const HostSpec& first = platform->hosts.front();
  const HostSpec& last = platform->hosts.back();
  ARTEL_REQUIRE(platform->find_host(first.name) == &first, "a host has its name", first.name);
  ARTEL_REQUIRE(platform->host_at(last.node) == &last, "a host has its node", last.name);
  const auto route = platform->topology.route(first.node, last.node);
  ARTEL_REQUIRE(!route || route->latency >= Duration{}, "a latency is not negative");
}

}  // namespace
}  // namespace artel::sim

// The name that libFuzzer asks for.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {  // NOLINT
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);  // NOLINT(*-cast)
  artel::sim::check(text.starts_with('<') ? artel::sim::parse_simgrid_platform(text, "fuzz.xml")
                                          : artel::sim::parse_platform(text, "fuzz.toml"));
  return 0;
}
