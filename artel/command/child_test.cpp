#include "artel/command/child.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace artel::command {
namespace {

class ChildTest : public testing::Test {
 protected:
  ChildTest() : null_(::open("/dev/null", O_RDWR | O_CLOEXEC)) {
    EXPECT_EQ(::pipe2(pipe_.data(), O_CLOEXEC), 0);
  }
  ~ChildTest() override {
    ::close(null_);
    ::close(pipe_[0]);
    ::close(pipe_[1]);
  }

  Child shell(const std::string& script) {
    auto child = Child::start("/bin/sh", std::vector<std::string>{"sh", "-c", script},
                              {.in = null_, .out = pipe_[1], .err = null_});
    EXPECT_TRUE(child) << child.error().message();
    return std::move(*child);
  }
  // One line of what it wrote.
  [[nodiscard]] std::string line() const {
    std::string text;
    for (char c = 0; ::read(pipe_[0], &c, 1) == 1 && c != '\n';) text += c;
    return text;
  }

  int null_;
  std::array<int, 2> pipe_{};
};

TEST_F(ChildTest, TellsHowItEnded) {
  EXPECT_EQ(shell("exit 3").wait().exit_status, 3);
  EXPECT_EQ(shell("kill -9 $$").wait().signal, 9);
}

TEST_F(ChildTest, HasAGroupAndFilesOfItsOwn) {
  auto child = shell("echo $$; ps -o pgid= -p $$; [ -e /proc/$$/fd/" + std::to_string(pipe_[0]) +
                     " ] && echo open || echo closed");
  EXPECT_EQ(line(), std::to_string(child.pid()));
  EXPECT_EQ(std::stoi(line()), child.pid());
  EXPECT_EQ(line(), "closed");
  child.wait();
}

TEST_F(ChildTest, StartsWithSignalsAsUsual) {
  sigset_t some;
  sigset_t before;
  sigemptyset(&some);
  sigaddset(&some, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &some, &before);
  auto child = shell("kill $$; sleep 100");
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  EXPECT_EQ(child.wait().signal, SIGTERM);
}

TEST_F(ChildTest, WhatCannotStartSaysWhy) {
  const std::vector<std::string> arguments{"x"};
  const Child::Files files{.in = null_, .out = null_, .err = null_};
  EXPECT_EQ(Child::start("/nonexistent", arguments, files).error(),
            std::errc::no_such_file_or_directory);
  EXPECT_EQ(Child::start("/etc/passwd", arguments, files).error(), std::errc::permission_denied);
}

TEST_F(ChildTest, AScriptWithoutInterpreterIsForTheShell) {
  const std::string path = testing::TempDir() + "/artel_child_script." + std::to_string(::getpid());
  std::ofstream(path) << "echo \"$0 $1\"\n";
  ASSERT_EQ(::chmod(path.c_str(), 0700), 0);
  auto child = Child::start(path, std::vector<std::string>{"name", "a b"},
                            {.in = null_, .out = pipe_[1], .err = null_});
  ASSERT_TRUE(child) << child.error().message();
  EXPECT_EQ(line(), path + " a b");
  EXPECT_EQ(child->wait().exit_status, 0);
  ::unlink(path.c_str());
}

TEST_F(ChildTest, ItsGroupDiesWithTheObject) {
  {
    const auto child = shell("(trap '' TERM; echo up; exec sleep 1000) & wait");
    EXPECT_EQ(line(), "up");
  }
  ::close(pipe_[1]);
  EXPECT_EQ(line(), "") << "end of file: nobody holds the pipe any more";
  pipe_[1] = -1;
}

TEST_F(ChildTest, SignalAllReachesDescendantsInOtherGroups) {
  auto child = shell(
      "setsid -w sh -c 'trap \"echo term\" TERM; echo up; while :; do sleep 0.01; done' & wait");
  EXPECT_EQ(line(), "up");
  child.signal_all(SIGTERM);
  EXPECT_EQ(line(), "term");
  child.signal_all(SIGKILL);
  EXPECT_EQ(child.wait().signal, SIGTERM);
  ::close(pipe_[1]);
  EXPECT_EQ(line(), "") << "end of file: nobody holds the pipe any more";
  pipe_[1] = -1;
}

TEST(FindProgram, LooksIntoPath) {
  EXPECT_EQ(find_program("/any/where"), "/any/where");
  EXPECT_NE(find_program("sh")->find("/sh"), std::string::npos);
  EXPECT_EQ(find_program("no-such-program").error(), std::errc::no_such_file_or_directory);
  EXPECT_EQ(find_program("").error(), std::errc::no_such_file_or_directory);
}

}  // namespace
}  // namespace artel::command
