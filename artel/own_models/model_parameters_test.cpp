#include "artel/own_models/model_parameters.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "artel/core/instant.hpp"

namespace artel::own_models {
namespace {

using namespace std::chrono_literals;

TEST(ModelParameters, AreReadAsNumbersThingsAndTimes) {
  const ModelParameters parameters{{"load", 0.8}, {"servers", 3}, {"timeout", 1.5}};
  EXPECT_EQ(parameters["load"], 0.8);
  EXPECT_EQ(parameters.whole("servers"), 3U);
  EXPECT_EQ(parameters.duration("timeout"), Duration{1500ms});
}

TEST(ModelParameters, KeepTheirOrderWhenChanged) {
  ModelParameters parameters{{"b", 1}, {"a", 2}};
  parameters.set("b", 3);
  parameters.set("c", 4);
  EXPECT_EQ(parameters, (ModelParameters{{"b", 3}, {"a", 2}, {"c", 4}}));
  EXPECT_EQ(parameters.entries().front().first, "b");
}

TEST(ModelParameters, AWrongNameIsToldWithTheNearest) {
  const ModelParameters parameters{{"load", 0.8}, {"servers", 3}};
  try {
    static_cast<void>(parameters["laod"]);
    FAIL() << "it was found";
  } catch (const std::invalid_argument& wrong) {
    EXPECT_NE(std::string(wrong.what()).find("did you mean 'load'"), std::string::npos)
        << wrong.what();
  }
}

TEST(ModelParameters, HalfAThingIsRefused) {
  const ModelParameters parameters{{"half", 0.5}, {"less", -1}, {"many", 1e300}};
  for (const auto* name : {"half", "less", "many"})
    EXPECT_THROW(static_cast<void>(parameters.whole(name)), std::invalid_argument) << name;
}

}  // namespace
}  // namespace artel::own_models
