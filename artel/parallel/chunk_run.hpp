#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/parallel/detail/chunk_sizer.hpp"
#include "artel/parallel/detail/result_store.hpp"
#include "artel/parallel/executor.hpp"
#include "artel/parallel/map_options.hpp"
#include "artel/parallel/progress.hpp"
#include "artel/parallel/work_grant.hpp"
#include "artel/pool/future.hpp"
#include "artel/sync/blocking_hook.hpp"
#include "artel/sync/event_count.hpp"
#include "artel/sync/relax.hpp"

namespace artel::parallel {

/// What the caller does besides taking results.
enum class Caller : std::uint8_t {
  works,     ///< runs chunks, as one of the workers
  consumes,  ///< uses the results; runs chunks only when nobody else would
};

/// One map or reduce under way: what its caller and the workers share.
///
/// Nobody is in charge: whoever has time for a chunk cuts it. The state of the run is `created`
/// chunks, those in work, those handed over, and whether the source has ended; it ends when the
/// source has and nothing is in work.
/// Invariants:
///  F1  At most `width` chunks are cut and not done; their items are destroyed before they count as
///      done. At most `window` chunks are cut and not handed over.
///  F2  Chunks are numbered in the order in which they are cut, by one thread at a time.
///  F3  `limit` is the lowest index of a chunk that failed (0: all is cancelled). No chunk is cut
///      any more then; those below the limit are still done, so that the caller sees what a plain
///      loop would have done before it threw.
///  F4  After close() no thread but the caller's is inside source or body, and none will be.
///  F5  A change that the caller may be waiting for is followed by changed(); what is brought back,
///      by tell() (the caller sees it without that, too, unless it sleeps). The caller sleeps only
///      while something is in work elsewhere, or grants are out that it must not work in place of.
/// Cost:    about 0.3 us per chunk, and one allocation per run.
/// Threads: start(), next() and close() by the caller; the rest by any, through grants.
// NOLINTBEGIN(bugprone-unchecked-optional-access): source and body live from start() to close()
template <class E, class Source, class Body>
class ChunkRun final : public std::enable_shared_from_this<ChunkRun<E, Source, Body>> {
  using Traits = ExecutorTraits<E>;

 public:
  using Items = typename Source::Items;
  using Output = typename Body::Output;

  struct Chunk {
    std::uint64_t index = 0;  ///< of the chunk
    std::uint64_t first = 0;  ///< of its first item
    std::size_t size = 0;     ///< items it was cut with
    Items items{};
    Instant begun{};  ///< when cutting began
  };

  struct Plan {
    Caller caller = Caller::works;
    detail::Order order = detail::Order::source;
    std::size_t window = 0;  ///< 0: no limit
  };

  ChunkRun(E& executor, Source source, Body body, Plan plan, const MapOptions& options)
      : executor_(executor),
        options_(options),
        plan_(plan),
        width_(width_of(executor, options, plan)),
        source_(std::move(source)),
        body_(std::move(body)),
        sizer_({.fixed = options.chunk,
                .width = width_,
                .most = Source::kChunkMax,
                .target = Traits::kChunkTime,
                .bytes = Traits::kChunkBytes}),
        store_(plan.order),
        meter_(source_->left(), options.progress_every, steady_now()) {}
  ChunkRun(const ChunkRun&) = delete;
  ChunkRun& operator=(const ChunkRun&) = delete;

  /// Gets the work going. A source that is no longer than one chunk is done here, without grants.
  void start() {
    if (Traits::kLocal && plan_.caller == Caller::works) {
      auto chunk = take();
      if (!chunk) return;
      if (last_chunk_cut()) {
        only_ = true;
        body_->only_chunk();
        process(*chunk);
        return;
      }
      hold(std::move(*chunk));
    }
    distribute();
  }

  /// The output of the next chunk, which it waits for or brings about; nothing: that was all.
  /// Throws what the range or the function threw, when it has handed over what came before;
  /// pool::TaskError when stopped.
  std::optional<Output> next() {
    for (;;) {
      if (options_.stop.stop_requested()) throw cancelled();
      const std::uint32_t seen = news_.load();
      std::optional<Output> output;
      bool help = false;
      {
        const std::lock_guard guard(lock_);
        if (!past_failure()) output = store_.take();
        if (output) {
          --alive_;
        } else if (all_handed_over()) {
          // Not kept here: it would end on whatever thread lets go of this run last.
          if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
          break;
        } else {
          help = may_help();
        }
      }
      report(false);
      top_up();
      if (output) return output;
      if (help) {
        if (auto chunk = take()) process(*chunk);
      } else {
        wait_for_news(seen);
      }
    }
    report(true);
    return std::nullopt;
  }

  /// Ends the work: what has not begun never will. Returns when no other thread touches the
  /// caller's things any more: for those inside the user's function, after the current items.
  void close() {
    std::deque<Chunk> dropped;
    {
      const std::lock_guard guard(lock_);
      closed_ = true;
      limit_.store(0, std::memory_order_relaxed);
      dropped.swap(pending_);
      store_.clear();
      failure_ = nullptr;
    }
    if constexpr (!Traits::kLocal) Traits::ended(executor_, this);
    const auto left = [this] {
      const std::lock_guard guard(lock_);
      return active_ == 0;
    };
    if (!left()) {
      static_cast<void>(sync::before_block());
      gate_.wait(kNever, left);
    }
    dropped.clear();
    source_.reset();
    body_.reset();
  }

  /// The one chunk was folded from the start already.
  [[nodiscard]] bool only_chunk() const { return only_; }

  // ---- For grants

  void work_a_turn(const std::shared_ptr<ChunkRun>& self) {
    const Entry entry(*this);
    if (!entry) return;
    Instant turn_ends = later(steady_now(), kTurn);
    while (auto chunk = take()) {
      if (process(*chunk) < turn_ends) continue;
      if (start_ticket(self)) return;  // after whatever else waits there
      turn_ends = later(turn_ends, kTurn);
    }
  }
  template <class Send>
  std::optional<Chunk> take_away(Send&& send) {
    const Entry entry(*this);
    if (!entry) return std::nullopt;
    while (auto chunk = take()) {
      std::exception_ptr error;
      try {
        send(*chunk, std::as_const(*body_));
      } catch (...) {
        error = std::current_exception();
      }
      chunk->items = Items{};  // F4
      if (!error) return chunk;
      done(*chunk, {}, {}, std::move(error));
      changed();
    }
    return std::nullopt;
  }
  /// A caller that sleeps hears of it when it is told: once for several chunks that come together.
  void bring_back(const Chunk& chunk, Output output, Duration worked, std::exception_ptr error) {
    const Entry entry(*this);
    if (!entry) return;
    done(chunk, worked, std::move(output), std::move(error));
    news_.fetch_add(1);
  }
  void tell() { changed(); }
  /// For executors elsewhere: so many items, or their results, had so many bytes on their way.
  void weigh(std::size_t items, std::size_t bytes) {
    const std::lock_guard guard(lock_);
    sizer_.weigh(items, bytes);
  }
  void ticket_gone() {
    {
      const std::lock_guard guard(lock_);
      --grants_;
    }
    changed();
  }

 private:
  // A worker gives others in its pool a turn after so long.
  static constexpr Duration kTurn = std::chrono::milliseconds(5);
  // Tickets that were refused are not offered again for so long.
  static constexpr Duration kRefused = std::chrono::milliseconds(1);
  static constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

  // A thread other than the caller's, inside; false: it comes too late.
  class Entry {
   public:
    explicit Entry(ChunkRun& run) : run_(run) {
      const std::lock_guard guard(run_.lock_);
      inside_ = !run_.closed_;
      if (inside_) ++run_.active_;
    }
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;
    ~Entry() {
      if (!inside_) return;
      bool awaited = false;
      {
        const std::lock_guard guard(run_.lock_);
        --run_.active_;
        awaited = run_.closed_;
      }
      if (awaited) run_.changed();  // close() is all that waits for it
    }
    explicit operator bool() const { return inside_; }

   private:
    ChunkRun& run_;
    bool inside_ = false;
  };

  static std::size_t width_of(const E& executor, const MapOptions& options, const Plan& plan) {
    std::size_t width = options.workers > 0 ? options.workers : Traits::width(executor);
    if (plan.window > 0) width = std::min(width, plan.window);
    return std::max<std::size_t>(width, 1);
  }

  // ---- Cutting

  // With lock_ held.
  [[nodiscard]] bool may_cut() const {
    return !ended_ && limit_.load(std::memory_order_relaxed) == kNoLimit && in_work_ < width_ &&
           (plan_.window == 0 || alive_ < plan_.window);
  }

  // With lock_ held. A caller that consumes must not wait for the source while results may come.
  [[nodiscard]] bool may_help() const {
    if (!Traits::kLocal) return false;
    if (!pending_.empty()) return true;
    return may_cut() && (plan_.caller == Caller::works || Source::kSized || in_work_ == 0);
  }

  // A chunk that is now this thread's to work on: one that was cut already, or a new one.
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
      ++alive_;
      // So nobody gets in between, if it is free: see may_help().
      static_cast<void>(cutting.try_lock());
    }
    if (!cutting.owns_lock()) cutting.lock();
    return cut();
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
    changed();
    return std::nullopt;
  }

  // With lock_ held: as if the next chunk had failed.
  void source_failed(std::exception_ptr error) {
    ended_ = true;
    fail(created_, std::move(error));
    ++created_;
  }

  // Looks one item ahead.
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

  // Starts as many grants as there is work for. Initial distribution: with a chunk for each, as
  // long as the source has any; start() may have cut the first. Workers elsewhere always ask:
  // nobody here knows whether they have time.
  void distribute() {
    bool held = !pending_.empty();
    while (tickets_missing() > 0) {
      if (Traits::kLocal && options_.start == Start::distribute && !held) {
        auto chunk = cut_next();
        if (!chunk) return;
        hold(std::move(*chunk));
        if (tickets_missing() == 0) return;
      }
      held = false;
      if (!start_ticket()) return;
    }
  }

  // For whoever takes a chunk next.
  void hold(Chunk chunk) {
    const std::lock_guard guard(lock_);
    pending_.push_back(std::move(chunk));
  }

  // ---- Working

  // Returns the time when it was done.
  Instant process(Chunk& chunk) {
    Output output{};
    std::exception_ptr error;
    try {
      body_->run(chunk.items, chunk.first, output, [this, index = chunk.index] {
        return index < limit_.load(std::memory_order_relaxed) && !options_.stop.stop_requested();
      });
    } catch (...) {
      error = std::current_exception();
    }
    chunk.items = Items{};  // F1
    const Instant now = steady_now();
    done(chunk, now - chunk.begun, std::move(output), std::move(error));
    changed();
    return now;
  }

  // To be followed by changed().
  void done(const Chunk& chunk, Duration worked, Output output, std::exception_ptr error) {
    {
      const std::lock_guard guard(lock_);
      if (closed_) return;
      --in_work_;
      items_done_ += chunk.size;
      sizer_.record(chunk.size, worked);
      if (error) fail(chunk.index, std::move(error));
      if constexpr (Body::kSilent) {
        --alive_;
      } else {
        store_.put(chunk.index, std::move(output));
      }
    }
  }

  // With lock_ held.
  void fail(std::uint64_t index, std::exception_ptr error) {
    if (index >= limit_.load(std::memory_order_relaxed)) return;
    limit_.store(index, std::memory_order_relaxed);
    failure_ = std::move(error);
  }

  // ---- The caller

  // With lock_ held, and no output to take.
  [[nodiscard]] bool all_handed_over() const {
    const std::uint64_t limit = limit_.load(std::memory_order_relaxed);
    if (!Body::kSilent && plan_.order == detail::Order::source && store_.taken() >= limit)
      return true;
    return in_work_ == 0 && (ended_ || limit != kNoLimit);
  }

  // With lock_ held: what is next in order comes after the item that failed.
  [[nodiscard]] bool past_failure() const {
    return plan_.order == detail::Order::source &&
           store_.taken() > limit_.load(std::memory_order_relaxed);
  }

  void wait_for_news(std::uint32_t seen) {
    // Some 10 us: less than sleeping would take, and far less than a way over the network does.
    constexpr int kSpins = Traits::kLocal ? 1000 : 0;
    if constexpr (!Traits::kLocal) {
      const std::lock_guard guard(lock_);
      const bool idle = grants_ == 0 && in_work_ == pending_.size();
      if (idle && store_.empty() && !all_handed_over()) {
        if (steady_now() < next_offer_) throw refused();
        return;  // the last grant has just gone: another one is to be offered
      }
    }
    const auto news = [&] { return news_.load() != seen; };
    for (int i = 0; i < kSpins; ++i) {
      if (news()) return;
      sync::relax();
    }
    static_cast<void>(sync::before_block());
    gate_.wait(kNever, news);
  }

  void changed() {
    news_.fetch_add(1);
    if (gate_.has_waiters()) gate_.notify_all();
  }

  // With lock_ held. A wide window that moved by one chunk at a time would wake a worker for each.
  [[nodiscard]] bool room_in_window() const {
    if (plan_.window == 0) return true;
    const bool wide = plan_.window >= kWindowPerWorker * width_;
    return alive_ + (wide ? plan_.window / 2 : 1) <= plan_.window;
  }

  // How many more grants could find something to do.
  [[nodiscard]] std::size_t tickets_missing() {
    const std::lock_guard guard(lock_);
    const bool works = Traits::kLocal && plan_.caller == Caller::works;
    const std::size_t most = works ? width_ - 1 : width_;
    const bool more = !ended_ && limit_.load(std::memory_order_relaxed) == kNoLimit;
    const std::size_t held = pending_.size() - (works && !pending_.empty() ? 1 : 0);
    const std::size_t useful = more && room_in_window() ? most : std::min(most, held);
    return useful > grants_ ? useful - grants_ : 0;
  }

  void top_up() {
    if (tickets_missing() == 0 || steady_now() < next_offer_) return;
    while (tickets_missing() > 0) {
      if (!start_ticket()) return;
    }
  }

  bool start_ticket() {
    if (start_ticket(this->shared_from_this())) return true;
    next_offer_ = later(steady_now(), kRefused);
    return false;
  }
  bool start_ticket(const std::shared_ptr<ChunkRun>& self) {
    {
      const std::lock_guard guard(lock_);
      ++grants_;
    }
    return Traits::start(executor_, WorkGrant<ChunkRun>(self));
  }

  void report(bool last) {
    if (!options_.progress) return;
    std::uint64_t items = 0;
    {
      const std::lock_guard guard(lock_);
      items = items_done_;
    }
    const Instant now = steady_now();
    if (last) {
      options_.progress(meter_.at(items, now));
    } else if (const auto progress = meter_.update(items, now)) {
      options_.progress(*progress);
    }
  }

  static pool::TaskError cancelled() {
    return pool::TaskError({ErrorCode::cancelled, "the map was asked to stop", ""});
  }
  static pool::TaskError refused() {
    return pool::TaskError({ErrorCode::closed, "the executor refuses the chunks of the map", ""});
  }

  E& executor_;
  const MapOptions options_;
  const Plan plan_;
  const std::size_t width_;
  bool only_ = false;

  std::mutex cut_lock_;  // taken before lock_, or tried while holding it
  std::optional<Source> source_;

  std::optional<Body> body_;
  std::atomic<std::uint64_t> limit_ = kNoLimit;  // F3; changed under lock_

  std::mutex lock_;  // guards everything down to the next one
  detail::ChunkSizer sizer_;
  detail::ResultStore<Output> store_;
  std::deque<Chunk> pending_;  // cut, and nobody works on them yet
  std::uint64_t created_ = 0;  // chunks
  std::size_t in_work_ = 0;    // chunks cut, or about to be, and not done
  std::size_t alive_ = 0;      // chunks cut, or about to be, and not handed over
  std::size_t grants_ = 0;     // out
  std::size_t active_ = 0;     // threads other than the caller's inside
  std::uint64_t items_cut_ = 0;
  std::uint64_t items_done_ = 0;
  bool ended_ = false;   // the source has
  bool closed_ = false;  // the caller has left
  std::exception_ptr failure_;

  ProgressMeter meter_;  // the caller's
  Instant next_offer_{};
  std::atomic<std::uint32_t> news_ = 0;
  sync::EventCount gate_;
};

// NOLINTEND(bugprone-unchecked-optional-access)

}  // namespace artel::parallel
