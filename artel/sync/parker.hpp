#pragma once

#include <cstdint>

#include "artel/core/instant.hpp"
#include "artel/sync/std_atomics.hpp"

namespace artel::sync {

/// Where one worker sleeps, and is woken by whoever claimed it.
///
/// The parking protocol. A worker W, a submitter S of a task t, everything sequentially consistent:
///
///   S1  put t into a queue                 W1  set W's bit in the idle set
///   S2  read the idle set                  W2  look into every queue W may take from
///   S3  if a worker should be woken:       W3  if there is work: clear the bit; if it was still
///       clear its bit; if it was set,          set, go on, else wait for the token (W4)
///       give it the token (unpark)         W4  sleep until the token comes; take it
///
///  P1  Of S1-before-S2 and W1-before-W2 at least one sees the other: t is seen by W, or W's bit by
///      S. Neither can be missed by both.
///  P2  Clearing the bit is atomic, so that exactly one side owns the wake-up: one token per
///      park, never lost, never left over.
///  P3  S always reads the bit of the worker to whose queue t went: that one is woken, or it will
///      look again before it sleeps (W2).
///  P4  S need not wake anybody else, if a wake-up would cost more than it brings. Then some worker
///      with work may turn out to be stuck, so S makes sure that one parked worker is the
///      *watchdog*: it sleeps with a timeout and, when a worker with waiting tasks makes no
///      progress to speak of, goes to take them. A worker that parks although work waits (it was
///      not allowed to steal) becomes the watchdog or knows that there is one.
///  P5  The watchdog gives its role up when nothing waits anywhere, so that an idle pool sleeps
///      without timeouts. Whoever relies on a watchdog looks whether there is one after S1; a
///      watchdog that resigns looks for work once more after resigning (as P1, with the watchdog
///      word in place of the idle set). A watchdog that leaves for work while other work waits
///      wakes a successor.
///  P6  A summons is answered by whoever takes the token that came with it, also if that worker was
///      about to go on by itself. One that reaches nobody is taken back, and then S reads the idle
///      set once more: a worker that parked meanwhile may have taken the role for filled.
///  P7  A thread that sleeps has its bit set, or a token has been or is about to be given to it. A
///      bit belongs to a place: another thread may take over the place of a worker that is between
///      W1 and W3, by clearing its bit, and then park there and set the same bit again. Before the
///      bit can be set again, that thread gives the worker its token. So W looks for a token after
///      it has cleared a bit in W3. If there is one, the bit belonged to the thread that parks
///      there now, and W owns the wake-up of that thread.
/// The pool's code for this is pool/detail/parking.hpp; its test runs it in all orders, within
/// bounds.
///
/// Cost: unpark() a system call; park() one, unless the token is there.
/// Threads: park() by the worker, unpark() by the claimer.
template <class Atomics = StdAtomics>
class BasicParker {
 public:
  /// Sleeps until unpark(), or until the timeout: then false, and the token may still come.
  bool park(Duration timeout = kForever) {
    while (token_.exchange(0) == 0) {
      if (timeout == kForever) {
        Atomics::futex_wait(token_, 0);
      } else {
        Atomics::futex_wait(token_, 0, timeout);
        return token_.exchange(0) != 0;
      }
    }
    return true;
  }

  void unpark() {
    token_.store(1);
    Atomics::futex_wake(token_, 1);
  }

 private:
  typename Atomics::template Atomic<std::uint32_t> token_ = 0;
};

/// Where one worker sleeps, and is woken by whoever claimed it.
using Parker = BasicParker<>;

}  // namespace artel::sync
