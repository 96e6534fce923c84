#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "artel/core/instant.hpp"

namespace artel::trace {

/// The pieces of a trace file, format version 1; docs/trace-format.md says the same byte by byte.

/// What a trace file begins with.
inline constexpr std::array<unsigned char, 8> kTraceMagic{0x89, 'a', 'r',  't',
                                                          'e',  'l', '\r', '\n'};
/// Of the format; other versions are refused by name.
inline constexpr std::uint32_t kTraceVersion = 1;
/// Magic, version and a reserved word.
inline constexpr std::size_t kPrologueBytes = 16;
/// See BlockHead.
inline constexpr std::size_t kBlockHeadBytes = 40;
/// Bytes of a block behind its head, at most.
inline constexpr std::uint32_t kBlockPayloadMax = 1U << 20U;

/// What a block holds.
enum class BlockKind : std::uint8_t {
  header = 1,    ///< settings of the recording
  tasks = 2,     ///< tasks, see TaskBlock
  end = 3,       ///< the recording was ended
  patience = 4,  ///< deadlines of the tasks in a block, see TaskBlock::sealed_patience
  sizes = 5,     ///< how many workers there were
  classes = 6,   ///< classes of the tasks in a block
};

/// What every block starts with.
struct BlockHead {
  BlockKind kind{};
  std::uint32_t bytes = 0;  ///< of the payload
  std::uint32_t count = 0;  ///< of tasks or settings in it
  /// What times count from; the header's: the start; the end's: the end of the recording.
  Instant origin{};
  std::uint64_t dropped = 0;        ///< tasks lost since the start
  std::uint32_t payload_check = 0;  ///< of the payload
};

/// The first kPrologueBytes of a file.
[[nodiscard]] std::array<std::byte, kPrologueBytes> trace_prologue();

/// Low half of the payload's Fingerprint.
[[nodiscard]] std::uint32_t check_of(std::span<const std::byte> bytes);
void put_head(std::span<std::byte, kBlockHeadBytes> out, const BlockHead& head);
/// Nothing when these bytes are not the head of a block: marker, check or a value is wrong.
[[nodiscard]] std::optional<BlockHead> read_head(std::span<const std::byte> bytes);

}  // namespace artel::trace
