#include "artel/scenario/stealing_word.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "artel/config/schema.hpp"
#include "artel/dispatch/stealing.hpp"
#include "artel/scenario/scenario_schema.hpp"

namespace artel::scenario {
namespace {

using dispatch::Stealing;
using ::testing::ElementsAre;

TEST(StealingWord, NamesEachAndFindsItAgain) {
  EXPECT_EQ(stealing_word(Stealing::none), "none");
  EXPECT_EQ(stealing_word(Stealing::before_held), "before_common");
  EXPECT_EQ(stealing_word(Stealing::after_held), "after_common");
  for (const auto stealing : {Stealing::none, Stealing::before_held, Stealing::after_held})
    EXPECT_EQ(stealing_of(stealing_word(stealing)), stealing);
  EXPECT_EQ(stealing_of("sideways"), Stealing::none);
}

TEST(StealingWord, TheSchemaAllowsTheseWords) {
  const auto* const key = scenario_schema().find("pool", "stealing");
  ASSERT_NE(key, nullptr);
  EXPECT_THAT(config::split_words(key->words),
              ElementsAre(stealing_word(Stealing::none), stealing_word(Stealing::before_held),
                          stealing_word(Stealing::after_held)));
}

}  // namespace
}  // namespace artel::scenario
