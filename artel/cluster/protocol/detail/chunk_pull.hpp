#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "artel/core/instant.hpp"

namespace artel::cluster::detail {

/// What a worker asks a consumer of the pool's queue for: so many chunks, which come one by one as
/// soon as there are any, at once or within kOpen.
///
/// One request is open at a time, so never more is to come than was asked for last. It ends when
/// all its chunks are there, when the server says so, or when the server should have said so.
/// Threads: one at a time; no clock, no network: `now` and what comes are from outside.
class ChunkPull {
 public:
  static constexpr Duration kOpen = std::chrono::milliseconds(500);
  static constexpr Duration kLate = std::chrono::milliseconds(500);   // for the server's word
  static constexpr Duration kPause = std::chrono::milliseconds(100);  // when it refused

  /// `inbox`: the subject below which answers come.
  explicit ChunkPull(std::string inbox) : inbox_(std::move(inbox)) {}

  [[nodiscard]] bool is_open(Instant now) const { return left_ > 0 && now < ends_; }
  [[nodiscard]] bool may_ask(Instant now) const { return !is_open(now) && now >= next_; }
  /// Whether the last request ended without the server's word: perhaps there is no such consumer
  /// any more. True once.
  [[nodiscard]] bool was_lost(Instant now);
  /// Until then, nothing has to be done unless something comes.
  [[nodiscard]] Instant quiet_until() const { return left_ > 0 ? ends_ : next_; }

  /// Where its answers are wanted. Requires: may_ask(), at least one chunk.
  [[nodiscard]] std::string ask(std::size_t chunks, Instant now);
  /// Nothing more will come of what was asked for.
  void forget() { left_ = 0; }

  void chunk_came();
  /// What the server says about a request, on the request's own subject.
  void status_came(std::string_view subject, std::string_view status, Instant now);

 private:
  [[nodiscard]] std::string reply() const;

  std::string inbox_;
  std::uint64_t number_ = 0;  // of the last request
  std::size_t left_ = 0;      // of its chunks
  Instant ends_{};
  Instant next_{};
};

}  // namespace artel::cluster::detail
