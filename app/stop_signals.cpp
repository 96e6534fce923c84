#include "app/stop_signals.hpp"

#include <signal.h>
#include <sys/signalfd.h>

#include <csignal>
#include <ctime>
#include <utility>

#include "artel/command/job_loop_options.hpp"
#include "artel/file/open_file.hpp"

namespace artel::app {

StopSignals::StopSignals() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGCHLD, SIG_DFL);  // if it is ignored, nobody learns how a child ended
  sigemptyset(&ends_);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP}) {
    struct sigaction action{};
    ::sigaction(signal, nullptr, &action);
    if (action.sa_handler != SIG_IGN) sigaddset(&ends_, signal);  // NOLINT(*-union-access)
  }
  file_ = file::OpenFile(::signalfd(-1, &ends_, SFD_CLOEXEC | SFD_NONBLOCK));
  auto all = ends_;
  sigaddset(&all, SIGCONT);
  pthread_sigmask(SIG_BLOCK, &all, &before_);
  sigdelset(&ends_, SIGTSTP);
}

StopSignals::~StopSignals() {
  file_.close();
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

command::StopRequest StopSignals::read() {
  using command::StopRequest;
  auto request = StopRequest::none;
  constexpr timespec kNoTime{};
  for (int came = 0; (came = ::sigtimedwait(&ends_, nullptr, &kNoTime)) > 0;) {
    const bool now = std::exchange(signal_, came) != 0 || came != SIGINT;
    request = now ? StopRequest::now : StopRequest::soon;
  }
  if (request != StopRequest::none) return request;
  sigset_t pending;
  ::sigpending(&pending);
  return sigismember(&pending, SIGTSTP) == 1 ? StopRequest::pause : StopRequest::none;
}

// SIGTSTP is still pending, or SIGCONT has cancelled it and is pending itself: the system keeps
// only the later one of them. So no SIGCONT comes too early.
void StopSignals::wait_for_continue() const {
  sigset_t stop;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTSTP);
  pthread_sigmask(SIG_UNBLOCK, &stop, nullptr);  // stops here
  pthread_sigmask(SIG_BLOCK, &stop, nullptr);
  // It is there, unless the system stops no process of this group, as no shell could continue it.
  sigset_t go;
  sigemptyset(&go);
  sigaddset(&go, SIGCONT);
  int came = 0;
  ::sigwait(&go, &came);
}

}  // namespace artel::app
