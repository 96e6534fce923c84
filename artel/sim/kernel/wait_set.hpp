#pragma once

#include <deque>
#include <list>
#include <optional>
#include <string>
#include <utility>

#include "artel/sim/kernel/detail/hold.hpp"
#include "artel/sim/kernel/detail/process_state.hpp"
#include "artel/sim/kernel/detail/wait.hpp"
#include "artel/sim/kernel/detail/wait_queue.hpp"
#include "artel/sim/kernel/process.hpp"

namespace artel::sim {

/// Processes of which whoever ends first is dealt with first, while the others run on; more may be
/// added at any time.
///
///     sim::WaitSet<int> requests;
///     for (const auto& server : servers) requests.add(context.spawn(ask(context, server)));
///     while (auto next = co_await requests.next()) use(co_await next->join());
///
/// With any_of the others would be withdrawn. Ending together they come in the order in which they
/// ended. A set that ends leaves its processes alone.
/// Cost: O(1) for each process, however many there are. Threads: its simulation's.
template <class T = void>
class WaitSet {
 public:
  class NextEnd;

  WaitSet() = default;
  WaitSet(const WaitSet&) = delete;
  WaitSet& operator=(const WaitSet&) = delete;
  ~WaitSet() {  // one by one: what the end of a handle runs may end the others
    while (!running_.empty()) {
      std::list<Member> first;
      first.splice(first.begin(), running_, running_.begin());
    }
    while (!ended_.empty()) {
      const Process<T> first = std::move(ended_.front());
      ended_.pop_front();
    }
  }

  void add(Process<T> process) {
    running_.emplace_back(*this, std::move(process));
    Member& member = running_.back();
    member.place = std::prev(running_.end());
    if (!member.start()) return;
    member.over();
  }

  /// `co_await set.next()`: the process that ended, nullopt when the set is empty.
  [[nodiscard]] NextEnd next() { return NextEnd(*this); }

  /// Those that next() has not given yet.
  [[nodiscard]] std::size_t size() const { return running_.size() + ended_.size(); }

 private:
  /// A process that runs: stands among its joiners.
  class Member final : public detail::QueuedWait {
   public:
    Member(WaitSet& set, Process<T> process) : set_(&set), process_(std::move(process)) {}
    Member(const Member&) = delete;
    Member& operator=(const Member&) = delete;
    ~Member() override { withdraw(); }

    /// True when it has ended already.
    bool start() {
      detail::ProcessState& state = process_.state();
      detail::observe(state);
      if (process_.done()) return true;
      begin(&set_->hub_, state);
      state.joiners.push_back(*this);
      return false;
    }
    /// Moves it to those that have ended; it is no more then.
    void over() {
      WaitSet& set = *set_;
      Process<T> process = std::move(process_);
      set.running_.erase(place);
      set.ended(std::move(process));
    }
    void withdraw() override { leave_queue(); }
    void describe(std::string& text) const override { text += "a process of a set"; }

    typename std::list<Member>::iterator place;

   private:
    WaitSet* set_;
    Process<T> process_;
  };

  /// The parent of all members: not a wait of any process.
  class Hub final : public detail::Wait {
   public:
    void withdraw() override {}
    void describe(std::string& text) const override { text += "a set of processes"; }
    void child_finished(detail::Wait& child) override { static_cast<Member&>(child).over(); }
  };

  void ended(Process<T> process) {
    if (waiting_.empty()) {
      ended_.push_back(std::move(process));
    } else {
      hand_over(std::move(process));
    }
  }
  /// One that was given to somebody who did not take it comes first, also for who has come since.
  void give_back(Process<T> process) {
    if (waiting_.empty()) {
      ended_.push_front(std::move(process));
    } else {
      hand_over(std::move(process));
    }
  }
  void hand_over(Process<T> process) {
    auto& first = static_cast<NextEnd&>(*waiting_.front());
    waiting_.remove(first);
    first.ended_ = std::move(process);
    given_.push_back(first);
    const detail::Hold hold(detail::WaitAccess::process_of_any(first));
    if (running_.empty()) dismiss_others();
    first.complete();
  }
  /// Nobody else will come for those who wait.
  void dismiss_others() {
    while (detail::QueuedWait* wait = waiting_.front()) {
      waiting_.remove(*wait);
      wait->complete();
    }
  }

  Hub hub_;
  std::list<Member> running_;
  std::deque<Process<T>> ended_;
  detail::WaitQueue waiting_;
  detail::WaitQueue given_;  // have one and have not taken it yet
};

template <class T>
class WaitSet<T>::NextEnd final : public detail::QueuedWait {
 public:
  using Result = std::optional<Process<T>>;

  explicit NextEnd(WaitSet& set) : set_(&set) {}
  NextEnd(NextEnd&&) = default;
  ~NextEnd() override { withdraw(); }

  void withdraw() override {
    if (!is_queued()) return;
    if (auto ended = take()) set_->give_back(*std::move(ended));
  }
  Result take() {
    leave_queue();
    return std::exchange(ended_, std::nullopt);
  }
  void describe(std::string& text) const override {
    const std::size_t count = is_queued() ? set_->size() : 0;
    text += "the end of one of " + std::to_string(count) + " processes";
  }

 private:
  friend struct detail::WaitAccess;
  friend class WaitSet;

  bool start(detail::Wait* parent, detail::ProcessState& process) {
    begin(parent, process);
    if (!set_->ended_.empty()) {
      ended_ = std::move(set_->ended_.front());
      set_->ended_.pop_front();
      set_->given_.push_back(*this);
      return true;
    }
    if (set_->running_.empty()) return true;
    set_->waiting_.push_back(*this);
    return false;
  }
  [[nodiscard]] bool ready(const detail::ProcessState&) const {
    return !set_->ended_.empty() || set_->running_.empty();
  }

  WaitSet* set_;
  std::optional<Process<T>> ended_;
};

}  // namespace artel::sim
