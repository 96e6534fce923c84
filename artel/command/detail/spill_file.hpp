#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "artel/command/detail/temporary_file.hpp"
#include "artel/core/error.hpp"

namespace artel::command::detail {

/// A text in a SpillFile, in pieces.
struct SpilledText {
  std::uint64_t first = 0;  ///< place of the first piece; 0: there is none
  std::uint64_t last = 0;
  std::uint64_t pieces = 0;

  [[nodiscard]] bool empty() const { return first == 0; }
};

/// Texts that grow side by side in one temporary file, whose space comes back as they are taken.
///
/// Invariants:
///  S1  A piece is a head, which tells its length and the place of the text's next piece, and its
///      bytes; each text is a list of pieces.
///  S2  A piece lies within one section of the file. A section without pieces has no space on disk,
///      but for the one that is being filled.
/// Cost:    append() three system calls at most, take() two; 16 bytes or so per section with
/// pieces. Errors:  as of TemporaryFile. Threads: one at a time.
class SpillFile {
 public:
  explicit SpillFile(std::uint64_t bytes_max = ~std::uint64_t{0}) : bytes_max_(bytes_max) {}

  /// Adds to the end of `text`.
  [[nodiscard]] Result<void> append(SpilledText& text, std::string_view more);
  /// Takes the first piece off `text` and puts it into `out`.
  [[nodiscard]] Result<void> take(SpilledText& text, std::string& out);
  /// Forgets what is left of `text`.
  [[nodiscard]] Result<void> drop(SpilledText& text);

  /// Whether it has as much as it should have, and something. It takes more all the same.
  [[nodiscard]] bool full() const { return bytes_ + also_ > 0 && bytes_ + also_ >= bytes_max_; }
  /// So many bytes elsewhere count as if they were here.
  void count_also(std::uint64_t bytes) { also_ = bytes; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[nodiscard]] std::uint64_t bytes_max() const { return bytes_max_; }

  static constexpr std::uint64_t kSection = std::uint64_t{1} << 20U;

 private:
  struct Head {
    std::uint64_t next = 0;
    std::uint64_t bytes = 0;
  };
  static constexpr std::uint64_t kStart = sizeof(Head);  // place 0 means none
  static constexpr std::uint64_t kPieceMax = kSection / 4;

  [[nodiscard]] Result<void> append_piece(SpilledText& text, std::string_view piece);
  [[nodiscard]] Result<Head> head_at(std::uint64_t place) const;
  void gone(std::uint64_t place, const Head& head);

  std::uint64_t bytes_max_;
  TemporaryFile file_;
  std::uint64_t end_ = kStart;
  std::uint64_t bytes_ = 0;  // of the pieces
  std::uint64_t also_ = 0;
  std::unordered_map<std::uint64_t, std::uint64_t> sections_;  // pieces in each that has any
};

}  // namespace artel::command::detail
