// Policies in shared objects: made with artel_policy.h, held to what the built-in ones do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/dispatch/custom.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/least_loaded.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_array.hpp"
#include "artel/dispatch/load_policy_plugin.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/policy_table.hpp"
#include "artel/dispatch/policy_text.hpp"
#include "artel/dispatch/worker_table.hpp"
#include "artel/pool/future.hpp"
#include "artel/pool/pool.hpp"
#include "artel/scenario/study.hpp"
#include "tests/temporary_folder.hpp"

namespace artel::conformance {
namespace {

using dispatch::Draw;
using dispatch::Load;
using dispatch::load_policy_plugin;
using dispatch::PolicyFailure;
using ::testing::AllOf;
using ::testing::HasSubstr;

std::string plugin(std::string_view name) {
  return (std::filesystem::path(ARTEL_TEST_PLUGINS) / name).string() + ".so";
}

dispatch::Custom broken(const std::string& how) {
  return load_policy_plugin(plugin("broken"), how).value();
}

std::string refusal(std::string_view name, const std::string& options = {}) {
  const auto loaded = load_policy_plugin(plugin(name), options);
  return loaded ? "none" : to_string(loaded.error());
}

// What a decision about workers with so many tasks throws.
std::string failure(const dispatch::Custom& policy) {
  try {
    (void)choose(policy, dispatch::loads({1, 0, 2}), Draw{});
  } catch (const PolicyFailure& failure) {
    return failure.what();
  }
  return "none";
}

RC_GTEST_PROP(PolicyPlugin, DecidesAsTheSamePolicyThatIsBuiltIn, ()) {
  static const auto shortest = load_policy_plugin(plugin("shortest_queue")).value();
  dispatch::LoadArray loads(std::vector<Load>(*rc::gen::inRange<std::size_t>(1, 9)));
  for (std::size_t i = 0; i < loads.size(); ++i) {
    loads.set(dispatch::worker(i), {.queued = *rc::gen::inRange<std::uint32_t>(0, 5),
                                    .capacity = *rc::gen::inRange<std::uint32_t>(0, 7)});
  }
  const Draw draw{.dice = *rc::gen::arbitrary<std::uint64_t>()};
  RC_ASSERT(choose(shortest, loads, draw) == choose(dispatch::LeastLoaded{}, loads, draw));
}

TEST(PolicyPlugin, IsNamedByItselfAndFoundByItsText) {
  const auto shortest = load_policy_plugin(plugin("shortest_queue"));
  ASSERT_TRUE(shortest) << shortest.error().what;
  EXPECT_EQ(dispatch::name(*shortest), "shortest-queue");
  EXPECT_TRUE(dispatch::needs(*shortest).inputs.empty()) << "hosts keep no more for it";
  const auto text = dispatch::policy_text(*shortest);
  EXPECT_EQ(text, "plugin(file=" + plugin("shortest_queue") + ")");
  const auto back = dispatch::parse_policy(text);
  ASSERT_TRUE(back) << back.error().what;
  EXPECT_EQ(dispatch::policy_text(*back), text);
  EXPECT_TRUE(dispatch::make_policy("plugin", {{"file", plugin("broken")}, {"options", 7.0}}))
      << "options may look like a number";
}

TEST(PolicyPlugin, WhatIsNoneIsRefusedWithTheReason) {
  EXPECT_THAT(refusal("nowhere"), HasSubstr("no such file"));
  EXPECT_THAT(refusal("broken_of_tomorrow"), HasSubstr("was made for version 3"));
  EXPECT_THAT(refusal("broken_without_abi"), HasSubstr("is no policy: it has no artel_policy_abi"));
  EXPECT_THAT(refusal("broken_without_make"), HasSubstr("it has no artel_make_policy()"));
  EXPECT_THAT(refusal("broken", "refuses"), HasSubstr("the moon is full"));
  EXPECT_THAT(refusal("broken", "cannot be made"), HasSubstr("threw: out of ideas"));
  EXPECT_THAT(refusal("broken", "has no name"), HasSubstr("name of 0 bytes, allowed: 1 to 64"));
  EXPECT_THAT(refusal("broken", "has a bad name"), HasSubstr("name of 3 bytes"));
  EXPECT_THAT(refusal("broken", "has no choose"), HasSubstr("found no choose()"));
  EXPECT_THAT(refusal("broken", "reads too much"), HasSubstr("found reads 0x40000000"));
  EXPECT_THAT(refusal("broken", "has a bad law"), HasSubstr("found latency_mean 2, allowed: 0, 1"));
  EXPECT_THAT(refusal("broken", "has a bad decay"), HasSubstr("found latency_decay -1 ns"));
  const auto no_library = load_policy_plugin("/dev/null");
  ASSERT_FALSE(no_library);
  EXPECT_THAT(no_library.error().what, HasSubstr("cannot load it"));
  const auto without = dispatch::make_policy("plugin");
  ASSERT_FALSE(without);
  EXPECT_THAT(without.error().what, HasSubstr("plugin needs a file"));
}

TEST(PolicyPlugin, ADecisionThatBreaksTheContractNamesThePolicy) {
  EXPECT_EQ(failure(broken("does nothing wrong")), "none");
  EXPECT_THAT(failure(broken("throws")),
              AllOf(HasSubstr("policy broken ("), HasSubstr("broken.so): threw: no idea")));
  EXPECT_THAT(failure(broken("throws a number")), HasSubstr("threw something"));
  EXPECT_THAT(failure(broken("too far")),
              HasSubstr("found worker 3, allowed: 0 to 2, or -1 for any"));
  EXPECT_THAT(failure(broken("negative")), HasSubstr("found worker -2, allowed: 0 to 2"));
  EXPECT_EQ(failure(broken("reads worker 2")), "none");
  EXPECT_THAT(failure(broken("reads worker 3")), HasSubstr("read worker 3, allowed: 0 to 2"));
  EXPECT_THAT(failure(broken("reads worker 4294967295")), HasSubstr("read worker 4294967295"));
}

TEST(PolicyPlugin, AnyWorkerStandsForTheFirstWithRoom) {
  EXPECT_EQ(choose(broken("names nobody"), dispatch::loads({1, 0, 0}, 1), Draw{}), WorkerId{1});
}

TEST(PolicyPlugin, WhoIsAskedForBehindTheLastIsFoundGoingRound) {
  EXPECT_EQ(choose(broken("asks behind the last"), dispatch::loads({1, 0, 0}), Draw{}),
            WorkerId{1});
}

TEST(PolicyPlugin, ATableOfWorkersIsAsItWasWhenADecisionFails) {
  dispatch::WorkerTable table(broken("throws"), {.max = 2}, 1);
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(table.join({.capacity = 1}, {}));
  EXPECT_THROW((void)table.decide({}), PolicyFailure);
  EXPECT_EQ(table.loads().count(dispatch::Group::open), 2U);
}

TEST(PolicyPlugin, WhoSubmitsToAPoolHearsOfItAndThePoolGoesOn) {
  pool::Pool pool({.workers = 2, .dispatch = broken("throws seldom")});
  const auto kept = std::make_shared<int>(0);  // as often as there are tasks
  std::size_t accepted = 0;
  std::size_t failed = 0;
  std::vector<pool::Future<int>> answers;
  for (int i = 0; i < 1000; ++i) {
    try {
      answers.push_back(pool.submit([i, kept] { return i; }));
      ++accepted;
    } catch (const PolicyFailure& failure) {
      EXPECT_THAT(failure.what(), HasSubstr("threw: no idea"));
      ++failed;
    }
  }
  for (auto& answer : answers) (void)answer.get();
  EXPECT_GT(failed, 0U);
  EXPECT_EQ(kept.use_count(), 1) << "what was not accepted is lost";
  pool.stop();
  const auto stats = pool.stats();
  EXPECT_EQ(stats.accepted, accepted);
  EXPECT_EQ(stats.total.outcomes.ended(), accepted);
}

TEST(PolicyPlugin, AnotherFileUnderTheSameNameMakesAnotherStudy) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "mine.so";
  const auto study = [&](std::string_view source) {
    std::filesystem::remove(file);  // a file that is loaded is replaced, not written over
    std::filesystem::copy_file(plugin(source), file);
    const auto parsed = scenario::parse_study(R"(
[workload]
arrivals = { kind = "poisson", load = 0.5 }
service = { distribution = "exponential", mean = 1 }
[pool]
workers = 2
[dispatch]
policies = [{ name = "plugin", file = "mine.so", label = "mine" }]
)",
                                              (folder.path() / "study.toml").string());
    EXPECT_TRUE(parsed);
    return parsed ? fingerprint(*parsed) : std::string();
  };
  const auto before = study("shortest_queue");
  EXPECT_EQ(study("shortest_queue"), before);
  EXPECT_NE(study("broken"), before);
}

}  // namespace
}  // namespace artel::conformance
