#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/random/stream.hpp"
#include "tests/simgrid/workload.hpp"

namespace artel::sim::simgrid_check {

/// A platform in SimGrid's XML.
struct RandomPlatform {
  std::string xml;
  std::vector<std::string> hosts;
  Duration latency{};  ///< of every route
};

enum class Shape : std::uint8_t {
  full,      ///< a route for every two hosts, over shared, fat and split links
  clusters,  ///< clusters with and without backbones, in a full or shortest-path zone
  tree,      ///< zones of routers in a tree, one inside a full zone beside another
};
[[nodiscard]] RandomPlatform random_platform(Shape shape, random::Stream& dice);

/// A file with this inside <platform>.
[[nodiscard]] std::string simgrid_document(std::string_view inside);

/// Every host sends and receives at most one transfer, and only its own links limit it: latencies
/// may differ.
[[nodiscard]] RandomPlatform random_uncontended_platform(random::Stream& dice);

/// Between different hosts; starts within `within`, sizes that take at least milliseconds.
[[nodiscard]] std::vector<TransferPlan> random_transfers(const RandomPlatform& platform,
                                                         std::uint32_t count, Duration within,
                                                         random::Stream& dice);

}  // namespace artel::sim::simgrid_check
