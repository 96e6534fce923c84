#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include "artel/cluster/protocol/worker_event.hpp"

namespace artel::cluster::detail {

/// Leases on their way to the threads of a pool. They are given to it when nothing else has come:
/// to wake a thread for each that comes together with others costs more than to run a short chunk.
///
/// Invariants:
///  L1  A lease that was added begins once, or is refused once, after the next post().
///  L2  A batch asks for a thread for each of its leases at most, and for none beyond `threads` that
///      have not come back from run().
/// Threads: add() and post() on the thread that brings leases, run() on any.
class PostedLeases {
 public:
  struct Hooks {
    std::function<bool()> ask_thread;      ///< to call run(), once; false: none will
    std::function<void(LeaseId)> begin;    ///< by run()
    std::function<void(LeaseId)> refused;  ///< by post(): no thread will come to it
  };
  PostedLeases(std::size_t threads, Hooks hooks) : threads_(threads), hooks_(std::move(hooks)) {}

  void add(LeaseId lease) { coming_.push_back(lease); }

  /// Nothing else has come yet.
  void post() {
    std::size_t asked = 0;
    {
      const std::lock_guard guard(lock_);
      posted_.insert(posted_.end(), coming_.begin(), coming_.end());
      asked = std::min(coming_.size(), threads_ - posted_to_);
      posted_to_ += asked;
    }
    coming_.clear();
    for (; asked > 0; --asked) {
      if (hooks_.ask_thread()) continue;
      std::deque<LeaseId> nobodys;
      {
        const std::lock_guard guard(lock_);
        if (--posted_to_ == 0) nobodys.swap(posted_);
      }
      for (const LeaseId lease : nobodys) hooks_.refused(lease);
    }
  }

  /// Begins what is posted, one after the other, until there is nothing left.
  void run() {
    while (true) {
      LeaseId lease = 0;
      {
        const std::lock_guard guard(lock_);
        if (posted_.empty()) {
          --posted_to_;
          return;
        }
        lease = posted_.front();
        posted_.pop_front();
      }
      hooks_.begin(lease);
    }
  }

 private:
  const std::size_t threads_;
  const Hooks hooks_;
  std::mutex lock_;
  std::deque<LeaseId> posted_;
  std::size_t posted_to_ = 0;    // threads that will look at it
  std::vector<LeaseId> coming_;  // of the thread that brings them
};

}  // namespace artel::cluster::detail
