#include "artel/sync/spin_lock.hpp"

#include <gtest/gtest.h>

#include <mutex>

#include "tests/explore/execution.hpp"
#include "tests/explore/explored_atomics.hpp"
#include "tests/explore/explorer.hpp"

namespace artel::sync {
namespace {

using explore::Execution;
using explore::ExploredAtomics;

TEST(SpinLock, HandsOverWhatItProtectsInAllOrders) {
  const explore::Report report =
      explore::explore({.preemptions = 3, .surprises = 2}, [](Execution& run) {
        BasicSpinLock<ExploredAtomics> lock;
        ExploredAtomics::Plain<int> sum = 0;
        for (const char* name : {"first", "second"}) {
          run.thread(name, [&] {
            for (int i = 0; i < 2; ++i) {
              const std::lock_guard guard(lock);
              sum += 1;
            }
          });
        }
        run.go();
        run.require(sum == 4, "two hold the lock");
      });
  EXPECT_TRUE(report.sound()) << report;
}

}  // namespace
}  // namespace artel::sync
