#include "tests/conformance/stale_loads.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/dice.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_array.hpp"
#include "artel/dispatch/load_view.hpp"

namespace artel::conformance {
namespace {

/// Draws the events of the chain and averages the number of tasks over time. A worker without tasks
/// may be drawn to finish one: then nothing happens, which keeps the rates right.
class Chain {
 public:
  explicit Chain(const Queues& queues)
      : queues_(queues),
        rate_(queues.load * static_cast<double>(queues.workers) +
              static_cast<double>(queues.workers)),
        dice_(dispatch::Draw{.dice = queues.seed}) {}

  [[nodiscard]] bool over() const { return now_s_ >= queues_.length_s; }

  /// Moves on to the next event. Returns the worker that may finish a task, or nothing: one
  /// arrives.
  std::optional<WorkerId> next(std::size_t tasks) {
    const double gap_s = -std::log1p(-dice_.uniform()) / rate_;
    now_s_ += gap_s;
    if (now_s_ > warm_up_s()) task_seconds_ += gap_s * static_cast<double>(tasks);
    const double event = dice_.uniform() * rate_;
    if (event >= static_cast<double>(queues_.workers)) return std::nullopt;
    return dispatch::worker(dice_.below(queues_.workers));
  }

  [[nodiscard]] Instant now() const { return Instant{from_seconds(now_s_)}; }
  [[nodiscard]] std::uint64_t dice() {
    return (std::uint64_t{dice_.below(std::size_t{1} << 31U)} << 32U) ^
           dice_.below(std::size_t{1} << 31U);
  }

  /// By Little's law.
  [[nodiscard]] double mean_response_s() const {
    const double arrivals = queues_.load * static_cast<double>(queues_.workers);
    return task_seconds_ / (now_s_ - warm_up_s()) / arrivals;
  }

 private:
  [[nodiscard]] double warm_up_s() const { return queues_.length_s / 5; }

  Queues queues_;
  double rate_;  // of all events together
  dispatch::Dice dice_;
  double now_s_ = 0;
  double task_seconds_ = 0;
};

}  // namespace

double mean_response(const Queues& queues, Duration period,
                     const std::function<void(const Board&, Instant)>& show,
                     const std::function<WorkerId(const dispatch::Draw&)>& choose) {
  Chain chain(queues);
  Board board{dispatch::LoadArray(std::vector<dispatch::Load>(queues.workers)),
              std::vector<std::uint64_t>(queues.workers)};
  std::size_t tasks = 0;
  Instant shown{};
  show(board, shown);
  while (!chain.over()) {
    const auto finishing = chain.next(tasks);
    while (shown + period <= chain.now()) {
      shown += period;
      show(board, shown);
      std::fill(board.committed.begin(), board.committed.end(), 0);
    }
    const WorkerId id = finishing ? *finishing : choose({.dice = chain.dice()});
    dispatch::Load load = board.loads.load(id);
    if (!finishing) {
      ++load.queued;
      ++tasks;
    } else if (load.queued > 0) {
      --load.queued;
      --tasks;
      ++board.committed[index(id)];
    }
    board.loads.set(id, load);
  }
  return chain.mean_response_s();
}

}  // namespace artel::conformance
