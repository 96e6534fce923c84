#pragma once

#include <cstdint>
#include <vector>

#include "artel/cluster/connection.hpp"
#include "artel/cluster/protocol/dead_letter.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/core/error.hpp"

namespace artel::cluster {

/// A chunk that was given up: its function threw at every try, or its workers were lost each time.
struct GivenUpChunk {
  DeadLetter letter;
  std::uint64_t number = 0;     ///< in the stream of dead letters; names it in discard()
  std::uint64_t abandoned = 0;  ///< its number in the queue, if its master was gone before it
  /// Of its other letters: copies that two workers had at once may both have failed.
  std::vector<std::uint64_t> older;
};

/// Keeps a chunk that is given up. Errors: the connection's.
[[nodiscard]] Result<void> bury(const Connection& connection, const Subjects& subjects,
                                const DeadLetter& letter);

/// All that the pool keeps, oldest first, each chunk once, with what was said of it last; none if
/// nobody has used the pool yet.
///
/// A chunk that its master has not buried because the master itself was gone is among them.
/// Errors:  the connection's. Threads: any; waits for the server.
[[nodiscard]] Result<std::vector<GivenUpChunk>> dead_letters(const Connection& connection,
                                                             const Subjects& subjects);

/// Removes it. Errors: the connection's.
[[nodiscard]] Result<void> discard(const Connection& connection, const Subjects& subjects,
                                   const GivenUpChunk& chunk);

/// Puts it back into the queue, with all its tries, and removes it here. Its result reaches a
/// master that still waits for it; of a map that has failed, nobody.
/// Errors: the connection's; unsupported: its items were larger than a message, and so only its
///         master had them. It stays where it is.
[[nodiscard]] Result<void> requeue(const Connection& connection, const Subjects& subjects,
                                   const GivenUpChunk& chunk);

}  // namespace artel::cluster
