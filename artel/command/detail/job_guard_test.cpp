#include "artel/command/detail/job_guard.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/sched.h>
#include <poll.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <sys/wait.h>  // WNOHANG and its like, too
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "artel/command/child.hpp"
#include "artel/core/instant.hpp"
#include "artel/file/open_file.hpp"
#include "artel/file/pipe_ends.hpp"
#include "tests/temporary_folder.hpp"

namespace artel::command::detail {
namespace {

using namespace std::chrono_literals;

constexpr int kDeadlineMs = 20'000;

class JobGuardTest : public testing::Test {
 protected:
  JobGuardTest()
      : pipe_(*file::make_pipe()),
        lock_(::open((folder_.path() / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {}
  ~JobGuardTest() override { die(); }

  // A process that has a guard and runs jobs, which write to the pipe; it dies by die().
  void start(const std::vector<std::string>& scripts, bool groups = true) {
    artel_ = ::fork();
    ASSERT_GE(artel_, 0);
    if (artel_ > 0) return pipe_.write.close();
    ::flock(lock_.get(), LOCK_EX);
    const file::OpenFile null(::open("/dev/null", O_RDWR | O_CLOEXEC));
    const JobGuard guard(lock_.get(), grace_, groups);
    std::vector<Child> jobs;
    for (const auto& script : scripts) {
      auto job = Child::start("/bin/sh", std::vector<std::string>{"sh", "-c", script},
                              {.in = null.get(), .out = pipe_.write.get(), .err = null.get()},
                              {.own_group = groups, .entry = guard.entry(jobs.size())});
      if (job) jobs.push_back(*std::move(job));
    }
    while (true) ::pause();
  }
  void die() {
    if (artel_ <= 0) return;
    ::kill(artel_, SIGKILL);
    ::waitpid(std::exchange(artel_, -1), nullptr, 0);
  }
  // A byte that some job has written; nothing: all of them have gone.
  std::optional<char> read() {
    pollfd one{.fd = pipe_.read.get(), .events = POLLIN, .revents = 0};
    EXPECT_EQ(::poll(&one, 1, kDeadlineMs), 1) << "in time";
    char c = 0;
    if (::read(pipe_.read.get(), &c, 1) != 1) return std::nullopt;
    return c;
  }
  // Reads until all jobs have gone.
  std::string rest() {
    std::string text;
    while (const auto c = read()) text += *c;
    return text;
  }

  TemporaryFolder folder_;
  file::PipeEnds pipe_;
  file::OpenFile lock_;
  Duration grace_ = 200ms;
  pid_t artel_ = -1;
};

TEST_F(JobGuardTest, NoJobOutlivesItsRun) {
  start({"printf a; exec sleep 1000", "printf b; sleep 1000 & wait",
         "trap '' TERM; printf c; sleep 1000", "printf d; timeout 1000 sleep 1000",
         "printf e; setsid -w sh -c 'sleep 1000; :'", "printf f; kill -STOP $$"});
  std::string begun;
  while (begun.size() < 6) begun += read().value_or('?');
  die();
  EXPECT_EQ(rest(), "");
}

TEST_F(JobGuardTest, JobsMayEndTheirWork) {
  grace_ = 20s;  // a busy machine
  start({"trap 'printf s; exit' TERM; printf a; while :; do sleep 0.01; done"});
  EXPECT_EQ(read(), 'a');
  die();
  EXPECT_EQ(rest(), "s");
}

TEST_F(JobGuardTest, AJobInTheGroupOfTheRunIsEndedAlone) {
  start({"printf a; exec sleep 1000"}, false);
  EXPECT_EQ(read(), 'a');
  die();
  EXPECT_EQ(rest(), "");
}

TEST_F(JobGuardTest, HoldsTheLockUntilNoJobIsLeft) {
  start({"trap '' TERM; printf a; while :; do sleep 0.01; done"});
  EXPECT_EQ(read(), 'a');
  EXPECT_NE(::flock(file::OpenFile(::open((folder_.path() / "lock").c_str(), O_RDWR)).get(),
                    LOCK_SH | LOCK_NB),
            0);
  die();
  // Another open file of the same name, which has no share in the lock.
  const file::OpenFile other(::open((folder_.path() / "lock").c_str(), O_RDWR | O_CLOEXEC));
  lock_.close();
  EXPECT_EQ(::flock(other.get(), LOCK_EX), 0);
  pollfd one{.fd = pipe_.read.get(), .events = POLLIN, .revents = 0};
  EXPECT_EQ(::poll(&one, 1, 0), 1) << "the job has gone";
}

// A process of somebody else that gets this number, with a child in its group; it ends with that.
// -1: only root may.
pid_t start_stranger(pid_t number) {
  clone_args arguments{};
  arguments.exit_signal = SIGCHLD;
  arguments.set_tid = reinterpret_cast<std::uintptr_t>(&number);  // NOLINT(*-reinterpret-cast)
  arguments.set_tid_size = 1;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg): the library has no name for it
  const auto stranger = static_cast<pid_t>(::syscall(SYS_clone3, &arguments, sizeof arguments));
  if (stranger != 0) return stranger;
  ::setpgid(0, 0);
  if (const pid_t child = ::fork(); child > 0) {
    ::waitpid(child, nullptr, 0);
    ::_exit(1);
  }
  while (true) ::pause();
}

TEST_F(JobGuardTest, ANumberIsNoJobsAnyMoreWhenTheJobHasGone) {
  grace_ = 20s;
  const auto go = folder_.path() / "go";
  start({"echo $$; exec sleep 1000",
         "trap '' TERM; printf x; while [ ! -e " + go.string() + " ]; do sleep 0.01; done"});
  std::string begun;
  while (begun.find('x') == begun.npos || begun.find('\n') == begun.npos)
    begun += read().value_or('?');
  std::erase(begun, 'x');
  die();
  const auto job = static_cast<pid_t>(std::stol(begun));
  while (::kill(job, 0) == 0) ::usleep(1000);
  ::usleep(100'000);  // some looks of the guard
  const pid_t stranger = start_stranger(job);
  if (stranger > 0) ::usleep(200'000);
  EXPECT_TRUE(std::ofstream(go));
  EXPECT_EQ(rest(), "");
  if (stranger < 0) GTEST_SKIP() << "may not choose the number of a process";
  const auto ended = ::waitpid(stranger, nullptr, WNOHANG);  // NOLINT(misc-include-cleaner)
  EXPECT_EQ(ended, 0) << "killed by the guard";
  ::kill(-stranger, SIGKILL);
  ::waitpid(stranger, nullptr, 0);
}

}  // namespace
}  // namespace artel::command::detail
