#pragma once

#include <utility>

namespace artel::sim {

/// Who of a model's operations belong to coroutines: when the frame of one is destroyed while it
/// waits, because it was cancelled, its operation ends with it; when the model is destroyed first,
/// nothing happens.
///
///     class Disk : … { LeaseHolder leases_; … void release(OperationId id); };
///     Task<> Disk::read(…) {
///       …
///       const Lease lease(leases_, [this, id] { release(id); });
///
/// Cost: O(1), no allocation.
class LeaseHolder {
 public:
  LeaseHolder() = default;
  LeaseHolder(const LeaseHolder&) = delete;
  LeaseHolder& operator=(const LeaseHolder&) = delete;
  ~LeaseHolder() {
    while (first_ != nullptr) first_->leave();
  }

 private:
  template <class OnEnd>
  friend class Lease;

  struct Link {
    explicit Link(LeaseHolder& of) : holder(&of), behind(of.first_) {
      if (behind != nullptr) behind->before = this;
      of.first_ = this;
    }
    Link(const Link&) = delete;
    Link& operator=(const Link&) = delete;
    ~Link() { leave(); }

    [[nodiscard]] bool held() const { return holder != nullptr; }
    void leave() {
      if (holder == nullptr) return;
      (before != nullptr ? before->behind : holder->first_) = behind;
      if (behind != nullptr) behind->before = before;
      holder = nullptr;
    }

    LeaseHolder* holder;
    Link* before = nullptr;
    Link* behind;
  };

  Link* first_ = nullptr;
};

/// Calls `on_end` when it is destroyed, unless the holder was destroyed before. Stays where it is.
template <class OnEnd>
class Lease {
 public:
  Lease(LeaseHolder& holder, OnEnd on_end) : link_(holder), on_end_(std::move(on_end)) {}
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  ~Lease() {
    if (link_.held()) on_end_();
  }

 private:
  LeaseHolder::Link link_;
  OnEnd on_end_;
};

}  // namespace artel::sim
