#include "artel/cluster/detail/engine_exit.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

namespace artel::cluster::detail {
namespace {

// The engine's threads are not in a child of fork(), which may end as any program does.
[[noreturn]] void end_as_a_child_does() {
  EngineExit::prepare();
  const auto child = ::fork();
  if (child == 0) {
    ::alarm(10);  // that it would wait for ever is a failure, too
    std::exit(0);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  std::exit(status == 0 ? 0 : 1);
}

TEST(EngineExitDeathTest, AChildOfForkEndsToo) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(end_as_a_child_does(), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace artel::cluster::detail
