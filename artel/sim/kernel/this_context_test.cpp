#include "artel/sim/kernel/this_context.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/task.hpp"

namespace artel::sim {
namespace {

Task<std::string> name_of_caller() {
  const Context& caller = co_await this_context();
  co_return std::string(caller.name());
}

Task<> ask(Context&, std::vector<std::string>& answers) {
  answers.push_back(co_await name_of_caller());
}

TEST(ThisContext, IsTheComponentWhoseProcessAwaitsTheTask) {
  Simulation simulation;
  std::vector<std::string> answers;
  Context& one = simulation.add_context("one");
  Context& two = simulation.add_context("two");
  one.spawn(ask(one, answers));
  two.spawn(ask(two, answers));
  simulation.run();
  EXPECT_EQ(answers, (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(simulation.now(), Instant{});
}

}  // namespace
}  // namespace artel::sim
