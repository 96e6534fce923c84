#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/parallel/detail/chunk_ledger.hpp"
#include "artel/parallel/detail/run_plan.hpp"
#include "artel/parallel/executor.hpp"
#include "artel/parallel/map_options.hpp"
#include "artel/parallel/progress.hpp"
#include "artel/parallel/work_grant.hpp"
#include "artel/pool/future.hpp"

namespace artel::parallel::detail {

/// One map or reduce under way: what its caller and the workers share.
///
/// Nobody is in charge: whoever has time for a chunk cuts it. ChunkLedger knows which chunks there
/// are; this is who works on them, and how the caller waits.
/// Invariants, besides those of ChunkLedger:
///  F5  A change that the caller may be waiting for is announced; what is brought back, by tell()
///      (the caller sees it without that, too, unless it sleeps). The caller sleeps only while
///      something is in work elsewhere, or grants are out that it must not work in place of.
///  F6  The items of a chunk are destroyed before it counts as done. After close() no thread but
///      the caller's is inside source or body, and none will be.
/// Cost:    about 0.3 us per chunk, and one allocation per run.
/// Threads: start(), next() and close() by the caller; the rest by any, through grants.
// NOLINTBEGIN(bugprone-unchecked-optional-access): the body lives from start() to close()
template <class E, class Source, class B>
class ChunkRun final : public std::enable_shared_from_this<ChunkRun<E, Source, B>> {
  using Traits = ExecutorTraits<E>;

 public:
  using Body = B;
  using Items = typename Source::Items;
  using Output = typename Body::Output;
  using Chunk = CutChunk<Items>;

  ChunkRun(E& executor, Source source, Body body, RunPlan plan, const MapOptions& options)
      : executor_(executor),
        options_(options),
        caller_works_(Traits::kLocal && plan.caller == Caller::works),
        body_(std::move(body)),
        ledger_(std::move(source), plan,
                {.fixed = options.chunk,
                 .width = width_of(executor, options, plan),
                 .most = Source::kChunkMax,
                 .target = Traits::kChunkTime,
                 .bytes = Traits::kChunkBytes}),
        meter_(ledger_.items_left(), options.progress_every, steady_now()),
        executor_stop_(stop_of(executor)),
        wake_(options_.stop, WakeCaller{this}),
        wake_too_(executor_stop_, WakeCaller{this}) {}
  ChunkRun(const ChunkRun&) = delete;
  ChunkRun& operator=(const ChunkRun&) = delete;

  /// Gets the work going. A source that is no longer than one chunk is done here, without grants.
  void start() {
    if (caller_works_) {
      auto chunk = ledger_.take();
      if (!chunk) return;
      if (ledger_.last_chunk_cut()) {
        only_ = true;
        body_->only_chunk();
        process(*chunk);
        return;
      }
      ledger_.hold(std::move(*chunk));
    }
    distribute();
  }

  /// The output of the next chunk, which it waits for or brings about; nothing: that was all.
  /// Throws what the range or the function threw, when it has handed over what came before;
  /// pool::TaskError when stopped.
  std::optional<Output> next() {
    for (;;) {
      if (stopped()) throw cancelled();
      const std::uint32_t seen = ledger_.news().count();
      auto handed = ledger_.hand_over();
      if (handed.over) break;
      report(false);
      top_up();
      if (handed.output) return std::move(handed.output);
      if (Traits::kLocal && handed.may_help) {
        if (auto chunk = ledger_.take()) process(*chunk);
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
    auto dropped = ledger_.close();
    if constexpr (!Traits::kLocal) Traits::ended(executor_, this);
    const auto left = [this] { return ledger_.is_left(); };
    if (!left()) ledger_.news().wait_until(left);
    dropped.clear();
    ledger_.drop_source();
    body_.reset();
  }

  /// The one chunk was folded from the start already.
  [[nodiscard]] bool only_chunk() const { return only_; }

  // ---- For grants

  void work_a_turn(const std::shared_ptr<ChunkRun>& self) {
    const Visit visit(ledger_);
    if (!visit) return;
    Instant turn_ends = later(steady_now(), kTurn);
    while (auto chunk = ledger_.take()) {
      if (process(*chunk) < turn_ends) continue;
      if (give_grant(self)) return;  // after whatever else waits there
      turn_ends = later(turn_ends, kTurn);
    }
  }
  template <class Send>
  std::optional<Chunk> take_away(Send&& send) {
    const Visit visit(ledger_);
    if (!visit) return std::nullopt;
    while (auto chunk = ledger_.take()) {
      std::exception_ptr error;
      try {
        send(*chunk, std::as_const(*body_));
      } catch (...) {
        error = std::current_exception();
      }
      chunk->items = Items{};  // F6
      if (!error) return chunk;
      ledger_.done(*chunk, {}, {}, std::move(error));
      ledger_.news().announce();
    }
    return std::nullopt;
  }
  /// A caller that sleeps hears of it when it is told: once for several chunks that come together.
  void bring_back(const Chunk& chunk, Output output, Duration worked, std::exception_ptr error) {
    const Visit visit(ledger_);
    if (!visit) return;
    ledger_.done(chunk, worked, std::move(output), std::move(error));
    ledger_.news().note();
  }
  void tell() { ledger_.news().announce(); }
  /// For executors elsewhere: so many items, or their results, had so many bytes on their way.
  void weigh(std::size_t items, std::size_t bytes) { ledger_.weigh(items, bytes); }
  void grant_gone() { ledger_.grant_gone(); }

 private:
  using Ledger = ChunkLedger<Source, Output, Body::kSilent>;
  using Visit = typename Ledger::Visit;

  // A worker gives others in its pool a turn after so long.
  static constexpr Duration kTurn = std::chrono::milliseconds(5);
  // Grants that were refused are not offered again for so long.
  static constexpr Duration kRefused = std::chrono::milliseconds(1);

  // A caller that sleeps is to see that it was asked to stop.
  struct WakeCaller {
    ChunkRun* run;
    void operator()() const { run->ledger_.news().announce(); }
  };

  static std::stop_token stop_of(const E& executor) {
    if constexpr (requires { Traits::stop_token(executor); }) {
      return Traits::stop_token(executor);
    } else {
      return {};
    }
  }
  static std::size_t width_of(const E& executor, const MapOptions& options, const RunPlan& plan) {
    std::size_t width = options.workers > 0 ? options.workers : Traits::width(executor);
    if (plan.window > 0) width = std::min(width, plan.window);
    return std::max<std::size_t>(width, 1);
  }

  // ---- Working

  [[nodiscard]] bool stopped() const {
    return options_.stop.stop_requested() || executor_stop_.stop_requested();
  }

  // Returns the time when it was done.
  Instant process(Chunk& chunk) {
    Output output{};
    std::exception_ptr error;
    try {
      body_->run(chunk.items, chunk.first, output,
                 [this, index = chunk.index] { return ledger_.wanted(index) && !stopped(); });
    } catch (...) {
      error = std::current_exception();
    }
    chunk.items = Items{};  // F6
    const Instant now = steady_now();
    ledger_.done(chunk, now - chunk.begun, std::move(output), std::move(error));
    ledger_.news().announce();
    return now;
  }

  // ---- Grants

  // Gives as many grants as there is work for. Initial distribution: with a chunk for each, as
  // long as the source has any; start() may have cut the first. Workers elsewhere always ask:
  // nobody here knows whether they have time.
  void distribute() {
    bool held = ledger_.holds_any();
    while (grants_missing() > 0) {
      if (Traits::kLocal && options_.start == Start::distribute && !held) {
        auto chunk = ledger_.cut_next();
        if (!chunk) return;
        ledger_.hold(std::move(*chunk));
        if (grants_missing() == 0) return;
      }
      held = false;
      if (!give_grant()) return;
    }
  }

  void top_up() {
    if constexpr (!Traits::kLocal) {  // workers elsewhere come as they like
      if (options_.workers == 0) ledger_.widen(Traits::width(executor_), options_.window);
    }
    if (grants_missing() == 0 || steady_now() < next_offer_) return;
    while (grants_missing() > 0) {
      if (!give_grant()) return;
    }
  }

  [[nodiscard]] std::size_t grants_missing() { return ledger_.grants_missing(caller_works_); }

  bool give_grant() {
    if (give_grant(this->shared_from_this())) return true;
    next_offer_ = later(steady_now(), kRefused);
    return false;
  }
  bool give_grant(const std::shared_ptr<ChunkRun>& self) {
    ledger_.grant_given();
    return Traits::start(executor_, WorkGrant<ChunkRun>(self));
  }

  // ---- The caller

  void wait_for_news(std::uint32_t seen) {
    // Some 10 us: less than sleeping would take, and far less than a way over the network does.
    constexpr int kSpins = Traits::kLocal ? 1000 : 0;
    if constexpr (!Traits::kLocal) {
      if (ledger_.is_forsaken()) {
        if (steady_now() < next_offer_) throw refused();
        return;  // the last grant has just gone: another one is to be offered
      }
    }
    ledger_.news().wait(seen, kSpins);
  }

  void report(bool last) {
    if (!options_.progress) return;
    const std::uint64_t items = ledger_.items_done();
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
  const bool caller_works_;
  bool only_ = false;

  std::optional<Body> body_;
  Ledger ledger_;

  ProgressMeter meter_;  // the caller's
  Instant next_offer_{};
  const std::stop_token executor_stop_;
  std::stop_callback<WakeCaller> wake_, wake_too_;  // gone before what they touch
};

// NOLINTEND(bugprone-unchecked-optional-access)

}  // namespace artel::parallel::detail
