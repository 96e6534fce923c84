#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/sim/kernel/detail/process_state.hpp"
#include "artel/sim/kernel/detail/wait.hpp"
#include "artel/sim/kernel/detail/wait_queue.hpp"
#include "artel/sim/kernel/statistics.hpp"
#include "artel/sim/kernel/usage.hpp"

namespace artel::sim {

/// An amount of something that is put in and taken out: fuel in a tank, money, free memory.
/// `co_await tank.get(30)` waits until so much is there, `co_await tank.put(30)` until there is
/// room for it; each side in order of arrival, a large request is not overtaken by small ones
/// behind it. What was given to a process that is cancelled before it runs is lost with it.
/// Cost: O(1) for each request. Source: SimPy's Container. Threads: its simulation's.
class Container {
 public:
  class Change;

  /// Requires: 0 <= level <= capacity.
  explicit Container(double capacity = std::numeric_limits<double>::infinity(), double level = 0)
      : capacity_(capacity), level_(level) {
    ARTEL_REQUIRE(0 <= level && level <= capacity, "a container holds up to its capacity", level,
                  capacity);
  }
  Container(const Container&) = delete;
  Container& operator=(const Container&) = delete;

  /// For co_await: get() and put(). Requires, for both: 0 <= amount <= capacity().
  [[nodiscard]] Change get(double amount);
  [[nodiscard]] Change put(double amount);

  /// How much there is. capacity(): how much there can be.
  [[nodiscard]] double level() const { return level_; }
  [[nodiscard]] double capacity() const { return capacity_; }

  /// name.level; name.queue: requests of both sides that wait, and name.wait of each request. See
  /// Statistics::watch.
  void measure(Statistics& statistics, std::string_view name) {
    usage_ = statistics.usage(name, {.utilisation = "level"});
    note_change();
  }

 private:
  void settle();
  void note_change() {
    if (usage_) usage_->set(level_, waiting_count_);
  }

  double capacity_;
  double level_;
  std::size_t waiting_count_ = 0;
  detail::WaitQueue getting_;
  detail::WaitQueue putting_;
  std::shared_ptr<Usage> usage_;  // who wants to know
};

class Container::Change final : public detail::QueuedWait {
 public:
  using Result = void;

  /// Takes that much, or puts it.
  Change(Container& container, double amount, bool puts)
      : container_(&container), amount_(amount), puts_(puts) {}
  Change(Change&&) = default;
  ~Change() override { withdraw(); }

  void withdraw() override {
    if (!is_queued()) return;
    leave_queue();
    --container_->waiting_count_;
    container_->note_change();
    container_->settle();  // it may have been a large request in the way of smaller ones
  }
  void take() {}
  void describe(std::string& text) const override {
    text += puts_ ? "room in a container" : "enough in a container";
  }

 private:
  friend struct detail::WaitAccess;
  friend class Container;

  bool start(detail::Wait* parent, detail::ProcessState& process) {
    begin(parent, process);
    since_ = detail::now_of(process);
    if (!ready(process)) {
      queue().push_back(*this);
      ++container_->waiting_count_;
      container_->note_change();
      return false;
    }
    make();
    container_->settle();
    return true;
  }
  void make() {
    container_->level_ += puts_ ? amount_ : -amount_;
    if (!container_->usage_) return;
    container_->note_change();
    container_->usage_->waited(detail::now_of(process()) - since_);
  }
  [[nodiscard]] bool ready(const detail::ProcessState&) const { return queue().empty() && fits(); }
  [[nodiscard]] bool fits() const {
    if (puts_) return container_->level_ + amount_ <= container_->capacity_;
    return container_->level_ - amount_ >= 0;
  }
  [[nodiscard]] detail::WaitQueue& queue() const {
    return puts_ ? container_->putting_ : container_->getting_;
  }

  Container* container_;
  double amount_;
  bool puts_;
  Instant since_;
};

inline Container::Change Container::get(double amount) {
  ARTEL_REQUIRE(0 <= amount && amount <= capacity_, "a container never holds so much", amount,
                capacity_);
  return {*this, amount, false};
}

inline Container::Change Container::put(double amount) {
  ARTEL_REQUIRE(0 <= amount && amount <= capacity_, "a container never has room for so much",
                amount, capacity_);
  return {*this, amount, true};
}

/// Serves those who wait, as long as the first of one side can be.
inline void Container::settle() {
  for (bool served = true; served;) {
    served = false;
    for (detail::WaitQueue* queue : {&getting_, &putting_}) {
      if (queue->empty()) continue;
      auto& change = static_cast<Change&>(*queue->front());
      if (!change.fits()) continue;
      queue->remove(change);
      --waiting_count_;
      change.make();
      change.complete();
      served = true;
    }
  }
}

}  // namespace artel::sim
