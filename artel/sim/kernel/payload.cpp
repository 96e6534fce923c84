#include "artel/sim/kernel/payload.hpp"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "artel/core/require.hpp"

namespace artel::sim::detail {
namespace {

constexpr std::size_t kTypesMax = (1U << 15U) - 1;

/// Written before main only (or while a shared library is loaded), read by any thread.
std::vector<PayloadType>& registry() {
  static std::vector<PayloadType> types(1);  // number 0 is nobody's
  return types;
}

}  // namespace

constinit const PayloadType* payload_types = nullptr;

std::uint32_t register_payload(const PayloadType& type) {
  static std::mutex mutex;
  const std::scoped_lock lock(mutex);
  ARTEL_REQUIRE(registry().size() <= kTypesMax, "too many payload types", registry().size());
  registry().push_back(type);
  payload_types = registry().data();
  return static_cast<std::uint32_t>(registry().size() - 1);
}

}  // namespace artel::sim::detail
