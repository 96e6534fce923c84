#include "artel/cluster/detail/engine_exit.hpp"

#include <gtest/gtest.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"

namespace artel::cluster::detail {
namespace {

using namespace std::chrono_literals;

// The engine's threads are not in a child of fork(), which may end as any program does.
[[noreturn]] void end_as_a_child_does() {
  EngineExit::prepare();
  const pid_t child = ::fork();
  if (child == 0) std::exit(0);
  const Instant patience = later(steady_now(), 10s);
  int status = -1;
  while (::waitpid(child, &status, WNOHANG) == 0) {
    if (steady_now() > patience) ::kill(child, SIGKILL);
    std::this_thread::sleep_for(1ms);
  }
  std::exit(status == 0 ? 0 : 1);
}

TEST(EngineExitDeathTest, AChildOfForkEndsToo) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(end_as_a_child_does(), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace artel::cluster::detail
