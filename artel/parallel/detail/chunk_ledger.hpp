#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>

#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/parallel/detail/chunk_sizer.hpp"
#include "artel/parallel/detail/cut_chunk.hpp"
#include "artel/parallel/detail/first_failure.hpp"
#include "artel/parallel/detail/result_store.hpp"
#include "artel/parallel/detail/run_news.hpp"
#include "artel/parallel/detail/run_plan.hpp"
#include "artel/parallel/map_options.hpp"

namespace artel::parallel::detail {

/// The chunks of one map or reduce: which are cut, in work, done and handed over, what came out of
/// them, and who may still touch the source.
///
/// Its state is `created` chunks, those in work, those handed over, and whether the source has
/// ended; it is over when the source has ended and nothing is in work.
/// Invariants:
///  F1  At most `width` chunks are cut and not done. At most `window` chunks are cut and not handed
///      over.
///  F2  Chunks are numbered in the order in which they are cut, by one thread at a time.
///  F3  The limit is the lowest index of a chunk that failed (0: all is cancelled). No chunk is cut
///      any more then; those below the limit are still done, so that the caller sees what a plain
///      loop would have done before it threw. A source that lets its reader wait does not keep the
///      failure from the caller: what is yet to be cut comes behind it.
///  F4  After close() no thread enters; when is_left() says so, none but the caller's is inside.
/// Threads: all members but the constructor and drop_source() are safe from any thread.
// NOLINTBEGIN(bugprone-unchecked-optional-access): the source is there until drop_source()
template <class Source, class Output, bool silent>
class ChunkLedger {
 public:
  using Items = typename Source::Items;
  using Chunk = CutChunk<Items>;

  ChunkLedger(Source source, RunPlan plan, ChunkSizer::Limits limits)
      : source_(std::move(source)),
        plan_(plan),
        width_(limits.width),
        sizer_(limits),
        store_(plan.order) {}

  [[nodiscard]] RunNews& news() { return news_; }
  /// Items, if known. Requires: nobody cuts.
  [[nodiscard]] std::optional<std::uint64_t> items_left() const { return source_->left(); }
  [[nodiscard]] std::uint64_t items_done() {
    const std::lock_guard guard(lock_);
    return items_done_;
  }

  // ---- Cutting

  /// A chunk that is now this thread's to work on: one that was cut already, or a new one.
  std::optional<Chunk> take() {
    {
      const std::lock_guard guard(lock_);
      if (!pending_.empty()) {
        std::optional<Chunk> chunk(std::move(pending_.front()));
        pending_.pop_front();
        return chunk;
      }
    }
    return cut_next();
  }

  std::optional<Chunk> cut_next() {
    std::unique_lock cutting(cut_lock_, std::defer_lock);
    {
      const std::lock_guard guard(lock_);
      if (!may_cut()) return std::nullopt;
      ++in_work_;
      ++to_cut_;
      ++alive_;
      // So nobody gets in between, if it is free: see may_help().
      static_cast<void>(cutting.try_lock());
    }
    if (!cutting.owns_lock()) cutting.lock();
    return cut();
  }

  /// For whoever takes a chunk next.
  void hold(Chunk chunk) {
    const std::lock_guard guard(lock_);
    pending_.push_back(std::move(chunk));
  }
  [[nodiscard]] bool holds_any() {
    const std::lock_guard guard(lock_);
    return !pending_.empty();
  }

  /// Whether the last chunk has been cut: looks one item ahead.
  bool last_chunk_cut() {
    const std::lock_guard cutting(cut_lock_);
    try {
      const bool last = source_->at_end();
      const std::lock_guard guard(lock_);
      if (last) ended_ = true;
      return last;
    } catch (...) {
      const std::lock_guard guard(lock_);
      source_failed(std::current_exception());
      return false;
    }
  }

  /// So many items, or their results, had so many bytes on their way.
  void weigh(std::size_t items, std::size_t bytes) {
    const std::lock_guard guard(lock_);
    sizer_.weigh(items, bytes);
  }

  // ---- Results

  /// Whether anybody wants the results of this chunk.
  [[nodiscard]] bool wanted(std::uint64_t index) const { return failure_.is_before(index); }

  /// To be followed by news, announced or noted.
  void done(const Chunk& chunk, Duration worked, Output output, std::exception_ptr error) {
    const std::lock_guard guard(lock_);
    if (closed_) return;
    --in_work_;
    items_done_ += chunk.size;
    sizer_.record(chunk.size, worked);
    if (error) failure_.fail(chunk.index, std::move(error));
    if constexpr (silent) {
      --alive_;
    } else {
      store_.put(chunk.index, std::move(output));
    }
  }

  struct Handover {
    std::optional<Output> output;  ///< of the next chunk
    bool over = false;             ///< there will be no more
    bool may_help = false;         ///< neither: a local caller can run a chunk
  };
  /// Throws what the range or the function threw, when what came before has been handed over.
  Handover hand_over() {
    Handover next;
    const std::lock_guard guard(lock_);
    if (!past_failure()) next.output = store_.take();
    if (next.output) {
      --alive_;
    } else if (all_handed_over()) {
      failure_.rethrow();
      next.over = true;
    } else {
      next.may_help = may_help();
    }
    return next;
  }

  // ---- Grants

  void grant_given() {
    const std::lock_guard guard(lock_);
    ++grants_;
  }
  void grant_gone() {
    {
      const std::lock_guard guard(lock_);
      --grants_;
    }
    news_.announce();
  }
  /// Workers have come: the bounds of F1 are those for so many, but for a window that is the user's
  /// (0: it is not). They never get narrower.
  void widen(std::size_t width, std::size_t users_window) {
    const std::lock_guard guard(lock_);
    if (users_window > 0) width = std::min(width, users_window);
    if (width <= width_) return;
    width_ = width;
    sizer_.widen(width);
    if (users_window == 0 && plan_.window > 0) plan_.window = width * kWindowPerWorker;
  }
  /// How many more grants could find something to do; the caller may be one of the workers.
  [[nodiscard]] std::size_t grants_missing(bool caller_works) {
    const std::lock_guard guard(lock_);
    const std::size_t most = caller_works ? width_ - 1 : width_;
    const bool more = !ended_ && failure_.none();
    const std::size_t held = pending_.size() - (caller_works && !pending_.empty() ? 1 : 0);
    const std::size_t useful = more && room_in_window() ? most : std::min(most, held);
    return useful > grants_ ? useful - grants_ : 0;
  }
  /// Whether nobody is left who could bring anything.
  [[nodiscard]] bool is_forsaken() {
    const std::lock_guard guard(lock_);
    const bool idle = grants_ == 0 && in_work_ == pending_.size();
    return idle && store_.empty() && !all_handed_over();
  }

  // ---- The end

  /// A thread other than the caller's, inside; false: it comes too late.
  class Visit {
   public:
    explicit Visit(ChunkLedger& ledger) : ledger_(ledger) {
      const std::lock_guard guard(ledger_.lock_);
      inside_ = !ledger_.closed_;
      if (inside_) ++ledger_.inside_;
    }
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;
    ~Visit() {
      if (!inside_) return;
      bool awaited = false;
      {
        const std::lock_guard guard(ledger_.lock_);
        --ledger_.inside_;
        awaited = ledger_.closed_;
      }
      if (awaited) ledger_.news_.announce();  // close() is all that waits for it
    }
    explicit operator bool() const { return inside_; }

   private:
    ChunkLedger& ledger_;
    bool inside_ = false;
  };

  /// What has not begun never will; returns it, to be destroyed when the others have left.
  [[nodiscard]] std::deque<Chunk> close() {
    const std::lock_guard guard(lock_);
    closed_ = true;
    failure_.cancel();
    store_.clear();
    return std::exchange(pending_, {});
  }
  [[nodiscard]] bool is_left() {
    const std::lock_guard guard(lock_);
    return inside_ == 0;
  }
  /// Requires: closed and left.
  void drop_source() { source_.reset(); }

 private:
  // ---- All below with lock_ held, but for cut()

  [[nodiscard]] bool may_cut() const {
    return !ended_ && failure_.none() && in_work_ < width_ &&
           (plan_.window == 0 || alive_ < plan_.window);
  }

  // A caller that consumes must not wait for the source while results may come.
  [[nodiscard]] bool may_help() const {
    if (!pending_.empty()) return true;
    return may_cut() && (plan_.caller == Caller::works || Source::kSized || in_work_ == 0);
  }

  // With cut_lock_ held, and a place in in_work_ and alive_ reserved.
  std::optional<Chunk> cut() {
    std::optional<Chunk> chunk(std::in_place);
    std::size_t most = 0;
    {
      const std::lock_guard guard(lock_);
      if (!ended_) most = sizer_.next(source_->left());
    }
    chunk->begun = steady_now();
    std::exception_ptr error;
    try {
      if (most > 0) source_->cut(most, chunk->items);
    } catch (...) {
      error = std::current_exception();
    }
    chunk->size = chunk->items.size();
    {
      const std::lock_guard guard(lock_);
      chunk->first = items_cut_;
      chunk->index = created_;
      items_cut_ += chunk->size;
      --to_cut_;
      if (chunk->size > 0) {
        ++created_;
      } else {
        --in_work_;
        --alive_;
      }
      if (chunk->size == 0 || (Source::kSized && source_->at_end())) ended_ = true;
      if (error) source_failed(std::move(error));
      if (chunk->size > 0) return chunk;
    }
    news_.announce();
    return std::nullopt;
  }

  // As if the next chunk had failed.
  void source_failed(std::exception_ptr error) {
    ended_ = true;
    failure_.fail(created_, std::move(error));
    ++created_;
  }

  // And no output to take.
  [[nodiscard]] bool all_handed_over() const {
    if (!silent && plan_.order == Order::source && !failure_.is_before(store_.taken())) return true;
    return failure_.none() ? ended_ && in_work_ == 0 : in_work_ == to_cut_;
  }

  // What is next in order comes after the item that failed.
  [[nodiscard]] bool past_failure() const {
    return plan_.order == Order::source && store_.taken() > failure_.limit();
  }

  // A wide window that moved by one chunk at a time would wake a worker for each.
  [[nodiscard]] bool room_in_window() const {
    if (plan_.window == 0) return true;
    const bool wide = plan_.window >= kWindowPerWorker * width_;
    return alive_ + (wide ? plan_.window / 2 : 1) <= plan_.window;
  }

  std::mutex cut_lock_;  // taken before lock_, or tried while holding it
  std::optional<Source> source_;

  FirstFailure failure_;  // F3; changed under lock_

  std::mutex lock_;  // guards everything down to closed_
  RunPlan plan_;     // but for its order and caller, which stay
  std::size_t width_;
  ChunkSizer sizer_;
  ResultStore<Output> store_;
  std::deque<Chunk> pending_;  // cut, and nobody works on them yet
  std::uint64_t created_ = 0;  // chunks
  std::size_t in_work_ = 0;    // chunks cut, or about to be, and not done
  std::size_t to_cut_ = 0;     // of these, the ones about to be cut
  std::size_t alive_ = 0;      // chunks cut, or about to be, and not handed over
  std::size_t grants_ = 0;     // out
  std::size_t inside_ = 0;     // threads other than the caller's
  std::uint64_t items_cut_ = 0;
  std::uint64_t items_done_ = 0;
  bool ended_ = false;   // the source has
  bool closed_ = false;  // the caller has left

  RunNews news_;
};

// NOLINTEND(bugprone-unchecked-optional-access)

}  // namespace artel::parallel::detail
