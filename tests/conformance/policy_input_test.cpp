// What a policy does not name at compile time does not matter to it.
#include <gtest/gtest.h>
#include <rapidcheck.h>  // IWYU pragma: keep

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/dispatch/custom.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_array.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/policy_input.hpp"
#include "artel/dispatch/probe_pool.hpp"
#include "tests/conformance/every_policy.hpp"

namespace artel::conformance {
namespace {

using dispatch::Draw;
using dispatch::Load;
using dispatch::PolicyInput;
using dispatch::PolicyInputs;

Duration any_time() { return Duration{*rc::gen::inRange<std::int64_t>(0, 1000)}; }

Load any_load() {
  return {.queued = *rc::gen::inRange<std::uint32_t>(0, 4),
          .capacity = *rc::gen::inRange<std::uint32_t>(0, 6),
          .weight = static_cast<float>(*rc::gen::inRange(1, 4)),
          .failures = *rc::gen::inRange<std::uint32_t>(0, 3),
          .work = any_time(),
          .delay = any_time(),
          .latency = any_time(),
          .heard = Instant{any_time()}};
}

Draw any_draw() {
  static const std::vector<std::vector<float>> caches{{}, {0, 1}, {1, 0.5F, 0, 0.25F, 1}};
  return {.turn = *rc::gen::inRange<std::uint64_t>(0, 100),
          .dice = *rc::gen::arbitrary<std::uint64_t>(),
          .now = Instant{any_time()},
          .size = any_time(),
          .key = *rc::gen::inRange<std::uint64_t>(0, 9),
          .task_class = *rc::gen::inRange<std::uint32_t>(0, 3),
          .deadline = Instant{any_time()},
          .age = any_time(),
          .matched = caches[*rc::gen::inRange<std::size_t>(0, caches.size())]};
}

// Of some of the workers.
dispatch::ProbePool any_answers(std::size_t workers) {
  dispatch::ProbePool pool{.hot_from = *rc::gen::inRange<std::uint32_t>(0, 4)};
  for (std::size_t i = 0; i < workers; ++i) {
    if (*rc::gen::arbitrary<bool>()) continue;
    pool.probes.push_back({.worker = dispatch::worker(i),
                           .queued = *rc::gen::inRange<std::uint32_t>(0, 4),
                           .latency = any_time()});
  }
  return pool;
}

// Of `to` what is named, of `from` the rest.
Load mixed(Load to, const Load& from, PolicyInputs named) {
  if (!named.has(PolicyInput::weight)) to.weight = from.weight;
  if (!named.has(PolicyInput::work)) to.work = from.work;
  if (!named.has(PolicyInput::delay)) to.delay = from.delay;
  if (!named.has(PolicyInput::failures)) to.failures = from.failures;
  if (!named.has(PolicyInput::latency)) {
    to.latency = from.latency;
    to.heard = from.heard;
  }
  return to;
}

Draw mixed(Draw to, const Draw& from, PolicyInputs named) {
  if (!named.has(PolicyInput::now)) to.now = from.now;
  if (!named.has(PolicyInput::size)) to.size = from.size;
  if (!named.has(PolicyInput::key)) to.key = from.key;
  if (!named.has(PolicyInput::task_class)) to.task_class = from.task_class;
  if (!named.has(PolicyInput::deadline)) to.deadline = from.deadline;
  if (!named.has(PolicyInput::matched)) to.matched = from.matched;
  if (!named.has(PolicyInput::age)) to.age = from.age;
  return to;
}

class PolicyReads : public ::testing::TestWithParam<std::size_t> {};

TEST_P(PolicyReads, WhatAPolicyDoesNotNameDoesNotMatter) {
  const dispatch::Policy policy = every_policy()[GetParam()];
  const auto at_compile_time =
      std::visit([]<class P>(const P& /*policy*/) { return P::kReads; }, policy);
  const auto needed = dispatch::needs(policy).inputs;
  EXPECT_TRUE(needed.without(at_compile_time).without(PolicyInput::size).empty());
  EXPECT_TRUE(rc::check(dispatch::name(policy), [&] {
    for (const PolicyInputs named : {at_compile_time, needed}) {
      std::vector<Load> loads;
      std::vector<Load> others;
      const auto workers = *rc::gen::inRange<std::size_t>(1, 6);
      for (std::size_t i = 0; i < workers; ++i) {
        loads.push_back(any_load());
        others.push_back(mixed(loads.back(), any_load(), named));
      }
      const auto answers = any_answers(workers);
      Draw draw = any_draw();
      draw.probes = &answers;
      RC_ASSERT(choose(policy, dispatch::LoadArray(loads), draw) ==
                choose(policy, dispatch::LoadArray(others), mixed(draw, any_draw(), named)));
    }
  }));
}

INSTANTIATE_TEST_SUITE_P(Policies, PolicyReads,
                         ::testing::Range<std::size_t>(0, every_policy().size()),
                         [](const auto& param) { return identifier(every_policy()[param.param]); });

TEST(CheckInputs, NamesWhatAHostDoesNotKnow) {
  const auto refused = dispatch::check_inputs(dispatch::PeakEwma{}, PolicyInput::weight, "a stone");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().what,
            "policy peak_ewma(2) reads latency, now, which a stone does not know");
  EXPECT_TRUE(dispatch::check_inputs(dispatch::Jsq{}, PolicyInputs{}, "a stone"));
}

TEST(CheckInputs, ACustomPolicyIsHeldToWhatItSays) {
  dispatch::Custom custom{.function = [](const auto&, const auto&) { return std::nullopt; }};
  EXPECT_TRUE(dispatch::check_inputs(custom, PolicyInputs{}, "a stone"));
  custom.reads = {PolicyInput::key, PolicyInput::failures};
  EXPECT_FALSE(dispatch::check_inputs(custom, PolicyInput::key, "a stone"));
  EXPECT_EQ(dispatch::needs(custom).inputs, PolicyInputs(PolicyInput::key, PolicyInput::failures));
}

}  // namespace
}  // namespace artel::conformance
