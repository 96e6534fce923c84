#include "artel/sim/kernel/detail/value_queue.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <deque>
#include <memory>
#include <vector>

namespace artel::sim::detail {
namespace {

RC_GTEST_PROP(ValueQueue, IsADequeReadFromTheFront, (const std::vector<int>& steps)) {
  ValueQueue<std::unique_ptr<int>> queue;
  std::deque<int> expected;
  for (const int step : steps) {  // negative: take one
    if (step >= 0) {
      queue.push_back(std::make_unique<int>(step));
      expected.push_back(step);
    } else if (!expected.empty()) {
      RC_ASSERT(*queue.pop_front() == expected.front());
      expected.pop_front();
    }
    RC_ASSERT(queue.size() == expected.size());
    RC_ASSERT(queue.empty() == expected.empty());
  }
}

}  // namespace
}  // namespace artel::sim::detail
