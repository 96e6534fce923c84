#include "app/worker_processes.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <iterator>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "artel/command/child.hpp"
#include "artel/core/error.hpp"
#include "artel/file/open_file.hpp"

namespace artel::app {

WorkerProcesses::WorkerProcesses(std::string program, std::vector<std::string> words)
    : program_(std::move(program)), words_(std::move(words)) {}

Result<std::int64_t> WorkerProcesses::start() {
  const file::OpenFile in(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (in.get() < 0) {
    return fail(ErrorCode::io,
                "cannot run: " + std::error_code(errno, std::generic_category()).message(),
                program_);
  }
  auto child = command::Child::start(
      program_, words_,
      {.in = in.get(), .out = STDOUT_FILENO, .err = STDERR_FILENO, .inherit = false});
  if (!child) return fail(ErrorCode::io, "cannot run: " + child.error().message(), program_);
  const std::int64_t process = child->pid();
  children_.emplace(process, *std::move(child));
  return process;
}

void WorkerProcesses::signal(std::int64_t process, int signal) {
  ::kill(static_cast<pid_t>(process), signal);
}

void WorkerProcesses::signal_all(int signal) const {
  for (const auto& entry : children_) WorkerProcesses::signal(entry.first, signal);
}

std::set<std::int64_t> WorkerProcesses::ids() const {
  std::set<std::int64_t> ids;
  for (const auto& entry : children_) ids.insert(entry.first);
  return ids;
}

std::vector<int> WorkerProcesses::files() const {
  std::vector<int> files;
  for (const auto& [process, child] : children_) files.push_back(child.file());
  return files;
}

std::vector<WorkerProcesses::Ended> WorkerProcesses::take_ended() {
  std::vector<Ended> ended;
  for (auto at = children_.begin(); at != children_.end();) {
    const auto ending = at->second.ended();
    if (ending) ended.push_back({.process = at->first, .ending = *ending});
    at = ending ? children_.erase(at) : std::next(at);
  }
  return ended;
}

}  // namespace artel::app
