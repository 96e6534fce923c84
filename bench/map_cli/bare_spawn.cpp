#include "bench/map_cli/bare_spawn.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace artel::bench {
namespace {

struct Running {
  pid_t process = 0;  // 0: none
  std::array<int, 2> pipes{-1, -1};
  std::string out;
};

void demand(bool done, const char* what) {
  if (!done) throw std::runtime_error(std::string("cannot ") + what);
}

void start(Running& job, const std::string& program, const std::string& item) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  std::array<int, 2> writing{};
  for (std::size_t i = 0; i < 2; ++i) {
    std::array<int, 2> ends{};
    demand(::pipe2(ends.data(), O_CLOEXEC) == 0, "make a pipe");
    job.pipes[i] = ends[0];
    writing[i] = ends[1];
    posix_spawn_file_actions_adddup2(&actions, ends[1], static_cast<int>(i) + 1);
  }
  std::string name = program;
  std::string argument = item;
  const std::array<char*, 3> arguments{name.data(), argument.data(), nullptr};
  demand(
      ::posix_spawnp(&job.process, name.c_str(), &actions, nullptr, arguments.data(), environ) == 0,
      "start a process");
  for (const int end : writing) ::close(end);
  posix_spawn_file_actions_destroy(&actions);
}

void end(Running& job) {
  ::waitpid(job.process, nullptr, 0);
  demand(::write(1, job.out.data(), job.out.size()) == static_cast<ssize_t>(job.out.size()),
         "write");
  job.out.clear();
  job.process = 0;
}

// Returns false at the end of what comes.
bool read_some(int pipe, std::string& out) {
  std::array<char, 1U << 16U> bytes;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  const ssize_t got = ::read(pipe, bytes.data(), bytes.size());
  if (got > 0) out.append(bytes.data(), static_cast<std::size_t>(got));
  return got > 0;
}

}  // namespace

void bare_spawn(std::size_t jobs, const std::string& program,
                const std::vector<std::string>& items) {
  std::vector<Running> running(jobs);
  std::vector<pollfd> polled(2 * jobs);
  std::size_t next = 0;
  std::size_t ended = 0;
  while (ended < items.size()) {
    for (auto& job : running) {
      if (job.process == 0 && next < items.size()) start(job, program, items[next++]);
    }
    for (std::size_t i = 0; i < polled.size(); ++i) {
      polled[i] = {.fd = running[i / 2].pipes[i % 2], .events = POLLIN, .revents = 0};
    }
    demand(::poll(polled.data(), polled.size(), -1) > 0 || errno == EINTR, "wait");
    for (std::size_t i = 0; i < polled.size(); ++i) {
      auto& job = running[i / 2];
      int& pipe = job.pipes[i % 2];
      if (polled[i].revents == 0 || read_some(pipe, job.out)) continue;
      ::close(pipe);
      pipe = -1;
      if (job.pipes[0] >= 0 || job.pipes[1] >= 0) continue;
      end(job);
      ++ended;
    }
  }
}

}  // namespace artel::bench
