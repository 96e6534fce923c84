#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "artel/trace/block_head.hpp"

namespace artel::trace::detail {

/// As a varint.
void append(std::vector<std::byte>& out, std::uint64_t number);
/// Its length, then its bytes.
void append(std::vector<std::byte>& out, std::string_view text);
/// What append() wrote, taken off; nothing: it is cut off.
[[nodiscard]] std::optional<std::string> take_text(std::span<const std::byte>& bytes);

/// A whole block: head and payload. The head's `bytes` and `payload_check` are set here.
[[nodiscard]] std::vector<std::byte> make_block(BlockHead head, std::span<const std::byte> payload);

}  // namespace artel::trace::detail
