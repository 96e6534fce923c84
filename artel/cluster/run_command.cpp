#include "artel/cluster/run_command.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <climits>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <msgpack.hpp>
#include <mutex>
#include <set>
#include <stop_token>
#include <string>
#include <system_error>
#include <thread>
#include <tl/expected.hpp>
#include <utility>

#include "artel/cluster/protocol/printable_text.hpp"
#include "artel/command/child.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/file/open_file.hpp"
#include "artel/file/pipe_ends.hpp"

namespace artel::cluster {
namespace {

constexpr std::int32_t kCannotRun = 126;
constexpr std::int32_t kNotFound = 127;
constexpr Duration kScarce = std::chrono::seconds(5);  // for files, while nobody has them
constexpr Duration kScarceLook = std::chrono::milliseconds(20);
constexpr Duration kGrace = std::chrono::seconds(1);  // from SIGTERM to SIGKILL

using file::OpenFile;

struct Pipe {
  OpenFile ours;  // does not block
  OpenFile theirs;

  bool open() {
    auto made = file::make_pipe();
    if (!made) return false;
    ours = std::move(made->read);
    theirs = std::move(made->write);
    return ::fcntl(ours.get(), F_SETFL, O_NONBLOCK) == 0;
  }
};

// Reads what is there now. False: more than `most`.
bool drain(OpenFile& file, std::string& text, std::uint64_t most) {
  std::array<char, 65'536> piece;  // NOLINT(cppcoreguidelines-pro-type-member-init): just read into
  while (file.get() >= 0) {
    const auto count = ::read(file.get(), piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) break;
    if (count <= 0) {
      file.close();
      break;
    }
    text.append(piece.data(), static_cast<std::size_t>(count));
    if (text.size() > most) return false;
  }
  return true;
}

int poll_milliseconds(Instant deadline) {
  if (deadline == kNever) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - steady_now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, INT_MAX));
}

// The process groups of the commands that run now.
class RunningGroups {
 public:
  void add(int group) {
    const std::scoped_lock lock(mutex_);
    groups_.insert(group);
  }
  // To be called before its end is seen: after that the number may be somebody else's.
  void remove(int group) {
    const std::scoped_lock lock(mutex_);
    groups_.erase(group);
  }
  [[nodiscard]] bool empty() {
    const std::scoped_lock lock(mutex_);
    return groups_.empty();
  }
  void signal(int signal) {
    const std::scoped_lock lock(mutex_);
    for (const int group : groups_) ::kill(-group, signal);
  }
  static RunningGroups& of_this_process() {
    static RunningGroups all;
    return all;
  }

 private:
  std::mutex mutex_;
  std::set<int> groups_;
};

// One attempt.
class Attempt {
 public:
  Attempt(const CommandOrder& order, const std::stop_token& stop) : order_(order), stop_(stop) {}

  CommandOutcome run() {
    auto& running = RunningGroups::of_this_process();
    auto child = start();
    // Files and processes come free when other commands end.
    for (Instant patience = later(steady_now(), kScarce);
         !child && is_scarce(child.error()) && !stop_.stop_requested() && steady_now() < patience;
         child = start()) {
      if (!running.empty()) patience = later(steady_now(), kScarce);
      std::this_thread::sleep_for(kScarceLook);
    }
    if (!child) return cannot_start(child.error());
    started_ = steady_now();
    out_.theirs.close();
    err_.theirs.close();
    const int group = child->pid();
    running.add(group);
    wait_for_end(*child);
    running.remove(group);
    take_ending(*child);
    return std::move(outcome_);
  }

 private:
  static bool is_scarce(std::error_code error) {
    return error == std::errc::too_many_files_open ||
           error == std::errc::too_many_files_open_in_system ||
           error == std::errc::resource_unavailable_try_again;
  }

  // Without a child nothing stays open.
  tl::expected<command::Child, std::error_code> start() {
    const OpenFile null(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    stopped_ = OpenFile(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (null.get() < 0 || stopped_.get() < 0 || !out_.open() || !err_.open()) {
      return failed({errno, std::generic_category()});
    }
    const auto program = command::find_program(order_.words.front());
    if (!program) return failed(program.error());
    auto child = command::Child::start(
        *program, order_.words,
        {.in = null.get(), .out = out_.theirs.get(), .err = err_.theirs.get(), .inherit = false});
    if (!child) return failed(child.error());
    return child;
  }

  tl::unexpected<std::error_code> failed(std::error_code error) {
    stopped_.close();
    out_ = {};
    err_ = {};
    return tl::unexpected(error);
  }

  CommandOutcome cannot_start(std::error_code error) {
    const bool missing =
        error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory;
    outcome_.exit_status = missing ? kNotFound : kCannotRun;
    outcome_.problem = fmt::format("cannot run '{}': {}", order_.words.front(), error.message());
    return std::move(outcome_);
  }

  void wait_for_end(command::Child& child) {
    Instant deadline = order_.timeout_ns == kForever.count()
                           ? kNever
                           : later(started_, Duration(order_.timeout_ns));
    bool told_to_end = false;
    const auto end = [&] {
      child.signal_all(told_to_end ? SIGKILL : SIGTERM);
      deadline = told_to_end ? kNever : later(steady_now(), kGrace);
      told_to_end = true;
    };
    const std::stop_callback on_stop(stop_, [this] { ::eventfd_write(stopped_.get(), 1); });
    while (true) {
      std::array<pollfd, 4> files{
          {{.fd = child.file(), .events = POLLIN, .revents = 0},
           {.fd = out_.ours.get(), .events = POLLIN, .revents = 0},
           {.fd = err_.ours.get(), .events = POLLIN, .revents = 0},
           {.fd = told_to_end ? -1 : stopped_.get(), .events = POLLIN, .revents = 0}}};
      ::poll(files.data(), files.size(), poll_milliseconds(deadline));
      if (!take_output() && !told_to_end) end();
      if (files[0].revents != 0) break;
      if (files[3].revents != 0 && !told_to_end) {
        outcome_.problem = "it was ended, as nobody waits for it";
        end();
      }
      if (steady_now() >= deadline) {
        outcome_.timed_out = outcome_.timed_out || !told_to_end;
        end();
      }
    }
    if (told_to_end) child.signal_all(SIGKILL);  // what is left of it
  }

  void take_ending(command::Child& child) {
    const auto ending = child.wait();
    static_cast<void>(take_output());
    outcome_.exit_status = ending.exit_status;
    outcome_.signal = ending.signal;
    outcome_.runtime_ns = (steady_now() - started_).count();
  }

  // False: it is too much.
  bool take_output() {
    const auto most = order_.output_max;
    if (drain(out_.ours, outcome_.out, most) && drain(err_.ours, outcome_.err, most)) return true;
    outcome_.out.resize(std::min<std::uint64_t>(outcome_.out.size(), most));
    outcome_.err.resize(std::min<std::uint64_t>(outcome_.err.size(), most));
    out_.ours.close();
    err_.ours.close();
    outcome_.problem = fmt::format("it wrote more than {} bytes and was ended", most);
    return false;
  }

  const CommandOrder& order_;
  const std::stop_token stop_;
  OpenFile stopped_;
  Instant started_{};
  Pipe out_;
  Pipe err_;
  CommandOutcome outcome_;
};

std::string host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return "?";
  return name.data();
}

}  // namespace

Result<void> check(const CommandOrder& order) {
  if (order.words.empty()) return fail(ErrorCode::invalid, "there is no command");
  if (order.retries > CommandOrder::kRetriesMax) {
    return fail(ErrorCode::invalid,
                fmt::format("retries is {}; at most {}", order.retries, CommandOrder::kRetriesMax));
  }
  if (order.timeout_ns <= 0) {
    return fail(ErrorCode::invalid, fmt::format("timeout is {} ns; more than 0", order.timeout_ns));
  }
  if (order.output_max > CommandOrder::kOutputMax) {
    return fail(ErrorCode::invalid, fmt::format("output_max is {} bytes; at most {}",
                                                order.output_max, CommandOrder::kOutputMax));
  }
  return {};
}

void CommandOutcome::check_what_came() {
  if (started_wall_ns < 0 || runtime_ns < 0) throw msgpack::type_error();
  problem = printable_text(std::move(problem), Lines::one);
  host = printable_text(std::move(host), Lines::one);
}

CommandOutcome run_command(const CommandOrder& order, const std::stop_token& stop) {
  CommandOutcome outcome{.job = order.job};
  if (const auto checked = check(order); !checked) {
    outcome.exit_status = kCannotRun;
    outcome.problem = checked.error().what;
    return outcome;
  }
  if (stop.stop_requested()) {
    outcome.exit_status = kCannotRun;
    outcome.problem = "it was not started, as nobody waits for it";
    return outcome;
  }
  for (std::uint32_t attempt = 0; attempt <= order.retries; ++attempt) {
    const Duration started = wall_now();
    outcome = Attempt(order, stop).run();
    outcome.started_wall_ns = started.count();
    outcome.attempts = attempt + 1;
    if (!outcome.failed() || attempt == order.retries || stop.stop_requested()) break;
  }
  outcome.job = order.job;
  outcome.host = host_name();
  return outcome;
}

void signal_commands(int signal) { RunningGroups::of_this_process().signal(signal); }

}  // namespace artel::cluster
