#include "artel/command/child.hpp"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>  // WNOHANG and its like, too
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <tl/expected.hpp>
#include <vector>

#include "artel/core/require.hpp"

// ThreadSanitizer's clone() puts its locks in order in the child, as after a fork; but with
// CLONE_VM they are the parent's, and it ends us. glibc's other name for clone() goes past it.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ARTEL_CLONE __clone
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming,cert-*): glibc's
extern "C" int __clone(int (*run)(void*), void* stack, int flags, void* argument, ...) noexcept;
#endif
#endif
#ifndef ARTEL_CLONE
#define ARTEL_CLONE ::clone
#endif

namespace artel::command {
namespace {

std::error_code system_error(int number) { return {number, std::generic_category()}; }

// What the new process needs while it still shares our memory.
struct Start {
  const char* program = nullptr;
  char* const* arguments = nullptr;
  Child::Files files{};
  Child::Manner manner{};
  pid_t parent = 0;
  int failure = 0;  // errno
};

// Runs in the child on memory that is ours, until the program replaces it: nothing here may
// allocate, lock or return into our code. We stand still meanwhile (CLONE_VFORK).
__attribute__((no_sanitize("address", "undefined", "thread"))) int become(void* argument) {
  auto& start = *static_cast<Start*>(argument);
  if (start.manner.entry != nullptr) {
    start.manner.entry->store(::getpid());
  } else {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  }
  if (::getppid() != start.parent) ::_exit(127);  // died before it could be told
  if (start.manner.own_group) ::setpgid(0, 0);
  if (start.manner.nice != 0) {
    ::setpriority(PRIO_PROCESS, 0, ::getpriority(PRIO_PROCESS, 0) + start.manner.nice);
  }
  struct sigaction usual{};
  usual.sa_handler = SIG_DFL;  // NOLINT(*-union-access)
  ::sigaction(SIGPIPE, &usual, nullptr);
  ::sigaction(SIGXFSZ, &usual, nullptr);
  if (::dup2(start.files.in, 0) >= 0 && ::dup2(start.files.out, 1) >= 0 &&
      ::dup2(start.files.err, 2) >= 0) {
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    if (!start.files.inherit) ::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
    if (start.manner.kept >= 0) ::fcntl(start.manner.kept, F_SETFD, 0);
    ::execv(start.program, start.arguments);
  }
  start.failure = errno;
  ::_exit(127);
}

// All signals, so that no handler of ours runs in the child.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_{};
};

tl::expected<pid_t, std::error_code> clone_and_run(Start& start, int& file) {
  constexpr std::size_t kStack = std::size_t{1} << 16U;
  thread_local const auto stack = std::make_unique<std::byte[]>(kStack);
  const SignalsBlocked blocked;
  const int pid = ARTEL_CLONE(become, stack.get() + kStack,
                              CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD, &start, &file);
  if (pid < 0) return tl::unexpected(system_error(errno));
  return pid;
}

}  // namespace

tl::expected<Child, std::error_code> Child::start(const std::string& program,
                                                  std::span<const std::string> arguments,
                                                  Files files, Manner manner) {
  ARTEL_REQUIRE(!arguments.empty(), "a program has a name");
  std::vector<const char*> pointers;
  pointers.reserve(arguments.size() + 2);
  for (const auto& argument : arguments) pointers.push_back(argument.c_str());
  pointers.push_back(nullptr);
  const auto attempt = [&](const char* path) -> tl::expected<Child, std::error_code> {
    Start start{.program = path,
                .arguments = const_cast<char* const*>(pointers.data()),  // NOLINT: execv's type
                .files = files,
                .manner = manner,
                .parent = ::getpid()};
    int file = -1;
    const auto pid = clone_and_run(start, file);
    if (!pid) return tl::unexpected(pid.error());
    Child child(*pid, file, manner.own_group);
    if (start.failure == 0) return child;
    child.wait();
    return tl::unexpected(system_error(start.failure));
  };
  auto child = attempt(program.c_str());
  if (child || child.error() != system_error(ENOEXEC)) return child;
  // A script without "#!": the shell's, as execvp has it.
  pointers[0] = program.c_str();
  pointers.insert(pointers.begin(), "/bin/sh");
  return attempt("/bin/sh");
}

Child::~Child() {
  if (pid_ >= 0) {
    signal(SIGKILL);
    wait();
  }
}

void Child::signal(int signal) const { ::kill(own_group_ ? -pid_ : pid_, signal); }

int Child::stopped_by() const {
  siginfo_t info{};
  // NOLINTNEXTLINE(misc-include-cleaner)
  if (::waitid(P_PIDFD, static_cast<id_t>(file_.get()), &info, WSTOPPED | WNOHANG) != 0) return 0;
  return info.si_pid == 0 ? 0 : info.si_status;  // NOLINT(*-union-access): the system's type
}

// Without WNOHANG there is an ending. NOLINTNEXTLINE(bugprone-unchecked-optional-access)
Ending Child::wait() { return *reap(0); }
std::optional<Ending> Child::ended() { return reap(WNOHANG); }  // NOLINT(misc-include-cleaner)

std::optional<Ending> Child::reap(int options) {
  ARTEL_REQUIRE(pid_ > 0, "it has not been seen to end");
  siginfo_t info{};
  // NOLINTNEXTLINE(misc-include-cleaner)
  while (::waitid(P_PIDFD, static_cast<id_t>(file_.get()), &info, WEXITED | options) < 0) {
    ARTEL_REQUIRE(errno == EINTR, "a child of ours can be waited for", errno);
  }
  if (info.si_pid == 0) return std::nullopt;  // NOLINT(*-union-access): the system's type
  pid_ = -1;
  const int status = info.si_status;  // NOLINT(*-union-access)
  if (info.si_code == CLD_EXITED) return Ending{.exit_status = status, .signal = 0};
  return Ending{.exit_status = 0, .signal = status};
}

tl::expected<std::string, std::error_code> find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  const char* const variable = std::getenv("PATH");
  std::string_view path = variable != nullptr ? variable : "/bin:/usr/bin";
  int failure = ENOENT;
  while (!name.empty()) {
    const auto folder = path.substr(0, path.find(':'));
    std::string candidate = (folder.empty() ? "." : std::string(folder)) + '/' + name;
    struct stat status{};
    if (::stat(candidate.c_str(), &status) == 0 && S_ISREG(status.st_mode)) {
      if (::access(candidate.c_str(), X_OK) == 0) return candidate;
      failure = EACCES;
    }
    if (folder.size() == path.size()) break;
    path.remove_prefix(folder.size() + 1);
  }
  return tl::unexpected(system_error(failure));
}

}  // namespace artel::command
