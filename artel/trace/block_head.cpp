#include "artel/trace/block_head.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

#include "artel/core/instant.hpp"
#include "artel/trace/fingerprint.hpp"

namespace artel::trace {
namespace {

constexpr std::uint32_t kMarker = 0x6B'6C'62'A7;  // A7 'b' 'l' 'k'

// Where the parts of a block's head are.
constexpr std::size_t kKindAt = 4, kBytesAt = 8, kCountAt = 12, kOriginAt = 16, kDroppedAt = 24,
                      kPayloadCheckAt = 32, kHeadCheckAt = 36;

template <class Number>
void put(std::byte* at, Number value) {
  for (std::size_t i = 0; i < sizeof value; ++i) {
    at[i] = static_cast<std::byte>(static_cast<std::uint64_t>(value) >> (8 * i));
  }
}

template <class Number>
Number get(const std::byte* at) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < sizeof(Number); ++i) {
    value |= std::to_integer<std::uint64_t>(at[i]) << (8 * i);
  }
  return static_cast<Number>(value);
}

}  // namespace

std::array<std::byte, kPrologueBytes> trace_prologue() {
  std::array<std::byte, kPrologueBytes> bytes{};
  std::memcpy(bytes.data(), kTraceMagic.data(), kTraceMagic.size());
  put(&bytes[kTraceMagic.size()], kTraceVersion);
  return bytes;
}

std::uint32_t check_of(std::span<const std::byte> bytes) {
  Fingerprint fingerprint;
  fingerprint.add(bytes);
  return static_cast<std::uint32_t>(fingerprint.value());
}

void put_head(std::span<std::byte, kBlockHeadBytes> out, const BlockHead& head) {
  std::fill(out.begin(), out.end(), std::byte{});
  put(&out[0], kMarker);
  put(&out[kKindAt], static_cast<std::uint8_t>(head.kind));
  put(&out[kBytesAt], head.bytes);
  put(&out[kCountAt], head.count);
  put(&out[kOriginAt], head.origin.time_since_epoch().count());
  put(&out[kDroppedAt], head.dropped);
  put(&out[kPayloadCheckAt], head.payload_check);
  put(&out[kHeadCheckAt], check_of(out.first(kHeadCheckAt)));
}

std::optional<BlockHead> read_head(std::span<const std::byte> bytes) {
  if (bytes.size() < kBlockHeadBytes || get<std::uint32_t>(&bytes[0]) != kMarker ||
      get<std::uint32_t>(&bytes[kHeadCheckAt]) != check_of(bytes.first(kHeadCheckAt))) {
    return std::nullopt;
  }
  const BlockHead head{.kind = static_cast<BlockKind>(get<std::uint8_t>(&bytes[kKindAt])),
                       .bytes = get<std::uint32_t>(&bytes[kBytesAt]),
                       .count = get<std::uint32_t>(&bytes[kCountAt]),
                       .origin = Instant{Duration{get<std::int64_t>(&bytes[kOriginAt])}},
                       .dropped = get<std::uint64_t>(&bytes[kDroppedAt]),
                       .payload_check = get<std::uint32_t>(&bytes[kPayloadCheckAt])};
  if (head.bytes > kBlockPayloadMax) return std::nullopt;
  return head;
}

}  // namespace artel::trace
