#include "app/scale_loop.hpp"

#include <fmt/core.h>
#include <poll.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "app/command.hpp"
#include "app/pool_looker.hpp"
#include "app/stop_signals.hpp"
#include "artel/cluster/pool_status.hpp"
#include "artel/command/child.hpp"
#include "artel/command/job_loop_options.hpp"
#include "artel/core/error.hpp"
#include "artel/core/how_many.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/scaling/fleet_meter.hpp"
#include "artel/scaling/fleet_sample.hpp"
#include "artel/scaling/scaling_policy.hpp"

namespace artel::app {
namespace {

using namespace std::chrono_literals;

constexpr int kLooksInPeriod = 10;
constexpr Duration kLookPauseMax = 2s;
constexpr Duration kHandBackMax = 5s;  // then they are killed
constexpr int kSignalledStatus = 128;  // plus its number

template <class... Args>
void announce(fmt::format_string<Args...> text, Args&&... args) {
  fmt::print(stderr, "artel: {}\n", fmt::format(text, std::forward<Args>(args)...));
}

// As the clock on the wall shows it; a timetable goes by that.
Instant local_time() {
  const Duration wall = wall_now();
  const std::time_t seconds = std::chrono::floor<std::chrono::seconds>(wall).count();
  std::tm local{};
  ::localtime_r(&seconds, &local);
  return Instant{wall + std::chrono::seconds(local.tm_gmtoff)};
}

std::string words_of(const command::Ending& ending) {
  if (ending.signal != 0) return fmt::format("was ended by signal {}", ending.signal);
  if (ending.exit_status == 0) return "has left by itself";
  return fmt::format("ended with status {}", ending.exit_status);
}

std::string words_of(const scaling::FleetSample& seen) {
  auto words =
      fmt::format("{:.3g} in service, {:.3g} in the system, {:.3g} waiting, {:.3g} arrivals/s",
                  seen.in_service, seen.in_system, seen.waiting, seen.arrivals);
  if (seen.service_s > 0) {
    words += fmt::format(", {} each", format_duration(from_seconds(seen.service_s)));
  }
  return words;
}

}  // namespace

ScaleLoop::ScaleLoop(ScaledFleet fleet, const cluster::PoolStatus& first, cluster::PoolLooks looks,
                     StopSignals& signals, const std::atomic<bool>& shut)
    : fleet_(std::move(fleet)),
      signals_(signals),
      shut_(shut),
      servers_(first.servers),
      scaler_(fleet_.scaling.policy, fleet_.scaling.limits),
      roster_(fleet_.scaling.limits.max),
      processes_(fleet_.program, fleet_.words),
      meter_(look_at(first, steady_now())),
      due_(later(steady_now(), scaling::period(fleet_.scaling.policy))),
      looker_(std::move(looks),
              std::min(scaling::period(fleet_.scaling.policy) / kLooksInPeriod, kLookPauseMax)) {}

int ScaleLoop::run() {
  const auto& limits = fleet_.scaling.limits;
  roster_.resize(limits.min);
  while (true) {
    carry_out();
    if (leaving_ && processes_.empty()) return status_;
    wait();
    hear_signals();
    reap();
    if (const auto seen = looker_.take()) look(*seen);
  }
}

// What the roster says; and what is overdue.
void ScaleLoop::carry_out() {
  const auto now = steady_now();
  const auto changes = roster_.changes(now);
  for (const auto process : changes.ends) {
    roster_.asked_to_leave(process);
    WorkerProcesses::signal(process, SIGTERM);
  }
  for (std::uint32_t i = 0; i < changes.starts; ++i) {
    const auto process = processes_.start();
    if (!process) {
      const auto pause = roster_.not_started(now);
      announce("{}; again in {}", to_string(process.error()), format_duration(pause));
      break;
    }
    roster_.started(*process);
  }
  if (kill_at_ && now >= *kill_at_) {
    processes_.signal_all(SIGKILL);
    kill_at_.reset();
  }
}

void ScaleLoop::wait() const {
  std::vector<pollfd> files{{.fd = signals_.file(), .events = POLLIN, .revents = 0},
                            {.fd = looker_.file(), .events = POLLIN, .revents = 0}};
  for (const int file : processes_.files())
    files.push_back({.fd = file, .events = POLLIN, .revents = 0});
  const auto now = steady_now();
  const auto next = std::min(roster_.changes_next(now), kill_at_.value_or(kNever));
  const auto most = std::clamp(next - now, Duration{}, Duration{1min});
  ::poll(files.data(), files.size(),
         static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(most).count()));
}

void ScaleLoop::hear_signals() {
  const auto request = signals_.read();
  if (request == command::StopRequest::none) return;
  if (request == command::StopRequest::pause) {
    signals_.wait_for_continue();  // this process alone: its workers go on
    return;
  }
  ++asked_;
  if (asked_ == 1) {
    announce("leaving when the workers have finished what they have begun; again: at once");
    leave(status_);
    return;
  }
  status_ = kSignalledStatus + signals_.signal();
  if (asked_ == 2) {
    announce("the workers hand back what they have begun");
    processes_.signal_all(SIGTERM);
    kill_at_ = later(steady_now(), kHandBackMax);
  } else {
    processes_.signal_all(SIGKILL);
  }
}

void ScaleLoop::leave(int status) {
  leaving_ = true;
  status_ = status;
  roster_.resize(0);
}

void ScaleLoop::reap() {
  const auto now = steady_now();
  for (const auto& [process, ending] : processes_.take_ended()) {
    const auto left = roster_.gone(process, now);
    // Asked before it had begun, it dies of that.
    const bool orderly =
        ending.exit_status == 0 && (ending.signal == 0 || ending.signal == SIGTERM);
    if (left.was_asked || leaving_) {
      if (!orderly && asked_ < 2) announce("worker process {} {}", process, words_of(ending));
    } else if (ending.exit_status == static_cast<int>(ExitStatus::bad_input) && !left.was_ready) {
      announce("worker process {} refuses its arguments", process);
      leave(static_cast<int>(ExitStatus::bad_input));
    } else {
      announce("worker process {} {}; another one in {}", process, words_of(ending),
               format_duration(left.pause));
    }
  }
}

scaling::FleetLook ScaleLoop::look_at(const cluster::PoolStatus& status, Instant at) {
  const auto figures = local_.look(status, processes_.ids());
  for (const auto& [process, chunks] : figures.answered) roster_.answered(process, chunks);
  const auto here = static_cast<double>(figures.queued + figures.in_hand);
  return {.at = at,
          .in_system = here,
          .waiting = here - static_cast<double>(figures.running),
          .arrived = static_cast<double>(figures.arrived),
          .busy_s = to_seconds(figures.busy),
          .measured = static_cast<double>(figures.measured),
          .service_s = to_seconds(figures.service)};
}

void ScaleLoop::look(const PoolLooker::Seen& seen) {
  if (!seen.status) {
    if (shut_ && !leaving_) {
      announce("the workers leave");
      leave(static_cast<int>(ExitStatus::failed));
    } else if (!server_gone_ && !leaving_) {
      announce("{}; the workers stay as they are", to_string(seen.status.error()));
    }
    server_gone_ = true;
    return;
  }
  if (std::exchange(server_gone_, false)) announce("{}: the server answers again", servers_);
  meter_.look(look_at(*seen.status, seen.at));
  if (!leaving_ && seen.at >= due_) decide(seen.at);
}

void ScaleLoop::decide(Instant now) {
  auto sample = meter_.sample();
  sample.workers = roster_.size();
  sample.ready = roster_.ready();
  if (std::holds_alternative<scaling::Timetable>(scaler_.policy())) {
    sample.at = by_the_clock_ = std::max(by_the_clock_, local_time());
  }
  // Behind time it does not hurry: rates need a while to be measured over.
  const auto period = scaling::period(scaler_.policy());
  due_ = std::max(later(due_, period), later(now, period / 2));
  const auto size = scaler_.size_for(sample);
  if (size == sample.workers) return;
  announce("{} -> {} by {}: {}", sample.workers, how_many(size, "worker"),
           scaling::name(scaler_.policy()), words_of(sample));
  roster_.resize(size);
}

}  // namespace artel::app
