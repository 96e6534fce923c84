#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <list>
#include <optional>
#include <string>
#include <utility>

#include "artel/sim/kernel/detail/process_state.hpp"
#include "artel/sim/kernel/detail/wait.hpp"
#include "artel/sim/kernel/detail/wait_queue.hpp"

namespace artel::sim {

/// For FilterStore: values come out in the order in which they went in.
struct InOrderOfArrival {};

/// Things of which one may be picked out: `co_await store.get()` gives the first, `co_await
/// store.get(predicate)` the first of which the predicate holds; `co_await store.put(thing)` waits
/// while it is full. With a `Compare` such as std::less<> the least comes first, equals in order of
/// arrival: a priority queue. A Channel is cheaper where order is all.
///
/// Whoever waits longest for something that comes gets it.
/// Cost: O(values) with a predicate that seldom holds, and to put into an ordered one; O(waiting)
/// for a value that few want.
/// Source: SimPy's FilterStore and PriorityStore.
template <class T, class Compare = InOrderOfArrival>
class FilterStore {
 public:
  class Get;
  class Put;
  using Predicate = std::function<bool(const T&)>;

  explicit FilterStore(std::size_t capacity = std::numeric_limits<std::size_t>::max(),
                       Compare compare = {})
      : capacity_(capacity), compare_(std::move(compare)) {}
  FilterStore(const FilterStore&) = delete;
  FilterStore& operator=(const FilterStore&) = delete;

  /// get() and put() are for co_await. An empty predicate holds for everything.
  [[nodiscard]] Get get(Predicate wanted = {}) { return Get(*this, std::move(wanted)); }
  [[nodiscard]] Put put(T value) { return Put(*this, std::move(value)); }

  [[nodiscard]] std::size_t size() const { return values_.size(); }
  /// Values that it holds at most.
  [[nodiscard]] std::size_t capacity() const { return capacity_; }

 private:
  [[nodiscard]] std::optional<T> take_first(const Predicate& wanted) {
    for (auto value = values_.begin(); value != values_.end(); ++value) {
      if (wanted && !wanted(*value)) continue;
      std::optional<T> taken(std::move(*value));
      values_.erase(value);
      admit();
      return taken;
    }
    return std::nullopt;
  }

  /// To the first who waits for such a value, or else among those in store.
  void add(T value) {
    for (detail::QueuedWait* wait = getting_.front(); wait != nullptr;
         wait = detail::WaitQueue::behind(*wait)) {
      auto& get = static_cast<Get&>(*wait);
      if (get.wanted_ && !get.wanted_(value)) continue;
      get.value_.emplace(std::move(value));
      getting_.remove(get);
      get.complete();
      return;
    }
    auto place = values_.end();
    if constexpr (!std::is_same_v<Compare, InOrderOfArrival>) {
      while (place != values_.begin() && compare_(value, *std::prev(place))) --place;
    }
    values_.insert(place, std::move(value));
  }

  /// Lets those put who wait, while there is room.
  void admit() {
    while (values_.size() < capacity_ && !putting_.empty()) {
      auto& put = static_cast<Put&>(*putting_.front());
      putting_.remove(put);
      add(std::move(put.value_));
      put.complete();
    }
  }

  std::size_t capacity_;
  Compare compare_;
  std::list<T> values_;
  detail::WaitQueue getting_;
  detail::WaitQueue putting_;
};

template <class T, class Compare>
class FilterStore<T, Compare>::Get final : public detail::QueuedWait {
 public:
  using Result = T;

  Get(FilterStore& store, Predicate wanted) : store_(&store), wanted_(std::move(wanted)) {}
  Get(Get&&) = default;
  ~Get() override { withdraw(); }

  void withdraw() override {
    leave_queue();
    if (value_) store_->add(take());  // nobody took it
  }
  // Asked for only when the value has come.
  T take() { return *std::exchange(value_, std::nullopt); }  // NOLINT(*-unchecked-optional-access)
  void describe(std::string& text) const override { text += "a value from a store"; }

 private:
  friend struct detail::WaitAccess;
  friend class FilterStore;

  bool start(detail::Wait* parent, detail::ProcessState& process) {
    begin(parent, process);
    value_ = store_->take_first(wanted_);
    if (value_) return true;
    store_->getting_.push_back(*this);
    return false;
  }

  FilterStore* store_;
  Predicate wanted_;
  std::optional<T> value_;
};

template <class T, class Compare>
class FilterStore<T, Compare>::Put final : public detail::QueuedWait {
 public:
  using Result = void;

  Put(FilterStore& store, T value) : store_(&store), value_(std::move(value)) {}
  Put(Put&&) = default;
  ~Put() override { withdraw(); }

  void withdraw() override { leave_queue(); }
  void take() {}
  void describe(std::string& text) const override { text += "room in a store"; }

 private:
  friend struct detail::WaitAccess;
  friend class FilterStore;

  bool start(detail::Wait* parent, detail::ProcessState& process) {
    begin(parent, process);
    if (!ready(process)) {
      store_->putting_.push_back(*this);
      return false;
    }
    store_->add(std::move(value_));
    return true;
  }
  [[nodiscard]] bool ready(const detail::ProcessState&) const {
    return store_->putting_.empty() && store_->values_.size() < store_->capacity_;
  }

  FilterStore* store_;
  T value_;
};

/// A store whose smallest value is taken first.
template <class T, class Compare = std::less<>>
using PriorityStore = FilterStore<T, Compare>;

}  // namespace artel::sim
