#include "artel/dispatch/detail/worker_set.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstddef>
#include <optional>
#include <set>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/dispatch/load_view.hpp"

namespace artel::dispatch::detail {
namespace {

TEST(WorkerSet, EmptyHasNothing) {
  WorkerSet set;
  EXPECT_FALSE(set.nth(0));
  EXPECT_FALSE(set.next(WorkerId{0}));
  set.resize(5000);
  EXPECT_FALSE(set.nth(0));
  EXPECT_FALSE(set.next(WorkerId{4000}));
}

TEST(WorkerSet, NextGoesRound) {
  WorkerSet set;
  set.resize(3000);
  set.insert(WorkerId{7});
  set.insert(WorkerId{2999});
  EXPECT_EQ(set.next(WorkerId{7}), WorkerId{7});
  EXPECT_EQ(set.next(WorkerId{8}), WorkerId{2999});
  set.erase(WorkerId{2999});
  EXPECT_EQ(set.next(WorkerId{8}), WorkerId{7});
}

RC_GTEST_PROP(WorkerSet, AnswersLikeASortedSet, ()) {
  const auto size = *rc::gen::inRange<std::size_t>(1, 4000);
  const auto id = rc::gen::inRange<std::size_t>(0, size);
  WorkerSet set;
  set.resize(size);
  std::set<std::size_t> model;
  for (const auto i : *rc::gen::container<std::vector<std::size_t>>(id)) {
    if (*rc::gen::inRange(0, 3) == 0) {
      set.erase(worker(i));
      model.erase(i);
    } else {
      set.insert(worker(i));
      model.insert(i);
    }
  }
  RC_ASSERT(set.count() == model.size());
  std::size_t k = 0;
  for (const std::size_t member : model) {
    RC_ASSERT(set.contains(worker(member)));
    RC_ASSERT(set.nth(k++) == worker(member));
  }
  RC_ASSERT(!set.nth(k));
  const auto from = *id;
  auto next = model.lower_bound(from);
  if (next == model.end()) next = model.begin();
  RC_ASSERT(set.next(worker(from)) ==
            (model.empty() ? std::nullopt : std::optional(worker(*next))));
}

}  // namespace
}  // namespace artel::dispatch::detail
