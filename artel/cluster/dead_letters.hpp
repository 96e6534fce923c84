#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "artel/cluster/connection.hpp"
#include "artel/cluster/protocol/dead_letter.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/core/error.hpp"

namespace artel::cluster {

/// A chunk that was given up: its function threw at every try, or its workers were lost each time.
struct GivenUpChunk {
  DeadLetter letter;            ///< with the order decoded; without, if it cannot be
  std::uint64_t number = 0;     ///< in the stream of dead letters; names it in discard()
  std::uint64_t abandoned = 0;  ///< its number in the queue, if its master was gone before it
  std::uint64_t stored_s = 0;   ///< when the server got it, in seconds since 1970
  /// Why requeue() refuses it: it is forged, or cannot be read. Empty: it does not.
  std::string doubt;
  /// Of its other letters: copies that two workers had at once may both have failed.
  std::vector<std::uint64_t> older;
};

/// An order that was made so long before it was given up is rather an old one that somebody who has
/// recorded it puts there once more: see is_old().
inline constexpr std::uint64_t kOldOrderSeconds = std::uint64_t{48} * 3600;
[[nodiscard]] bool is_old(const GivenUpChunk& chunk);

/// Keeps a chunk that is given up, with the order as its master sealed it; one that is not sealed
/// yet, under our own key. A reason for which there is no room is cut short.
/// Errors: the connection's.
[[nodiscard]] Result<void> bury(const Connection& connection, const Subjects& subjects,
                                DeadLetter letter);

/// All that the pool keeps, oldest first, each chunk once, with what was said of it last; none if
/// nobody has used the pool yet. What is forged, or cannot be read, is among them by itself.
///
/// A chunk that its master has not buried because the master itself was gone is among them.
/// Errors:  the connection's. Threads: any; waits for the server.
[[nodiscard]] Result<std::vector<GivenUpChunk>> dead_letters(const Connection& connection,
                                                             const Subjects& subjects);

/// Removes it. Errors: the connection's.
[[nodiscard]] Result<void> discard(const Connection& connection, const Subjects& subjects,
                                   const GivenUpChunk& chunk);

/// Puts the order back into the queue, byte for byte as its master sealed it, with all its tries,
/// and removes it here when the queue has it. A worker that does not take it puts it here again.
/// Its result reaches a master that still waits for it; of a map that has failed, nobody. Errors:
/// the connection's; unsupported: the connection's keys say that no master of the pool has
///         signed it, it cannot be read, or its items were larger than a message, and so only its
///         master had them. It stays where it is.
[[nodiscard]] Result<void> requeue(const Connection& connection, const Subjects& subjects,
                                   const GivenUpChunk& chunk);

}  // namespace artel::cluster
