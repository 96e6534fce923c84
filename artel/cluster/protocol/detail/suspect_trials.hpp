#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "artel/cluster/protocol/detail/outstanding_chunks.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster::detail {

/// Chunks that the server has given up, since every worker that had them was lost.
///
/// A crash counts against every chunk that the worker had in hand. So each is tried once more, by
/// itself, before it is held responsible: one after the other, when nothing else of the job is out.
/// What a worker dies of then is the suspect. So they wait for chunks that take long, or until the
/// window is full of results.
/// Threads: one at a time.
class SuspectTrials {
 public:
  enum class Suspicion : std::uint8_t {
    suspect,  ///< from now on
    known,    ///< as a suspect: a copy from before its trial
    again,    ///< in its trial, but an answer may have been lost: it gets another copy, see begun()
    guilty,   ///< it had the workers for itself
  };
  /// `tries`: workers that a copy may cost. One is not enough for a verdict.
  explicit SuspectTrials(unsigned tries) : copies_(tries > 1 ? 1 : 2) {}

  /// A copy of this epoch was given up. Requires: the chunk is out.
  Suspicion given_up(std::uint64_t index, std::uint32_t epoch);

  struct Change {
    std::optional<std::uint64_t> to_try;  ///< its next copy is to be sent now; see begun()
    bool over = false;                    ///< the last trial: others may be sent again
  };
  /// To be called now and then.
  [[nodiscard]] Change next(const OutstandingChunks& chunks);
  /// The trial begins, or goes on, with the copy of this epoch.
  void begun(std::uint32_t epoch) { suspects_.front().trial = epoch; }

  /// Nothing else is to be sent meanwhile.
  [[nodiscard]] bool under_way() const { return trying_; }
  /// Whether this one waits for its trial: no copy of it is to be worked on.
  [[nodiscard]] bool waits(std::uint64_t index) const;
  /// Those that wait for their trial are not missed, nor slow.
  void wait(OutstandingChunks& chunks, Instant now) const;

 private:
  struct Suspect {
    std::uint64_t index = 0;
    std::uint32_t trial = 0;  // epoch of the first copy that has the workers for itself; 0: none
    unsigned lost = 0;        // copies of it, one after the other
  };
  unsigned copies_;  // that a trial takes
  std::vector<Suspect> suspects_;
  bool trying_ = false;  // the first of them
};

}  // namespace artel::cluster::detail
