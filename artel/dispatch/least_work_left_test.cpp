#include "artel/dispatch/least_work_left.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "artel/core/id.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load_array.hpp"
#include "artel/dispatch/policy.hpp"

namespace artel::dispatch {
namespace {

using std::chrono::seconds;

TEST(LeastWorkLeft, CountsWorkNotTasks) {
  const LoadArray queues({{.queued = 1, .work = seconds(9)}, {.queued = 4, .work = seconds(2)}});
  EXPECT_EQ(choose(LeastWorkLeft{}, queues, Draw{}), WorkerId{1});
}

TEST(LeastWorkLeft, IdleWorkerComesBeforeOneThatIsOverdue) {
  const LoadArray queues({{.queued = 1}, {.queued = 0}});
  EXPECT_EQ(choose(LeastWorkLeft{}, queues, Draw{}), WorkerId{1});
}

TEST(LeastWorkLeft, PassesOverTheFull) {
  const LoadArray queues({{.queued = 1, .capacity = 1, .work = seconds(1)},
                          {.queued = 1, .capacity = 2, .work = seconds(5)}});
  EXPECT_EQ(choose(LeastWorkLeft{}, queues, Draw{}), WorkerId{1});
  EXPECT_FALSE(choose(LeastWorkLeft{}, loads({1, 1}, 1), Draw{}));
}

}  // namespace
}  // namespace artel::dispatch
