#pragma once

#include <limits>
#include <string>

#include "artel/core/require.hpp"
#include "artel/sim/kernel/detail/process_state.hpp"
#include "artel/sim/kernel/detail/wait.hpp"
#include "artel/sim/kernel/detail/wait_queue.hpp"

namespace artel::sim {

/// An amount of something that is put in and taken out: fuel in a tank, money, free memory.
/// `co_await tank.get(30)` waits until so much is there, `co_await tank.put(30)` until there is
/// room for it; each side in order of arrival, a large request is not overtaken by small ones
/// behind it. What was given to a process that is cancelled before it runs is lost with it.
/// Cost: O(1) for each request. Source: SimPy's Container.
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

 private:
  void settle();

  double capacity_;
  double level_;
  detail::WaitQueue getting_;
  detail::WaitQueue putting_;
};

class Container::Change final : public detail::QueuedWait {
 public:
  using Result = void;

  /// Takes that much; if it is negative, puts it.
  Change(Container& container, double amount) : container_(&container), amount_(amount) {}
  Change(Change&&) = default;
  ~Change() override { withdraw(); }

  void withdraw() override {
    if (!is_queued()) return;
    leave_queue();
    container_->settle();  // it may have been a large request in the way of smaller ones
  }
  void take() {}
  void describe(std::string& text) const override {
    text += amount_ >= 0 ? "enough in a container" : "room in a container";
  }

 private:
  friend struct detail::WaitAccess;
  friend class Container;

  bool start(detail::Wait* parent, detail::ProcessState& process) {
    begin(parent, process);
    if (!ready(process)) {
      queue().push_back(*this);
      return false;
    }
    container_->level_ -= amount_;
    container_->settle();
    return true;
  }
  [[nodiscard]] bool ready(const detail::ProcessState&) const { return queue().empty() && fits(); }
  [[nodiscard]] bool fits() const {
    const double after = container_->level_ - amount_;
    return amount_ >= 0 ? after >= 0 : after <= container_->capacity_;
  }
  [[nodiscard]] detail::WaitQueue& queue() const {
    return amount_ >= 0 ? container_->getting_ : container_->putting_;
  }

  Container* container_;
  double amount_;
};

inline Container::Change Container::get(double amount) {
  ARTEL_REQUIRE(0 <= amount && amount <= capacity_, "a container never holds so much", amount,
                capacity_);
  return {*this, amount};
}

inline Container::Change Container::put(double amount) {
  ARTEL_REQUIRE(0 <= amount && amount <= capacity_, "a container never has room for so much",
                amount, capacity_);
  return {*this, -amount};
}

/// Serves those who wait, as long as the first of one side can be.
inline void Container::settle() {
  for (bool served = true; served;) {
    served = false;
    for (detail::WaitQueue* queue : {&getting_, &putting_}) {
      if (queue->empty()) continue;
      auto& change = static_cast<Change&>(*queue->front());
      if (!change.fits()) continue;
      level_ -= change.amount_;
      queue->remove(change);
      change.complete();
      served = true;
    }
  }
}

}  // namespace artel::sim
