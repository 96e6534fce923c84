#include "artel/sim/model/lease.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <utility>

namespace artel::sim {
namespace {

TEST(Lease, EndsWhatItWasTakenForWhenItIsDestroyed) {
  LeaseHolder holder;
  int ended = 0;
  {
    const Lease first(holder, [&] { ended += 1; });
    const Lease second(holder, [&] { ended += 10; });
    EXPECT_EQ(ended, 0);
  }
  EXPECT_EQ(ended, 11);
}

TEST(Lease, DoesNothingWhenTheHolderWentFirst) {
  std::optional<LeaseHolder> holder(std::in_place);
  int ended = 0;
  {
    const Lease lease(*holder, [&] { ++ended; });
    const Lease other(*holder, [&] { ++ended; });
    holder.reset();
  }
  EXPECT_EQ(ended, 0);
}

}  // namespace
}  // namespace artel::sim
