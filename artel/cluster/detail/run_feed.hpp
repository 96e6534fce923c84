#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "artel/cluster/detail/chunk_feed.hpp"
#include "artel/cluster/detail/remote_body.hpp"
#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/chunk_result.hpp"
#include "artel/cluster/protocol/decoder.hpp"
#include "artel/cluster/remote_error.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/parallel/item_failure.hpp"
#include "artel/parallel/work_grant.hpp"

namespace artel::cluster::detail {

template <class Grant>
class RunFeed;

/// The chunks of one map or reduce, taken by its grants and encoded for their way.
template <class Run>
class RunFeed<parallel::WorkGrant<Run>> final : public ChunkFeed {
  using Grant = parallel::WorkGrant<Run>;
  using Body = typename Run::Body;
  using Chunk = typename Run::Chunk;
  using Remote = RemoteBody<Body>;

 public:
  void add(Grant grant) {
    const std::lock_guard guard(lock_);
    if (!run_) run_ = grant.run_shared();
    grants_.push_back(std::move(grant));
  }

  std::optional<ChunkOrder> take() override {
    std::optional<Grant> held;
    std::size_t others = 0;
    {
      const std::lock_guard guard(lock_);
      if (grants_.empty()) return std::nullopt;
      held.emplace(std::move(grants_.back()));
      grants_.pop_back();
      others = grants_.size();
    }
    ChunkOrder order;
    auto chunk = held->take([&](Chunk& cut, const Body& body) { pack(cut, body, order); });
    if (!chunk) {
      drop_grants(others);
      return std::nullopt;
    }
    order.index = chunk->index;
    const std::lock_guard guard(lock_);
    grants_.push_back(*std::move(held));
    chunks_.emplace(order.index, std::move(*chunk));
    return order;
  }

  bool may_have_more() override {
    const std::lock_guard guard(lock_);
    return !grants_.empty();
  }

  void finish(const ChunkResult& result) override {
    const auto chunk = let_go(result.index);
    if (!chunk) return;
    run_->weigh(result.count, result.output.size());
    if (on_failure_) {
      for (const RemoteProblem& problem : result.problems) {
        on_failure_({problem.item, problem.attempts,
                     std::make_exception_ptr(RemoteError(problem, result.worker))});
      }
    }
    auto output = Remote::output(result);
    if (!output) {
      output.error().what = "the result of worker " + result.worker + ": " + output.error().what;
      run_->bring_back(*chunk, {}, result.worked, task_error(std::move(output.error())));
    } else if (result.outcome == ChunkOutcome::done) {
      run_->bring_back(*chunk, std::move(*output), result.worked, {});
    } else {
      const RemoteProblem problem =
          result.problems.empty() ? RemoteProblem{} : result.problems.back();
      go_without(*chunk, std::move(*output), result.worked, problem.attempts,
                 std::make_exception_ptr(RemoteError(problem, result.worker)));
    }
  }

  void tell() override {
    std::shared_ptr<Run> run;
    {
      const std::lock_guard guard(lock_);
      run = run_;
    }
    if (run) run->tell();
  }

  void fail(std::uint64_t index, std::exception_ptr error) override {
    if (const auto chunk = let_go(index)) run_->bring_back(*chunk, {}, {}, std::move(error));
  }

  void give_up(std::uint64_t index, std::uint32_t attempts, std::exception_ptr error) override {
    if (const auto chunk = let_go(index)) go_without(*chunk, {}, {}, attempts, error);
  }

 private:
  // For a body that collects, the items of the chunk have failed; others end.
  void go_without(const Chunk& chunk, typename Run::Output&& output, Duration worked,
                  std::uint32_t attempts, const std::exception_ptr& error) {
    if constexpr (requires { Remote::failures(chunk.first, chunk.size, attempts, error); }) {
      run_->bring_back(chunk, Remote::failures(chunk.first, chunk.size, attempts, error), worked,
                       {});
    } else {
      run_->bring_back(chunk, std::move(output), worked, error);
    }
  }

  // The first ones: those that were there when one of them was of no more use, and so are these.
  // What comes later is not.
  void drop_grants(std::size_t count) {
    std::vector<Grant> useless;  // they end without the lock
    const std::lock_guard guard(lock_);
    const auto end = grants_.begin() + static_cast<std::ptrdiff_t>(count);
    useless.assign(std::make_move_iterator(grants_.begin()), std::make_move_iterator(end));
    grants_.erase(grants_.begin(), end);
  }

  // Inside of take(): the caller's range and function are there.
  void pack(Chunk& chunk, const Body& body, ChunkOrder& order) {
    order = ChunkOrder{};
    Remote::order(body, order);
    order.first = chunk.first;
    order.count = static_cast<std::uint32_t>(chunk.items.size());
    for (std::size_t i = 0; i < chunk.items.size(); ++i) {
      const typename Remote::Item& item = chunk.items.get(i);
      encode_to(order.items, item);
    }
    run_->weigh(order.count, order.items.size());
    if (!asked_) on_failure_ = body.call().on_failure();
    asked_ = true;
  }

  std::optional<Chunk> let_go(std::uint64_t index) {
    const std::lock_guard guard(lock_);
    const auto at = chunks_.find(index);
    if (at == chunks_.end()) return std::nullopt;
    std::optional<Chunk> chunk(std::move(at->second));
    chunks_.erase(at);
    return chunk;
  }

  // Written by the first take(), before any chunk is out.
  bool asked_ = false;
  std::function<void(const parallel::ItemFailure&)> on_failure_;

  std::mutex lock_;
  std::shared_ptr<Run> run_;
  std::vector<Grant> grants_;                        // each the right to take more
  std::unordered_map<std::uint64_t, Chunk> chunks_;  // taken, not finished; without their items
};

}  // namespace artel::cluster::detail
