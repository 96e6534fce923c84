// Any bytes are samples and bad lines, and an answer by HTTP or one mistake.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "artel/core/require.hpp"
#include "artel/metrics/fleet_row.hpp"
#include "artel/metrics/fleet_screen.hpp"
#include "artel/metrics/http_get.hpp"
#include "artel/metrics/metrics_page.hpp"

// The name that libFuzzer asks for.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {  // NOLINT
  using namespace artel;
  const std::string_view input(reinterpret_cast<const char*>(bytes), size);  // NOLINT(*-cast)
  const auto half = input.substr(0, size / 2);
  const auto before = metrics::read_metrics_page(half, "fuzz");
  const auto now = metrics::read_metrics_page(input, "fuzz");
  ARTEL_REQUIRE((now.bad > 0) == now.first_bad.has_value(), "the first bad line is told");
  for (const auto& sample : now.page.samples()) {
    ARTEL_REQUIRE(now.page.find(sample.name, sample.labels) == &sample, "samples can be found");
  }
  metrics::FleetScreen screen{.headline = {}};
  screen.sources.push_back(
      {.address = "fuzz", .rows = metrics::fleet_rows(&before.page, now.page, 1)});
  for (const auto& line : metrics::screen_lines(screen, 80, 24)) {
    ARTEL_REQUIRE(line.size() <= 80, "a line fits into the screen");
    for (const char c : line) ARTEL_REQUIRE(c >= ' ' && c < 0x7F, "nothing moves the cursor");
  }
  static_cast<void>(metrics::http_body(input));
  if (const auto address = metrics::parse_http_address(input)) {
    const auto again = metrics::parse_http_address(address->url());
    ARTEL_REQUIRE(again && again->url() == address->url(), "a URL is an address");
  }
  return 0;
}
