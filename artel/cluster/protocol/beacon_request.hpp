#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "artel/core/error.hpp"

namespace artel::cluster {

/// Master to worker, through the worker's own queue, `mr.<pool>.t.w.<wid>.beacon`: tell how it is
/// with you when you get to this.
struct BeaconRequest {
  std::uint64_t number = 0;  ///< of the master's beacons
  std::string reply;         ///< subject for the BeaconAnswer
};

/// Worker to master, to BeaconRequest::reply.
struct BeaconAnswer {
  std::string worker;        ///< its id
  std::uint64_t number = 0;  ///< BeaconRequest::number
  std::uint32_t queued = 0;  ///< chunks that it has in hand
  std::uint64_t done = 0;    ///< chunks that it has dealt with since it started
};

[[nodiscard]] std::string encode(const BeaconRequest& message);
/// Errors: parse (not such a message), unsupported (another kProtocolVersion).
[[nodiscard]] Result<BeaconRequest> decode_beacon_request(std::string_view bytes);

[[nodiscard]] std::string encode(const BeaconAnswer& message);
/// Errors: parse (not such a message), unsupported (another kProtocolVersion).
[[nodiscard]] Result<BeaconAnswer> decode_beacon_answer(std::string_view bytes);

}  // namespace artel::cluster
