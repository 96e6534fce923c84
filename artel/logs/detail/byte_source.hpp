#pragma once

#include <cstddef>
#include <cstdint>
#include <istream>
#include <optional>
#include <stop_token>
#include <string_view>
#include <utility>
#include <vector>

namespace artel::logs::detail {

/// `start` of a file without the mark that some programs put before UTF-8.
[[nodiscard]] constexpr std::string_view after_byte_order_mark(std::string_view start) {
  return start.starts_with("\xEF\xBB\xBF") ? start.substr(3) : start;
}

/// A stream read through one buffer: some of its start beforehand, then lines, or byte by byte.
/// A byte order mark at the start is left out.
///
/// Cost: memory of the longest line, which is at most kLineBytesMax.
class ByteSource {
 public:
  static constexpr std::size_t kLineBytesMax = std::size_t{1} << 26U;

  /// `in` must outlive the source, which comes to its end when it is asked to stop.
  explicit ByteSource(std::istream& in, std::stop_token stop = {})
      : in_(in), stop_(std::move(stop)), buffer_(kChunk) {}

  /// Up to so many bytes from here on, as far as they are there; they stay to be read.
  [[nodiscard]] std::string_view peek(std::size_t bytes);

  /// The next line without its end (LF or CRLF), valid until the next call; nothing at the end, or
  /// when a line is too long.
  [[nodiscard]] std::optional<std::string_view> line();
  /// Of the line that line() gave last, from 1.
  [[nodiscard]] std::uint64_t line_number() const { return line_; }
  [[nodiscard]] bool too_long() const { return too_long_; }

  /// The next byte, or -1.
  int byte() {
    if (begin_ == end_ && !fill()) return -1;
    return static_cast<unsigned char>(buffer_[begin_++]);
  }

 private:
  static constexpr std::size_t kChunk = std::size_t{1} << 18U;

  bool fill();

  std::istream& in_;
  std::stop_token stop_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;
  std::uint64_t line_ = 0;
  bool at_start_ = true;
  bool too_long_ = false;
  bool at_end_ = false;  // of what there was when it was read last
};

}  // namespace artel::logs::detail
