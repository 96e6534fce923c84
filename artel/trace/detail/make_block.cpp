#include "artel/trace/detail/make_block.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/trace/block_head.hpp"
#include "artel/trace/detail/put_varint.hpp"

namespace artel::trace::detail {

void append(std::vector<std::byte>& out, std::uint64_t number) {
  std::array<std::byte, kVarintBytesMax> bytes{};
  const auto* const end = put_varint(bytes.data(), number);
  out.insert(out.end(), std::as_const(bytes).data(), end);
}

void append(std::vector<std::byte>& out, std::string_view text) {
  append(out, text.size());
  const auto bytes = std::as_bytes(std::span(text));
  out.insert(out.end(), bytes.begin(), bytes.end());
}

std::optional<std::string> take_text(std::span<const std::byte>& bytes) {
  const auto length = take_varint(bytes);
  if (!length || *length > bytes.size()) return std::nullopt;
  std::string text(*length, '\0');
  std::memcpy(text.data(), bytes.data(), *length);
  bytes = bytes.subspan(*length);
  return text;
}

std::vector<std::byte> make_block(BlockHead head, std::span<const std::byte> payload) {
  head.bytes = static_cast<std::uint32_t>(payload.size());
  head.payload_check = check_of(payload);
  std::vector<std::byte> bytes(kBlockHeadBytes);
  put_head(std::span(bytes).first<kBlockHeadBytes>(), head);
  bytes.insert(bytes.end(), payload.begin(), payload.end());
  return bytes;
}

}  // namespace artel::trace::detail
