#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <type_traits>
#include <utility>

#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/sim/kernel/detail/hold.hpp"
#include "artel/sim/kernel/detail/process_state.hpp"
#include "artel/sim/kernel/detail/serving.hpp"
#include "artel/sim/kernel/detail/wait.hpp"
#include "artel/sim/kernel/detail/wait_queue.hpp"
#include "artel/sim/kernel/usage.hpp"

namespace artel::sim {

/// For FilterStore: values come out in the order in which they went in.
struct InOrderOfArrival {};

/// Things of which one may be picked out: `co_await store.get()` gives the first, `co_await
/// store.get(predicate)` the first of which the predicate holds; `co_await store.put(thing)` waits
/// while it is full. With a `Compare` such as std::less<> the least comes first, equals in order of
/// arrival: a priority queue. A Channel is cheaper where order is all.
///
/// Whoever waits longest for something that comes gets it. What was given to a process that is
/// cancelled before it runs goes to the next who wants it, or back to its old place; also when the
/// store is full again by then. Predicates and comparisons may do anything: meanwhile the values
/// stay where they are. Cost: O(log of the values), O(1) to put where they come out in order of
/// arrival; O(values) with a predicate that seldom holds, O(waiting) for a value that few want.
/// Source: SimPy's FilterStore and PriorityStore. Threads: its simulation's.
template <class T, class Compare = InOrderOfArrival>
class FilterStore {
 public:
  class Get;
  class Put;
  using Predicate = std::function<bool(const T&)>;
  /// Any number of values: nobody waits to put one.
  static constexpr std::size_t kUnbounded = std::numeric_limits<std::size_t>::max();

  /// Requires: capacity >= 1.
  explicit FilterStore(std::size_t capacity = kUnbounded, Compare compare = {})
      : capacity_(capacity), items_(Before{std::move(compare)}) {
    ARTEL_REQUIRE(capacity >= 1, "a store holds one value at least");
  }
  FilterStore(const FilterStore&) = delete;
  FilterStore& operator=(const FilterStore&) = delete;

  /// get() and put() are for co_await. An empty predicate holds for everything.
  [[nodiscard]] Get get(Predicate wanted = {}) { return Get(*this, std::move(wanted)); }
  [[nodiscard]] Put put(T value) { return Put(*this, std::move(value)); }

  [[nodiscard]] std::size_t size() const { return items_.size(); }
  /// Values with which it is full.
  [[nodiscard]] std::size_t capacity() const { return capacity_; }

  /// From now on tells `usage` how full it is, how many values are in it, and how long each was;
  /// nullptr: nobody. See Statistics::watch.
  void measure(std::shared_ptr<Usage> usage) {
    usage_ = std::move(usage);
    note_size();
  }

 private:
  struct Item {
    T value;
    std::uint64_t number;  // in order of arrival
    Instant since;
  };
  struct Before {
    bool operator()(const Item& a, const Item& b) const {
      if constexpr (!std::is_same_v<Compare, InOrderOfArrival>) {
        if (compare(a.value, b.value)) return true;
        if (compare(b.value, a.value)) return false;
      }
      return a.number < b.number;
    }
    [[no_unique_address]] Compare compare;
  };
  using Items = std::set<Item, Before>;
  using Taken = typename Items::node_type;

  /// While it lives, comparisons and predicates look at the values, and none comes or goes.
  class Looking {
   public:
    explicit Looking(FilterStore& store) : store_(&store) { ++store.looking_; }
    Looking(const Looking&) = delete;
    Looking& operator=(const Looking&) = delete;
    ~Looking() { --store_->looking_; }

   private:
    FilterStore* store_;
  };

  [[nodiscard]] typename Items::const_iterator find(const Predicate& wanted, Instant now) {
    auto found = items_.begin();
    if (wanted) {
      const Looking looking(*this);
      found = std::find_if(items_.begin(), items_.end(),
                           [&](const Item& item) { return wanted(item.value); });
    }
    if (returned_.empty()) return found;
    take_in(now);  // what the predicate made others give back
    return find(wanted, now);
  }
  [[nodiscard]] Taken take_out(typename Items::const_iterator place, Instant now) {
    if (usage_) usage_->waited(now - place->since);
    Taken taken = items_.extract(place);
    note_size();
    return taken;
  }

  /// To the first who waits for such a value, or else among those in store.
  void add(T&& value, Instant now) {
    const auto place = [&] {
      const Looking looking(*this);
      return items_.insert(items_.end(), Item{std::move(value), ++number_, now});
    }();
    offer(place, now);
    take_in(now);
  }
  /// What was given and not taken.
  void put_back(Taken taken, Instant now) {
    returned_.push_back(std::move(taken));
    take_in(now);
  }
  void take_in(Instant now) {
    while (looking_ == 0 && !returned_.empty()) {
      Taken taken = std::move(returned_.front());
      returned_.pop_front();
      const auto place = [&] {
        const Looking looking(*this);
        return items_.insert(std::move(taken)).position;
      }();
      offer(place, now);
    }
  }
  void offer(typename Items::const_iterator place, Instant now) {
    Get* const get = first_that_wants(place->value);
    if (get == nullptr) return note_size();
    getting_.remove(*get);
    get->receive(take_out(place, now));
    get->complete();
  }
  [[nodiscard]] Get* first_that_wants(const T& value) {
    const Looking looking(*this);
    for (detail::QueuedWait* wait = getting_.front(); wait != nullptr;) {
      auto& get = static_cast<Get&>(*wait);
      bool wants = true;
      const bool is_there =
          !get.wanted_ ||
          (detail::call_for(get.process(), [&] { wants = get.wanted_(value); }) && get.is_queued());
      if (is_there && wants) return &get;
      wait = is_there ? detail::WaitQueue::behind(get) : getting_.front();
    }
    return nullptr;
  }

  /// Lets those put that wait, while there is room.
  void admit(Instant now) {
    while (items_.size() < capacity_ && !putting_.empty()) {
      auto& put = static_cast<Put&>(*putting_.front());
      detail::Serving serving(putting_, put);
      add(std::move(put.value_), now);
      serving.complete();
    }
  }

  void note_size() {
    if (!usage_) return;
    const auto size = static_cast<double>(items_.size());
    const bool bounded = capacity_ != kUnbounded;
    usage_->set(bounded ? size / static_cast<double>(capacity_) : 0, items_.size());
  }

  std::size_t capacity_;
  Items items_;
  std::uint64_t number_ = 0;
  std::size_t looking_ = 0;
  std::deque<Taken> returned_;  // to be put back when nothing looks any more
  detail::WaitQueue getting_;
  detail::WaitQueue given_;  // and not yet taken
  detail::WaitQueue putting_;
  std::shared_ptr<Usage> usage_;  // who wants to know
};

template <class T, class Compare>
class FilterStore<T, Compare>::Get final : public detail::QueuedWait {
 public:
  using Result = T;

  Get(FilterStore& store, Predicate wanted) : store_(&store), wanted_(std::move(wanted)) {}
  Get(Get&&) = default;
  ~Get() override { withdraw(); }

  void withdraw() override {
    if (!is_queued()) return;
    leave_queue();
    if (taken_) store_->put_back(std::move(taken_), detail::now_of(process()));
  }
  // Asked for only when the value has come.
  T take() {
    leave_queue();
    const Taken taken = std::move(taken_);
    return std::move(taken.value().value);
  }
  void describe(std::string& text) const override { text += "a value from a store"; }

 private:
  friend struct detail::WaitAccess;
  friend class FilterStore;

  bool start(detail::Wait* parent, detail::ProcessState& process) {
    begin(parent, process);
    const Instant now = detail::now_of(process);
    const auto place = store_->find(wanted_, now);
    if (place == store_->items_.end()) {
      store_->getting_.push_back(*this);
      return false;
    }
    receive(store_->take_out(place, now));
    store_->admit(now);
    return true;
  }
  [[nodiscard]] bool ready(const detail::ProcessState& process) const {
    return store_->find(wanted_, detail::now_of(process)) != store_->items_.end();
  }
  void receive(Taken taken) {
    taken_ = std::move(taken);
    store_->given_.push_back(*this);
  }

  FilterStore* store_;
  Predicate wanted_;
  Taken taken_;
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
    store_->add(std::move(value_), detail::now_of(process));
    return true;
  }
  [[nodiscard]] bool ready(const detail::ProcessState&) const {
    return store_->putting_.empty() && store_->items_.size() < store_->capacity_;
  }

  FilterStore* store_;
  T value_;
};

/// A store whose smallest value is taken first.
template <class T, class Compare = std::less<>>
using PriorityStore = FilterStore<T, Compare>;

}  // namespace artel::sim
