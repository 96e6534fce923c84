#include "artel/cluster/detail/given_up_number.hpp"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>

#include "artel/cluster/detail/subscription.hpp"

namespace artel::cluster::detail {

std::optional<std::uint64_t> given_up_number(const Message& advisory) {
  const auto note = nlohmann::json::parse(payload_of(advisory), nullptr, false);
  if (!note.is_object() || !note.contains("stream_seq")) return std::nullopt;
  const auto& number = note["stream_seq"];
  if (!number.is_number_unsigned()) return std::nullopt;
  return number.get<std::uint64_t>();
}

}  // namespace artel::cluster::detail
