#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace artel::cluster::detail {

/// What the subject says on which the server wants to hear of a message that it has delivered:
/// "$JS.ACK.<stream>.<consumer>.<deliveries>.…".
struct AckSubject {
  std::string consumer;
  std::uint32_t delivery = 1;  ///< how often this message has been delivered, this time included
};

/// Of another subject: no consumer, the first delivery.
[[nodiscard]] AckSubject read_ack_subject(std::string_view subject);

}  // namespace artel::cluster::detail
