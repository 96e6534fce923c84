#include "app/cluster_map.hpp"

#include <fmt/core.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "app/command_task.hpp"
#include "app/used_cluster.hpp"
#include "artel/cluster/cluster.hpp"
#include "artel/cluster/cluster_flags.hpp"
#include "artel/cluster/queue_options.hpp"
#include "artel/cluster/remote_error.hpp"
#include "artel/cluster/remote_task.hpp"
#include "artel/cluster/run_command.hpp"
#include "artel/command/command_template.hpp"
#include "artel/command/item_reader.hpp"
#include "artel/command/job_loop.hpp"
#include "artel/core/cpu_quota.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/parallel/item_failure.hpp"
#include "artel/parallel/lazy_map.hpp"
#include "artel/parallel/map_options.hpp"
#include "artel/pool/future.hpp"

namespace artel::app {
namespace {

using cluster::CommandOrder;
using cluster::CommandOutcome;
using command::JobLoopOptions;
using command::JobReport;
using command::RunSummary;
using command::Supply;

// How long a wait may go on before it is looked whether the run was stopped.
constexpr int kLookMs = 100;

// Of a job that gave no outcome, in the job log.
constexpr int kNoOutcome = 255;

// The jobs of the input, one after the other, for whoever asks for the next order; what is known of
// those that are out. The orders are read by the cluster's threads, the rest by ours.
class Jobs {
 public:
  // A job that is out.
  struct Out {
    std::uint64_t item = 0;  // its number among the orders
    std::vector<std::string> words;
    Duration begun_wall{};
  };

  Jobs(const command::CommandTemplate& command, command::InputItems& items,
       const JobLoopOptions& options)
      : command_(command), items_(items), options_(options) {}

  // No more orders.
  void stop() { stopped_ = true; }
  [[nodiscard]] bool stopped() const { return stopped_; }

  std::optional<CommandOrder> next() {
    while (!stopped_) {
      std::vector<std::string> items = cut();
      if (items.empty()) break;
      ++job_;
      if (options_.skip && options_.skip(job_)) {
        ++skipped_;
        continue;
      }
      CommandOrder order{.job = job_,
                         .words = command_.expand({.items = items, .job = job_}),
                         .retries = options_.retries,
                         .timeout_ns = options_.timeout.count()};
      const std::scoped_lock lock(mutex_);
      out_.emplace(job_, Out{orders_++, order.words, wall_now()});
      return order;
    }
    return std::nullopt;
  }

  // It is over: its command.
  std::vector<std::string> let_go(std::uint64_t job) {
    const std::scoped_lock lock(mutex_);
    auto node = out_.extract(job);
    return node.empty() ? std::vector<std::string>{} : std::move(node.mapped().words);
  }
  // Of a job that is out, by the number of its order, what is known without an outcome.
  [[nodiscard]] CommandOutcome without_outcome(std::uint64_t item) const {
    const std::scoped_lock lock(mutex_);
    const auto at =
        std::ranges::find_if(out_, [&](const auto& entry) { return entry.second.item == item; });
    if (at == out_.end()) return {};
    const Duration begun = at->second.begun_wall;
    return {.job = at->first,
            .exit_status = kNoOutcome,
            .started_wall_ns = begun.count(),
            .runtime_ns = (wall_now() - begun).count()};
  }

  [[nodiscard]] std::uint64_t running() const {
    const std::scoped_lock lock(mutex_);
    return out_.size();
  }
  [[nodiscard]] std::uint64_t skipped() const { return skipped_; }
  [[nodiscard]] std::optional<double> share() const {
    const std::scoped_lock lock(mutex_);
    return share_;
  }
  // Of reading the input.
  [[nodiscard]] std::optional<Error> failure() const {
    const std::scoped_lock lock(mutex_);
    return failure_;
  }

  // As an input range.
  class Iterator {
   public:
    using value_type = CommandOrder;
    using difference_type = std::ptrdiff_t;
    Iterator() = default;
    explicit Iterator(Jobs& jobs) : jobs_(&jobs), order_(jobs.next()) {}
    CommandOrder& operator*() const { return *order_; }  // NOLINT(*-unchecked-optional-access)
    Iterator& operator++() {
      order_ = jobs_->next();
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const Iterator& at, std::default_sentinel_t /*end*/) {
      return !at.order_;
    }

   private:
    Jobs* jobs_ = nullptr;
    mutable std::optional<CommandOrder> order_;
  };
  Iterator begin() { return Iterator(*this); }
  static std::default_sentinel_t end() { return std::default_sentinel; }

 private:
  // The items of the next job; none: there are no more.
  std::vector<std::string> cut() {
    std::vector<std::string> items;
    while (items.size() < options_.items_per_job && !stopped_) {
      std::string item;
      const auto supply = items_.next(item);
      if (!supply) {
        const std::scoped_lock lock(mutex_);
        failure_ = supply.error();
        return {};
      }
      if (*supply == Supply::end) break;
      if (*supply == Supply::cut) {
        if (!items.empty()) break;
        continue;  // it was full without it
      }
      if (*supply == Supply::item) {
        items.push_back(std::move(item));
        continue;
      }
      pollfd input{.fd = items_.file(), .events = POLLIN, .revents = 0};
      ::poll(&input, 1, kLookMs);
    }
    const std::scoped_lock lock(mutex_);
    share_ = items_.share();
    return stopped_ ? std::vector<std::string>{} : items;
  }

  const command::CommandTemplate& command_;
  command::InputItems& items_;
  const JobLoopOptions& options_;
  std::uint64_t job_ = 0;
  std::atomic<bool> stopped_ = false;
  std::atomic<std::uint64_t> skipped_ = 0;
  mutable std::mutex mutex_;  // guards what follows
  std::uint64_t orders_ = 0;
  std::map<std::uint64_t, Out> out_;
  std::optional<double> share_;
  std::optional<Error> failure_;
};

// Why an item has no outcome; and the worker that says so, if one does.
std::pair<std::string, std::string> reason_of(const parallel::ItemFailure& failure) {
  try {
    std::rethrow_exception(failure.exception);
  } catch (const cluster::RemoteError& error) {
    return {error.problem().what, error.worker()};
  } catch (const pool::TaskError& error) {
    return {error.error().what, {}};
  }
}

// Errors: closed: nobody reads it any more; io.
Result<void> write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const auto count = ::write(file, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EPIPE) return fail(ErrorCode::closed, "nobody reads the output");
    if (count < 0) {
      return fail(ErrorCode::io,
                  fmt::format("cannot write: {}",
                              std::error_code(errno, std::generic_category()).message()),
                  "standard output");
    }
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

class ClusterRun {
 public:
  ClusterRun(const command::CommandTemplate& command, command::InputItems& items,
             const JobLoopOptions& options)
      : options_(options), jobs_(command, items, options) {}

  RunSummary run(cluster::Cluster& cluster, std::size_t at_once) {
    const std::jthread listening([this](const std::stop_token& over) { listen(over); });
    const parallel::MapOptions map{.chunk = 1, .workers = at_once, .stop = now_.get_token()};
    try {
      if (options_.order == command::OutputOrder::input) {
        auto outcomes = parallel::lazy_map_collect(cluster, jobs_, kCommandTask, map);
        take_all(outcomes);
      } else {
        auto outcomes = parallel::lazy_map_collect_unordered(cluster, jobs_, kCommandTask, map);
        take_all(outcomes);
      }
    } catch (const pool::TaskError& error) {
      if (!now_.stop_requested()) summary_.failure = explained(error.error());
    }
    if (auto failure = jobs_.failure(); failure && !summary_.failure) summary_.failure = failure;
    summary_.interrupted = interrupted_;
    summary_.skipped = jobs_.skipped();
    summary_.cancelled = jobs_.running();
    return std::move(summary_);
  }

 private:
  // Codes that have a meaning of their own in a RunSummary are not passed on.
  static Error explained(const Error& error) {
    if (error.code != ErrorCode::not_found && error.code != ErrorCode::unsupported) {
      return {ErrorCode::io, error.what, error.where};
    }
    return {
        ErrorCode::io,
        fmt::format("no worker runs commands; start them with --allow-commands ({})", error.what),
        error.where};
  }

  // Until the run is over: what somebody outside wants.
  void listen(const std::stop_token& over) {
    while (!over.stop_requested() && options_.control_file >= 0) {
      pollfd control{.fd = options_.control_file, .events = POLLIN, .revents = 0};
      if (::poll(&control, 1, kLookMs) <= 0) continue;
      const auto request = options_.control();
      if (request == command::StopRequest::none) continue;
      interrupted_ = true;
      jobs_.stop();
      if (request == command::StopRequest::now) now_.request_stop();
    }
  }

  template <class Outcomes>
  void take_all(Outcomes& outcomes) {
    for (const auto& outcome : outcomes) {
      const bool going_on = outcome ? take(*outcome) : take(outcome_of(outcome.error()));
      if (!going_on) break;
    }
  }

  // Of a job that no worker could bring to an end.
  [[nodiscard]] CommandOutcome outcome_of(const parallel::ItemFailure& failure) const {
    CommandOutcome outcome = jobs_.without_outcome(failure.index);
    std::tie(outcome.problem, outcome.host) = reason_of(failure);
    outcome.attempts = failure.attempts;
    return outcome;
  }

  // False: the run cannot go on.
  bool take(const CommandOutcome& outcome) {
    const auto command = jobs_.let_go(outcome.job);
    ++(outcome.failed() ? summary_.failed : summary_.succeeded);
    if (outcome.failed() && options_.halt == command::Halt::soon) {
      summary_.halted = true;
      jobs_.stop();
    }
    const auto going_on = print(outcome).and_then([&]() -> Result<void> {
      const JobReport report{
          .job = outcome.job,
          .slot = 1,
          .command = command,
          .started_wall = Duration(outcome.started_wall_ns),
          .finished = Instant{Duration(outcome.runtime_ns)},
          .output = outcome.out.size(),
          .ending = {.exit_status = outcome.exit_status, .signal = outcome.signal},
          .failed = outcome.failed(),
          .timed_out = outcome.timed_out};
      return options_.finished ? options_.finished(report) : Result<void>{};
    });
    if (!going_on) {
      summary_.failure = going_on.error();
      jobs_.stop();
      now_.request_stop();
    }
    if (options_.progress) {
      options_.progress({.done = summary_.succeeded + summary_.failed + jobs_.skipped(),
                         .failed = summary_.failed,
                         .running = jobs_.running(),
                         .input = jobs_.share()});
    }
    return going_on.has_value();
  }

  Result<void> print(const CommandOutcome& outcome) {
    std::string err = outcome.err;
    if (!outcome.problem.empty()) {
      err += fmt::format("artel: job {}{}{}: {}\n", outcome.job, outcome.host.empty() ? "" : " at ",
                         outcome.host, outcome.problem);
    }
    if (outcome.out.empty() && err.empty()) return {};
    if (options_.before_print) options_.before_print();
    if (auto written = write_all(options_.files.out, outcome.out); !written) return written;
    static_cast<void>(write_all(options_.files.err, err));  // what stderr refuses is lost
    return {};
  }

  const JobLoopOptions& options_;
  Jobs jobs_;
  RunSummary summary_;
  std::atomic<bool> interrupted_ = false;
  std::stop_source now_;
};

}  // namespace

Result<void> check_for_cluster(const JobLoopOptions& options,
                               const command::CommandTemplate& command) {
  const auto refuse = [](const std::string& what) {
    return fail(ErrorCode::invalid, what, "artel map --cluster");
  };
  if (options.halt == command::Halt::now) {
    return refuse("--halt now: what runs elsewhere cannot be killed from here; use --halt soon");
  }
  if (!options.results.empty()) {
    return refuse("--results: the outputs come back here; redirect them");
  }
  if (command.uses_slot()) {
    return refuse("{%}: a cluster has no slots; {#} is the number of the job");
  }
  return {};
}

Result<RunSummary> run_on_cluster(const command::CommandTemplate& command,
                                  command::InputItems& items, const JobLoopOptions& options,
                                  const cluster::ClusterFlags& flags,
                                  const cluster::QueueOptions& queue) {
  if (flags.local()) cluster::register_task<CommandTask>();
  const auto threads = options.slots > 0 ? static_cast<unsigned>(options.slots) : usable_cpus();
  auto used = UsedCluster::connect(flags, threads, "artel map", queue);
  if (!used) return fail(used);
  return ClusterRun(command, items, options)
      .run(used->cluster(), used->local() ? 0 : options.slots);
}

}  // namespace artel::app
