#include <dirent.h>
#include <fmt/core.h>
#include <signal.h>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <fstream>

#include "artel/command/child.hpp"
#include "artel/command/detail/live_process.hpp"

namespace artel::command {

void Child::signal_all(int signal) {
  if (signal != SIGCONT) stop_all();
  if (signal == SIGSTOP) return;
  const auto send = [this](int one) {
    this->signal(one);
    signal_descendants(one, 0);
  };
  send(signal);
  if (signal != SIGKILL) send(SIGCONT);
}

void Child::stop_all() {
  constexpr int kLooksMax = 10;  // a process that waits in the system may go on starting others
  signal(SIGSTOP);
  for (int look = 0; look < kLooksMax; ++look) {
    const auto known = descendants_.size();
    find_children(pid_);
    for (std::size_t i = 0; i < descendants_.size(); ++i) {
      const auto [pid, started] = descendants_[i];
      const auto status = detail::live_process(pid);
      if (status && status->started == started) find_children(pid);
    }
    if (descendants_.size() == known) return;
    signal_descendants(SIGSTOP, known);
  }
}

// Each thread's children are listed apart.
void Child::find_children(int parent) {
  const auto threads = fmt::format("/proc/{}/task", parent);
  DIR* const folder = ::opendir(threads.c_str());
  if (folder == nullptr) return;
  while (const dirent* const thread = ::readdir(folder)) {
    if (thread->d_name[0] == '.') continue;
    std::ifstream children(fmt::format("{}/{}/children", threads, thread->d_name));
    for (int pid = 0; children >> pid;) {
      const auto status = detail::live_process(pid);
      if (!status) continue;
      const Descendant found{.pid = pid, .started = status->started};
      if (std::ranges::find(descendants_, found) == descendants_.end()) {
        descendants_.push_back(found);
      }
    }
  }
  ::closedir(folder);
}

// Those that the signal to the group has not reached.
void Child::signal_descendants(int signal, std::size_t from) const {
  for (std::size_t i = from; i < descendants_.size(); ++i) {
    const auto status = detail::live_process(descendants_[i].pid);
    if (!status || status->started != descendants_[i].started) continue;
    if (!own_group_ || status->group != pid_) ::kill(status->pid, signal);
  }
}

}  // namespace artel::command
