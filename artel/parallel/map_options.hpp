#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stop_token>

#include "artel/core/instant.hpp"
#include "artel/parallel/item_failure.hpp"
#include "artel/parallel/progress.hpp"

namespace artel::parallel {

/// How the workers get their first chunks. Results are equal.
enum class Start : std::uint8_t {
  distribute,  ///< the caller cuts one chunk for each, as long as the source has any
  empty,  ///< each gets an empty chunk "-1", neither stored nor counted, and then asks for more
};

/// How many chunks per worker the window is wide, if nobody says otherwise.
inline constexpr std::size_t kWindowPerWorker = 4;

/// How a map or reduce is done. Everything has a default.
struct MapOptions {
  std::size_t chunk = 0;    ///< items in a chunk; 0: as many as take about 200 us (ChunkSizer)
  std::size_t workers = 0;  ///< chunks in work at once; 0: as many as the executor has workers
  /// Chunks, cut but with results not handed over yet; no more are cut then. 0: 4 per worker, but
  /// no limit where the results are kept anyway (a vector).
  std::size_t window = 0;
  Start start = Start::distribute;

  unsigned retries = 0;  ///< so many times more is the function tried with an item it threw for
  /// Hears of every attempt that failed, on the thread where it did; may be called concurrently.
  std::function<void(const ItemFailure&)> on_failure{};

  /// Asked to stop: no more chunks are cut, those in work end after the current items, and whoever
  /// waits for results gets pool::TaskError (cancelled).
  std::stop_token stop{};

  /// Hears how far it is, on the caller's thread, at most once per `progress_every`, and at the
  /// end.
  std::function<void(const Progress&)> progress{};
  Duration progress_every = std::chrono::milliseconds(100);  ///< the least time between two calls
};

}  // namespace artel::parallel
