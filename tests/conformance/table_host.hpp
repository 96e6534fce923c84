#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/indexed_loads.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/membership.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/worker_capacity.hpp"
#include "artel/dispatch/worker_table.hpp"
#include "tests/conformance/counts.hpp"
#include "tests/conformance/happening.hpp"
#include "tests/conformance/script.hpp"

namespace artel::conformance {

/// The simplest host on one thread: a WorkerTable decides, and here is a common queue and a queue
/// for each worker. The workers run on the word of the script.
class TableHost {
 public:
  struct Options {
    dispatch::Policy policy;
    std::uint32_t common_capacity = dispatch::kUnbounded;
    std::uint64_t seed = 0;
    /// Hears every decision: the loads and the draw it was made from, and the worker chosen.
    std::function<void(const dispatch::IndexedLoads&, const dispatch::Draw&, WorkerId)>
        on_decision{};
  };
  using Tell = std::function<void(const Happening&)>;

  TableHost(Options options, Tell tell)
      : options_(std::move(options)),
        table_(options_.policy, dispatch::SizeLimits{}, options_.seed),
        tell_(std::move(tell)) {}

  void join(const dispatch::WorkerCapacity& options) {
    const auto id = table_.join(options, now_);
    if (!id) return;
    workers_[*id] = {};
    tell_({.what = What::joined, .worker = *id, .capacity = options.capacity});
    settle();
  }

  void leave(WorkerId id, Leaving how) {
    const bool reassign = how == Leaving::reassign;
    tell_({.what = What::leaving, .worker = id, .reassign = reassign});
    ARTEL_REQUIRE(table_.leave(id, now_), "anybody can leave");
    if (reassign) give_back(id);
    settle();
  }

  void remove(WorkerId id) {
    tell_({.what = What::removed, .worker = id});
    table_.expel(id, now_);
    if (std::exchange(workers_.at(id).running, std::nullopt)) {
      ++counts_.abandoned;
      table_.finish(id);
    }
    give_back(id);
    settle();
  }

  void arrive(TaskId task, Duration size) {
    tell_({.what = What::arrived, .task = task});
    ++counts_.arrived;
    table_.advance(now_);
    dispatch::TaskHints hints = size;
    hints.key = static_cast<std::uint64_t>(size.count());  // none for some
    const Waiting waiting{.task = task, .hints = hints, .bound = now_};
    if (table_.open()) {
      bind(waiting);
    } else if (held_.size() + returned_.size() < options_.common_capacity) {
      held_.push_back(waiting);
      tell_({.what = What::held, .task = task});
    } else {
      ++counts_.rejected;
      tell_({.what = What::rejected, .task = task});
    }
    settle();
  }

  void finish(WorkerId id) {
    const auto ended = std::exchange(workers_.at(id).running, std::nullopt).value_or(Waiting{});
    tell_({.what = What::finished, .task = ended.task, .worker = id});
    ++counts_.finished;
    table_.advance(now_);
    table_.answered(id, now_ - ended.bound);
    table_.finish(id);
    settle();
  }

  void pass(Duration time) {
    now_ += time;
    table_.publish(now_);
    settle();
  }

  [[nodiscard]] std::vector<WorkerId> members() const {
    std::vector<WorkerId> all;
    for (const auto& [id, worker] : workers_) {
      if (table_.members().working(id)) all.push_back(id);
    }
    return all;
  }

  [[nodiscard]] std::vector<WorkerId> busy() const {
    std::vector<WorkerId> all;
    for (const auto& [id, worker] : workers_) {
      if (worker.running) all.push_back(id);
    }
    return all;
  }

 private:
  struct Waiting {
    TaskId task{};
    dispatch::TaskHints hints{};
    Instant bound{};
  };
  struct Worker {
    std::deque<Waiting> waiting{};
    std::optional<Waiting> running{};
  };

  void bind(Waiting waiting) {
    const auto draw = table_.draw(waiting.hints);
    const auto chosen = table_.choose(draw);
    ARTEL_REQUIRE(chosen.has_value(), "a policy names a worker when one has room");
    if (options_.on_decision) options_.on_decision(table_.loads(), draw, *chosen);
    table_.bind(*chosen, waiting.hints.size);
    waiting.bound = now_;
    workers_.at(*chosen).waiting.push_back(waiting);
    tell_({.what = What::bound, .task = waiting.task, .worker = *chosen});
  }

  // What waits there goes to the others, before all that came after it.
  void give_back(WorkerId id) {
    for (const auto& waiting : workers_.at(id).waiting) {
      table_.unbind(id, waiting.hints.size);
      returned_.push_back(waiting);
    }
    workers_.at(id).waiting.clear();
  }

  void settle() {
    table_.advance(now_);
    while (table_.open() && (!returned_.empty() || !held_.empty())) {
      auto& queue = returned_.empty() ? held_ : returned_;
      bind(queue.front());
      queue.pop_front();
    }
    counts_.held = held_.size() + returned_.size();
    counts_.waiting = counts_.running = 0;
    for (auto& [id, worker] : workers_) {
      if (!worker.running && !worker.waiting.empty()) {
        worker.running = worker.waiting.front();
        worker.waiting.pop_front();
        table_.start(id, worker.running->hints.size);
        table_.set_delay(id, now_ - worker.running->bound);
        tell_({.what = What::started, .task = worker.running->task, .worker = id});
      }
      counts_.waiting += worker.waiting.size();
      counts_.running += worker.running ? 1 : 0;
    }
    std::erase_if(workers_, [&](const auto& each) {
      return !table_.members().working(each.first) && !table_.members().leaving(each.first);
    });
    tell_({.what = What::settled, .counts = counts_});
  }

  Options options_;
  dispatch::WorkerTable table_;
  Tell tell_;
  Instant now_{};
  Counts counts_;
  std::deque<Waiting> held_;
  std::deque<Waiting> returned_;  // by workers that left
  std::map<WorkerId, Worker> workers_;
};

static_assert(Host<TableHost>);

}  // namespace artel::conformance
