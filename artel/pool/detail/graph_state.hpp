#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/pool/future.hpp"

namespace artel::pool {

class Pool;

namespace detail {

class Submission;

/// The callable of a task that may run again.
class AnyGraphCall {
 public:
  AnyGraphCall() = default;
  AnyGraphCall(const AnyGraphCall&) = delete;
  AnyGraphCall& operator=(const AnyGraphCall&) = delete;
  virtual ~AnyGraphCall() = default;
  virtual void call() = 0;
};
template <class F>
class GraphCall final : public AnyGraphCall {
 public:
  explicit GraphCall(F fn) : fn_(std::move(fn)) {}
  void call() override { static_cast<void>(std::invoke(fn_)); }

 private:
  F fn_;
};

/// The tasks of a TaskGraph, and its run.
///
/// Invariants:
///  G1  A task is started, or skipped, by whoever ended the last one that it comes after (missing).
///  G2  `left_` counts the tasks that have not ended, and run() itself until it has started those
///      that wait for nothing. Whoever takes the last ends the run, and touches nothing afterwards.
///  G3  While it runs it keeps itself (self_).
/// Threads: one at a time changes and runs; the tasks any.
class GraphState : public std::enable_shared_from_this<GraphState> {
 public:
  GraphState() = default;
  GraphState(const GraphState&) = delete;
  GraphState& operator=(const GraphState&) = delete;

  std::size_t add_task(std::string name, std::unique_ptr<AnyGraphCall> call);
  void add_edge(std::size_t from, std::size_t to);
  [[nodiscard]] std::size_t size() const { return vertices_.size(); }
  [[nodiscard]] Future<void> run(Pool& pool, const std::stop_token& stop);

 private:
  struct Vertex {
    std::string name;
    std::unique_ptr<AnyGraphCall> call;
    std::vector<Vertex*> dependants{};
    std::uint32_t dependencies = 0;
    std::size_t number = 0;
    // Of the run.
    std::atomic<std::uint32_t> missing = 0;
    std::atomic<bool> skipped = false;
    Vertex* next = nullptr;  // to be ended by the same thread
  };
  struct QueuedVertex {
    GraphState* graph;
    Vertex* vertex;
    void run() const { graph->execute(vertex); }
    void drop() const noexcept { graph->skip(*vertex, error_of_drop()); }
  };

  static Error error_of_drop();
  [[nodiscard]] std::optional<Error> find_cycle() const;
  void execute(Vertex* vertex);
  void skip(Vertex& vertex, Error error);
  void end(Vertex& vertex, Vertex*& todo);
  void keep(Error error);
  void end_one();

  std::deque<Vertex> vertices_;
  bool checked_ = true;  // no edge was added since it was found to be without cycles

  // Of the run.
  std::atomic<bool> running_ = false;
  Submission* submission_ = nullptr;
  std::stop_token stop_;
  std::atomic<std::size_t> left_ = 0;
  std::mutex lock_;  // of the next two
  std::exception_ptr exception_;
  std::optional<Error> error_;
  std::optional<Promise<void>> done_;
  std::shared_ptr<GraphState> self_;
};

}  // namespace detail
}  // namespace artel::pool
