#include "app/stop_signals.hpp"

#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>

#include "artel/command/job_loop_options.hpp"
#include "artel/file/open_file.hpp"

namespace artel::app {

StopSignals::StopSignals() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGCHLD, SIG_DFL);  // if it is ignored, nobody learns how a child ended
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP}) {
    struct sigaction action{};
    ::sigaction(signal, nullptr, &action);
    if (action.sa_handler != SIG_IGN) sigaddset(&signals, signal);  // NOLINT(*-union-access)
  }
  pthread_sigmask(SIG_BLOCK, &signals, &before_);
  file_ = file::OpenFile(::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
}

StopSignals::~StopSignals() {
  file_.close();
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

command::StopRequest StopSignals::read() {
  using command::StopRequest;
  auto request = StopRequest::none;
  signalfd_siginfo info{};
  while (::read(file_.get(), &info, sizeof(info)) == sizeof(info)) {
    if (info.ssi_signo == SIGTSTP) {
      if (request == StopRequest::none) request = StopRequest::pause;
      continue;
    }
    const bool again = signal_ != 0;
    signal_ = static_cast<int>(info.ssi_signo);
    const bool now = again || signal_ != SIGINT;
    request = now ? StopRequest::now : StopRequest::soon;
  }
  return request;
}

}  // namespace artel::app
