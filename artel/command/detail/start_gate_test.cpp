#include "artel/command/detail/start_gate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "artel/core/instant.hpp"

namespace artel::command::detail {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(StartGate, SaysOnceWhyNoJobStarts) {
  std::vector<std::string> told;
  StartGate gate({.free_memory = std::numeric_limits<std::uint64_t>::max()},
                 [&](const std::string& text) { told.push_back(text); });
  EXPECT_EQ(gate.wait(Instant(1s)), 1s);
  EXPECT_EQ(gate.wait(Instant(10s)), 1s);
  EXPECT_THAT(told, IsEmpty());
  for (int second = 11; second < 30; ++second) {
    EXPECT_EQ(gate.wait(Instant(1s * second)), 1s);
  }
  EXPECT_THAT(told, ElementsAre(HasSubstr("--memfree is")));
}

}  // namespace
}  // namespace artel::command::detail
