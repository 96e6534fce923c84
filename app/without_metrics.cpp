// In the place of serve_metrics.cpp where there is no prometheus-cpp.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/metrics.hpp"
#include "artel/core/error.hpp"
#include "artel/interop/metric.hpp"

namespace artel::app {

Result<std::shared_ptr<void>> serve_metrics(
    const std::string& address,
    // NOLINTNEXTLINE(performance-unnecessary-value-param): as the one that keeps it
    std::function<std::vector<interop::Metric>()> /*collect*/) {
  if (address.empty()) return std::shared_ptr<void>();
  return fail(ErrorCode::unsupported, "this artel was built without prometheus-cpp",
              "--metrics " + address);
}

}  // namespace artel::app
