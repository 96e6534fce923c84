#pragma once

#include <cstdint>
#include <string>
#include <string_view>

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

/// Texts that grow side by side in one temporary file, which is emptied whenever no text is in it.
///
/// Invariant: a piece is a head, which tells its length and the place of the text's next piece, and
///            its bytes; each text is a list of pieces.
/// Cost:    append() three system calls at most, take() two; no memory per text or piece.
/// Errors:  as of TemporaryFile.
/// Threads: one at a time.
class SpillFile {
 public:
  /// Adds a piece. Shape: `piece` is not empty.
  [[nodiscard]] Result<void> append(SpilledText& text, std::string_view piece);
  /// Takes the first piece off `text` and puts it into `out`.
  [[nodiscard]] Result<void> take(SpilledText& text, std::string& out);
  /// Forgets what is left of `text`. Its space comes back when the file is emptied.
  void drop(SpilledText& text);

 private:
  struct Head {
    std::uint64_t next = 0;
    std::uint64_t bytes = 0;
  };
  static constexpr std::uint64_t kStart = sizeof(Head);  // place 0 means none

  void gone(std::uint64_t pieces);

  TemporaryFile file_;
  std::uint64_t end_ = kStart;
  std::uint64_t pieces_ = 0;
};

}  // namespace artel::command::detail
