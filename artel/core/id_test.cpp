#include "artel/core/id.hpp"

#include <gtest/gtest.h>
#include <type_traits>

namespace artel {
namespace {

TEST(Id, DoesNotMixWithOtherIdsOrNumbers) {
  static_assert(!std::is_convertible_v<int, WorkerId>);
  static_assert(!std::is_convertible_v<WorkerId, int>);
  static_assert(!std::is_convertible_v<WorkerId, TaskId>);
  EXPECT_EQ(index(WorkerId{7}), 7U);
}

}  // namespace
}  // namespace artel
