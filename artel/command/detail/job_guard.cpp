#include "artel/command/detail/job_guard.hpp"

#include <dirent.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/command/detail/live_process.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"

namespace artel::command::detail {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kJobsMax = std::size_t{1} << 16U;
constexpr std::size_t kTableBytes = kJobsMax * sizeof(std::atomic<pid_t>);
constexpr int kLookMs = 10;
// From SIGKILL on. What is left then runs as another user, or never returns from a system call.
constexpr Duration kPatience = 10s;

struct Process : LiveProcess {
  bool is_job = false;
};

std::vector<Process> all_processes() {
  std::vector<Process> processes;
  DIR* const folder = ::opendir("/proc");
  if (folder == nullptr) return processes;
  while (const dirent* const entry = ::readdir(folder)) {
    const auto pid = static_cast<pid_t>(std::strtol(entry->d_name, nullptr, 10));
    if (pid <= 1) continue;
    if (const auto process = live_process(pid)) processes.push_back({*process});
  }
  ::closedir(folder);
  return processes;
}

// The processes of jobs, from one look to the next: also those whose parents have gone.
//
// A number is a job's only as long as something has it: later the system may give it to a process
// of somebody else. So what the last look has not seen is forgotten.
class JobProcesses {
 public:
  JobProcesses(std::vector<pid_t> jobs, bool groups) : jobs_(std::move(jobs)) {
    if (groups) groups_ = jobs_;
  }

  // Those that are alive now.
  std::vector<Process> look() {
    auto processes = all_processes();
    for (bool found = true; found;) {
      found = false;
      for (auto& process : processes) {
        if (process.is_job || !belongs(process)) continue;
        process.is_job = found = true;
        known_.push_back(process);
        if (process.group == process.pid) groups_.push_back(process.pid);
      }
    }
    first_ = false;
    std::erase_if(groups_, [&](pid_t group) {
      return std::ranges::find(processes, group, &Process::group) == processes.end();
    });
    std::erase_if(processes, [](const Process& process) { return !process.is_job; });
    known_ = processes;
    return processes;
  }

 private:
  [[nodiscard]] bool belongs(const Process& process) const {
    return (first_ && std::ranges::find(jobs_, process.pid) != jobs_.end()) ||
           std::ranges::find(groups_, process.group) != groups_.end() ||
           std::ranges::any_of(known_, [&](const Process& known) {
             return known.pid == process.parent ||
                    (known.pid == process.pid && known.started == process.started);
           });
  }

  std::vector<pid_t> jobs_;
  std::vector<pid_t> groups_;   // that only processes of jobs are in
  std::vector<Process> known_;  // since the last look
  bool first_ = true;
};

// Stops them all, so that none starts a process in another group, and dies, between two looks.
std::vector<Process> stop_all(JobProcesses& processes) {
  constexpr Duration kMost = 200ms;  // one that waits in the system does not stop
  const Instant end = later(steady_now(), kMost);
  while (true) {
    auto alive = processes.look();
    bool stopped = true;
    for (const auto& process : alive) {
      if (process.state == 'T') continue;
      ::kill(process.pid, SIGSTOP);
      stopped = false;
    }
    if (stopped || steady_now() >= end) return alive;
    ::poll(nullptr, 0, 1);
  }
}

// Whether none is left.
bool end_jobs(std::vector<pid_t> jobs, bool groups, Duration grace) {
  JobProcesses processes(std::move(jobs), groups);
  std::vector<pid_t> told;
  const auto tell = [&](const std::vector<Process>& alive) {
    for (const auto& process : alive) {
      if (std::ranges::find(told, process.pid) != told.end()) continue;
      ::kill(process.pid, SIGTERM);
      ::kill(process.pid, SIGCONT);
      told.push_back(process.pid);
    }
    return !alive.empty();
  };
  const Instant killing = later(steady_now(), grace);
  for (bool left = tell(stop_all(processes)); left && steady_now() < killing;) {
    ::poll(nullptr, 0, kLookMs);
    left = tell(processes.look());
  }
  const Instant end = later(steady_now(), kPatience);
  auto alive = stop_all(processes);
  while (!alive.empty() && steady_now() < end) {
    for (const auto& process : alive) ::kill(process.pid, SIGKILL);
    ::poll(nullptr, 0, kLookMs);
    alive = processes.look();
  }
  return alive.empty();
}

// So that what ends programs by the name or the command line of ours does not end this one, too.
void rename_process() {
  ::prctl(PR_SET_NAME, "job-guard");
  constexpr int kArguments =
      48;  // the field that says where they are; the next one, where they end
  std::ifstream file("/proc/self/stat");
  std::string ignored;
  for (int field = 1; field < kArguments; ++field) file >> ignored;
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  file >> begin >> end;
  constexpr std::string_view kName = "job-guard";
  if (!file || end < begin + kName.size() + 1) return;
  auto* const arguments = reinterpret_cast<char*>(begin);  // NOLINT: the system's number of it
  std::memset(arguments, 0, end - begin);
  std::memcpy(arguments, kName.data(), kName.size());
}

void close_all_but(int kept) {
  if (kept < 0) {
    ::close_range(0, ~0U, 0);
    return;
  }
  if (kept > 0) ::close_range(0, static_cast<unsigned>(kept) - 1, 0);
  ::close_range(static_cast<unsigned>(kept) + 1, ~0U, 0);
}

[[noreturn]] void guard(pid_t parent, const std::atomic<pid_t>* table, int kept, Duration grace,
                        bool groups) {
  sigset_t all;
  sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, nullptr);
  ::setsid();
  close_all_but(kept);
  rename_process();
  static_cast<void>(::chdir("/"));
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg): older glibc has no name for it
  const auto file = static_cast<int>(::syscall(SYS_pidfd_open, parent, 0));
  pollfd died{.fd = file, .events = POLLIN, .revents = 0};
  while (::getppid() == parent) ::poll(&died, 1, file < 0 ? kLookMs : -1);
  std::vector<pid_t> jobs;
  for (std::size_t i = 0; i < kJobsMax; ++i) {
    if (const pid_t pid = table[i].load(); pid > 0) jobs.push_back(pid);
  }
  const bool ended = jobs.empty() || end_jobs(std::move(jobs), groups, grace);
  if (ended && kept >= 0) ::flock(kept, LOCK_UN);  // a daemon may have it open, too
  ::_exit(0);
}

}  // namespace

JobGuard::JobGuard(int kept, Duration grace, bool groups) {
  void* const memory =
      ::mmap(nullptr, kTableBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;                   // NOLINT(*-cstyle-cast): the system's
  table_ = static_cast<std::atomic<pid_t>*>(memory);  // zeros
  const pid_t parent = ::getpid();
  pid_ = ::fork();
  if (pid_ == 0) guard(parent, table_, kept, grace, groups);
}

JobGuard::~JobGuard() {
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  if (table_ != nullptr) ::munmap(table_, kTableBytes);
}

std::atomic<pid_t>* JobGuard::entry(std::size_t index) const {
  return pid_ > 0 && index < kJobsMax ? table_ + index : nullptr;
}

}  // namespace artel::command::detail
