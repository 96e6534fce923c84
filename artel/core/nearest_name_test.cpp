#include "artel/core/nearest_name.hpp"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <string_view>

namespace artel {
namespace {

constexpr std::array<std::string_view, 4> kPolicies{"random", "round_robin", "least_loaded", "jsq"};

TEST(NearestName, FindsASwappedPairOfLetters) {
  EXPECT_EQ(nearest_name("radnom", kPolicies), "random");
  EXPECT_EQ(nearest_name("jqs", kPolicies), "jsq");  // one mistake, and no more are forgiven here
}

TEST(NearestName, IgnoresCase) { EXPECT_EQ(nearest_name("Round_Robin", kPolicies), "round_robin"); }

TEST(NearestName, IsSilentWhenNothingIsClose) {
  EXPECT_EQ(nearest_name("fastest", kPolicies), std::nullopt);
  EXPECT_EQ(nearest_name("", kPolicies), std::nullopt);
}

TEST(UnknownName, SaysWhatWasFoundMeantAndAllowed) {
  EXPECT_EQ(unknown_name("policy", "jsp", kPolicies),
            "unknown policy 'jsp' (did you mean 'jsq'?); allowed: random, round_robin, "
            "least_loaded, jsq");
}

}  // namespace
}  // namespace artel
