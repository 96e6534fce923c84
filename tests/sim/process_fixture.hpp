#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/sleep.hpp"
#include "artel/sim/kernel/task.hpp"

namespace artel::sim {

struct Ping {
  std::uint64_t number = 0;
};
inline std::uint64_t key_of(const Ping& ping) { return ping.number; }
struct Pong {
  std::uint64_t number = 0;
};
inline std::uint64_t key_of(const Pong& pong) { return pong.number; }

using Diary = std::vector<std::string>;

/// A simulation with two contexts and a diary.
class ProcessTest : public testing::Test {
 public:
  std::string now() const { return std::to_string(context.now().time_since_epoch().count()); }
  void note(const std::string& text) { diary.push_back(text + "@" + now()); }

  Simulation simulation;
  Context& context = simulation.add_context("main");
  Context& other = simulation.add_context("other");
  Diary diary;
};

inline Task<int> answer_after(Context& context, Duration delay, int answer) {
  co_await context.sleep(delay);
  co_return answer;
}

inline Task<> fail_after(Context& context, Duration delay) {
  co_await context.sleep(delay);
  throw std::runtime_error("as planned");
}

}  // namespace artel::sim
