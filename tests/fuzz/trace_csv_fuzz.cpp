// Any bytes are a trace or one mistake; the first line picks what to read: the format of the time
// and a formula.
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>

#include "artel/core/require.hpp"
#include "artel/file/parse_timestamp.hpp"
#include "artel/scenario/expression.hpp"
#include "artel/scenario/load_workload_trace.hpp"

namespace artel::scenario {
namespace {

void read(const std::string& text, const TraceSpec& spec) {
  std::istringstream in(text);
  const auto trace = read_workload_trace(in, "fuzz.csv", spec);
  if (!trace) {
    ARTEL_REQUIRE(!trace.error().what.empty(), "a mistake has words");
    return;
  }
  const auto& arrivals = trace->arrivals;
  ARTEL_REQUIRE(!arrivals.empty(), "a trace has rows");
  ARTEL_REQUIRE(arrivals.front() == Instant{}, "time counts from the first row");
  for (std::size_t i = 1; i < arrivals.size(); ++i) {
    ARTEL_REQUIRE(arrivals[i - 1] <= arrivals[i], "time goes forward", i);
  }
  if (spec.service) ARTEL_REQUIRE(trace->services.size() == arrivals.size(), "one service per row");
  for (const auto service : trace->services)
    ARTEL_REQUIRE(service >= Duration{}, "work takes time");
}

}  // namespace
}  // namespace artel::scenario

// The name that libFuzzer asks for.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {  // NOLINT
  using namespace artel::scenario;
  const std::string_view input(reinterpret_cast<const char*>(bytes), size);  // NOLINT(*-cast)
  const auto line = input.substr(0, input.find('\n'));
  const std::string csv(input.substr(line.size() < input.size() ? line.size() + 1 : line.size()));
  TraceSpec spec{.time_column = "at"};
  if (!line.empty()) {
    constexpr int kFormats = static_cast<int>(artel::file::TimeFormat::epoch_ns) + 1;
    spec.time_format =
        static_cast<artel::file::TimeFormat>(static_cast<unsigned char>(line.front()) % kFormats);
    spec.service = std::string(line.substr(1));
    if (!Expression::compile(*spec.service)) spec.service = "size";
  }
  read(csv, spec);
  return 0;
}
