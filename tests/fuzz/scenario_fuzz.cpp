// Any bytes are a scenario or a list of mistakes, each with its place and words.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "artel/config/problems.hpp"
#include "artel/core/require.hpp"
#include "artel/scenario/study.hpp"

namespace artel::scenario {
namespace {

void check(const Study& study) {
  ARTEL_REQUIRE(!study.points.empty(), "a study has at least one point");
  for (const auto& [values, scenario] : study.points) {
    ARTEL_REQUIRE(values.size() == study.axes.size(), "one value per axis", values.size());
    ARTEL_REQUIRE(!scenario.pool.speeds.empty(), "a pool has workers");
    ARTEL_REQUIRE(scenario.pool.speeds.size() == scenario.pool.queue_bounds.size(),
                  "one per worker");
    ARTEL_REQUIRE(!scenario.dispatch.policies.empty(), "there is something to compare");
    ARTEL_REQUIRE(scenario.workload.mean_service_s > 0, "work takes time");
    ARTEL_REQUIRE(scenario.workload.rate >= 0, "a rate", scenario.workload.rate);
    ARTEL_REQUIRE(scenario.load() >= 0, "a load", scenario.load());
  }
}

void check(const config::Errors& errors) {
  ARTEL_REQUIRE(!errors.empty(), "a refusal says why");
  for (const auto& error : errors) ARTEL_REQUIRE(!error.what.empty(), "a mistake has words");
}

}  // namespace
}  // namespace artel::scenario

// The name that libFuzzer asks for.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {  // NOLINT
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);  // NOLINT(*-cast)
  const auto study = artel::scenario::parse_study(text, "/nonexistent/fuzz.toml");
  if (study) {
    artel::scenario::check(*study);
  } else {
    artel::scenario::check(study.error());
  }
  return 0;
}
