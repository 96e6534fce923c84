#pragma once

#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

namespace artel::flow {

/// The right to work on one map or reduce, a chunk at a time; what an executor is given.
///
/// Keeps what is shared with the caller alive, but not the caller's range and function: when the
/// caller has left, take() gives nothing and finish() does nothing.
/// Threads: one at a time; different tickets at once.
template <class Run>
class Ticket {
 public:
  using Chunk = typename Run::Chunk;
  using Output = typename Run::Output;

  explicit Ticket(std::shared_ptr<Run> run) : run_(std::move(run)) {}
  Ticket(Ticket&&) noexcept = default;
  Ticket& operator=(Ticket&& other) noexcept {
    Ticket(std::move(other)).run_.swap(run_);
    return *this;
  }
  ~Ticket() {
    if (run_) run_->ticket_gone();
  }

  /// Works on chunks for some milliseconds, or until there is nothing more to do.
  void run() { run_->work_a_turn(run_); }

  /// A chunk to work on; nothing: there is none now, and this ticket is of no more use.
  [[nodiscard]] std::optional<Chunk> take() { return run_->take_away(); }
  /// The chunk is done: what came out, or the exception, or both if it threw in the middle.
  void finish(const Chunk& chunk, Output output, std::exception_ptr error = {}) {
    run_->bring_back(chunk, std::move(output), std::move(error));
  }

 private:
  std::shared_ptr<Run> run_;
};

}  // namespace artel::flow
