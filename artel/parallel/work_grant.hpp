#pragma once

#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "artel/core/instant.hpp"

namespace artel::parallel {

/// The right to work on one map or reduce, a chunk at a time; what an executor is given.
///
/// Keeps what is shared with the caller alive, but not the caller's range and function: when the
/// caller has left, take() gives nothing and finish() does nothing.
/// Threads: one at a time; different grants at once.
template <class Run>
class WorkGrant {
 public:
  using Chunk = typename Run::Chunk;
  using Output = typename Run::Output;

  explicit WorkGrant(std::shared_ptr<Run> run) : run_(std::move(run)) {}
  WorkGrant(WorkGrant&&) noexcept = default;
  WorkGrant& operator=(WorkGrant&& other) noexcept {
    WorkGrant(std::move(other)).run_.swap(run_);
    return *this;
  }
  ~WorkGrant() {
    if (run_) run_->grant_gone();
  }

  /// Works on chunks for some milliseconds, or until there is nothing more to do.
  void run() { run_->work_a_turn(run_); }

  /// A chunk to work on elsewhere, without its items; nothing: there is none now, and this grant
  /// is of no more use. Calls `send(chunk, body)` with the items and what is to be done with them,
  /// which belong to the caller's range and function, and are there during this call only. Throws
  /// it, then the map ends with that exception. May take as long as the caller's range does.
  template <class Send>
  [[nodiscard]] std::optional<Chunk> take(Send&& send) {
    return run_->take_away(std::forward<Send>(send));
  }
  /// The chunk is done: what came out, or the exception, or both if it threw in the middle; and how
  /// long somebody worked on it.
  void finish(const Chunk& chunk, Output output, Duration worked, std::exception_ptr error = {}) {
    run_->bring_back(chunk, std::move(output), worked, std::move(error));
    run_->tell();
  }

  /// The same for all grants of one map.
  [[nodiscard]] const void* run_id() const { return run_.get(); }
  /// What finishes chunks when this grant is of no more use.
  [[nodiscard]] std::shared_ptr<Run> run_shared() const { return run_; }

 private:
  std::shared_ptr<Run> run_;
};

}  // namespace artel::parallel
