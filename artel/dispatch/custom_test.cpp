#include "artel/dispatch/custom.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "artel/core/id.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/least_loaded.hpp"
#include "artel/dispatch/load_array.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/policy.hpp"

namespace artel::dispatch {
namespace {

static_assert(LoadView<AnyLoads>);

Custom always(std::optional<WorkerId> id) {
  return Custom{.function = [id](const AnyLoads&, const Draw&) { return id; }};
}

TEST(Custom, TheUsersFunctionDecides) {
  const Custom longest{
      .function = [](const AnyLoads& queues, const Draw& draw) -> std::optional<WorkerId> {
        if (draw.size > Duration{100}) return worker(queues.size() - 1);
        return LeastLoaded{}.choose(queues, draw);  // other policies can be used
      },
      .name = "long-last"};
  EXPECT_EQ(choose(longest, loads({2, 1, 9}), Draw{.size = Duration{101}}), WorkerId{2});
  EXPECT_EQ(choose(longest, loads({2, 1, 9}), Draw{}), WorkerId{1});
  EXPECT_EQ(name(longest), "long-last");
}

TEST(Custom, AFullWorkerOrNoneStandsForTheNextWithRoom) {
  EXPECT_EQ(choose(always(WorkerId{1}), loads({0, 1, 0}, 1), Draw{}), WorkerId{2});
  EXPECT_EQ(choose(always(std::nullopt), loads({1, 0, 0}, 1), Draw{}), WorkerId{1});
  EXPECT_FALSE(choose(always(WorkerId{1}), loads({1, 1}, 1), Draw{}));
}

TEST(CustomDeathTest, AWorkerThatDoesNotExistIsAMistake) {
  EXPECT_DEATH((void)choose(always(WorkerId{7}), loads({0, 0}), Draw{}), "no such worker");
}

}  // namespace
}  // namespace artel::dispatch
