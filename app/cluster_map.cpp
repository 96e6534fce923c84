#include "app/cluster_map.hpp"

#include <fmt/core.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <condition_variable>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "app/command_task.hpp"
#include "app/metrics.hpp"
#include "app/used_cluster.hpp"
#include "artel/cluster/cluster.hpp"
#include "artel/cluster/cluster_flags.hpp"
#include "artel/cluster/protocol/printable_text.hpp"
#include "artel/cluster/protocol/queue_options.hpp"
#include "artel/cluster/remote_error.hpp"
#include "artel/cluster/remote_task.hpp"
#include "artel/cluster/run_command.hpp"
#include "artel/command/command_template.hpp"
#include "artel/command/halt_rule.hpp"
#include "artel/command/item_reader.hpp"
#include "artel/command/job_loop.hpp"
#include "artel/command/job_loop_options.hpp"
#include "artel/command/job_place.hpp"
#include "artel/core/cpu_quota.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/file/open_file.hpp"
#include "artel/parallel/item_failure.hpp"
#include "artel/parallel/lazy_map.hpp"
#include "artel/parallel/map_options.hpp"
#include "artel/pool/task_error.hpp"

namespace artel::app {
namespace {

using cluster::CommandOrder;
using cluster::CommandOutcome;
using command::JobLoopOptions;
using command::PlacedEnd;
using command::PlacedJob;

// Of a job that gave no outcome, in the job log.
constexpr int kNoOutcome = 255;

// What the loop sends and the cluster's threads take, and the way back. `news` is readable when the
// loop has something to look at.
class Exchange {
 public:
  Exchange() : news_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

  // ---- For the loop
  [[nodiscard]] int news() const { return news_.get(); }
  // How many threads wait for an order.
  [[nodiscard]] std::size_t room() {
    const std::scoped_lock lock(mutex_);
    return closed_ || waiting_ <= orders_.size() ? 0 : waiting_ - orders_.size();
  }
  void put(CommandOrder order) {
    {
      const std::scoped_lock lock(mutex_);
      orders_.push_back(std::move(order));
    }
    changed_.notify_one();
  }
  // No more orders.
  void close() {
    {
      const std::scoped_lock lock(mutex_);
      closed_ = true;
    }
    changed_.notify_all();
  }
  [[nodiscard]] std::vector<PlacedEnd> take_ends() {
    std::uint64_t ignored = 0;
    static_cast<void>(::read(news_.get(), &ignored, sizeof(ignored)));
    const std::scoped_lock lock(mutex_);
    return std::exchange(ends_, {});
  }
  [[nodiscard]] std::optional<Error> failure() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(failure_, std::nullopt);
  }

  // ---- For the cluster's threads
  // Waits for the next one; nothing: there will be none.
  std::optional<CommandOrder> next() {
    std::unique_lock lock(mutex_);
    ++waiting_;
    tell();
    changed_.wait(lock, [this] { return closed_ || !orders_.empty(); });
    --waiting_;
    if (orders_.empty()) return std::nullopt;
    std::optional<CommandOrder> order = std::move(orders_.front());
    orders_.pop_front();
    out_[sent_++] = {.job = order->job, .begun_wall = wall_now()};
    return order;
  }
  void ended(PlacedEnd end) {
    const std::scoped_lock lock(mutex_);
    std::erase_if(out_, [&](const auto& out) { return out.second.job == end.job; });
    ends_.push_back(std::move(end));
    tell();
  }
  void failed(Error error) {
    const std::scoped_lock lock(mutex_);
    failure_ = std::move(error);
    tell();
  }

  // An order that is out.
  struct Out {
    std::uint64_t job = 0;
    Duration begun_wall{};
  };
  // By its place among all. Requires: it has not ended.
  [[nodiscard]] Out out(std::uint64_t item) const {
    const std::scoped_lock lock(mutex_);
    return out_.at(item);
  }

 private:
  void tell() const {
    const std::uint64_t one = 1;
    static_cast<void>(::write(news_.get(), &one, sizeof(one)));
  }

  const file::OpenFile news_;
  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  bool closed_ = false;
  std::size_t waiting_ = 0;
  std::deque<CommandOrder> orders_;
  std::vector<PlacedEnd> ends_;
  std::optional<Error> failure_;
  std::uint64_t sent_ = 0;
  std::map<std::uint64_t, Out> out_;  // by their place among all
};

// The orders as an input range.
class Orders {
 public:
  explicit Orders(Exchange& exchange) : exchange_(&exchange) {}

  class Iterator {
   public:
    using value_type = CommandOrder;
    using difference_type = std::ptrdiff_t;
    Iterator() = default;
    explicit Iterator(Exchange& exchange) : exchange_(&exchange), order_(exchange.next()) {}
    CommandOrder& operator*() const { return *order_; }  // NOLINT(*-unchecked-optional-access)
    Iterator& operator++() {
      order_ = exchange_->next();
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const Iterator& at, std::default_sentinel_t /*end*/) {
      return !at.order_;
    }

   private:
    Exchange* exchange_ = nullptr;
    mutable std::optional<CommandOrder> order_;
  };
  Iterator begin() { return Iterator(*exchange_); }
  static std::default_sentinel_t end() { return std::default_sentinel; }

 private:
  Exchange* exchange_;
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

// Codes that have a meaning of their own in a RunSummary are not passed on.
Error explained(const Error& error) {
  if (error.code != ErrorCode::not_found && error.code != ErrorCode::unsupported) {
    return {ErrorCode::io, error.what, error.where};
  }
  return {ErrorCode::io,
          fmt::format("no worker runs commands; start them with --allow-commands ({})", error.what),
          error.where};
}

PlacedEnd end_of(CommandOutcome outcome) {
  PlacedEnd end{.job = outcome.job,
                .ending = {.exit_status = outcome.exit_status, .signal = outcome.signal},
                .failed = outcome.failed(),
                .timed_out = outcome.timed_out,
                .started_wall = Duration(outcome.started_wall_ns),
                .runtime = Duration(outcome.runtime_ns),
                .host = outcome.host,
                .out = std::move(outcome.out),
                .err = std::move(outcome.err)};
  if (!outcome.problem.empty()) {
    // A reason of several lines would pass for more of ours.
    end.err += fmt::format(
        "artel: job {}{}{}: {}\n", outcome.job, outcome.host.empty() ? "" : " at ", outcome.host,
        cluster::printable_text(std::move(outcome.problem), cluster::Lines::one));
  }
  return end;
}

// The jobs of a JobLoop as a map over the orders that it gives.
class ClusterPlace final : public command::JobPlace {
 public:
  // `local`: all workers are in this process.
  ClusterPlace(cluster::Cluster& cluster, bool local, const JobLoopOptions& options)
      : options_(options),
        local_(local),
        thread_([this, &cluster, at_once = local ? 0 : options.slots] { run(cluster, at_once); }) {}
  ClusterPlace(const ClusterPlace&) = delete;
  ClusterPlace& operator=(const ClusterPlace&) = delete;
  ~ClusterPlace() override { stop(true); }

  [[nodiscard]] int file() const override { return exchange_.news(); }
  [[nodiscard]] std::size_t room() override { return exchange_.room(); }
  void start(PlacedJob job) override {
    exchange_.put({.job = job.job,
                   .words = std::move(job.command),
                   .retries = options_.retries,
                   .timeout_ns = options_.timeout.count()});
  }
  [[nodiscard]] std::vector<PlacedEnd> take_ends() override { return exchange_.take_ends(); }
  [[nodiscard]] std::optional<Error> failure() override { return exchange_.failure(); }
  void pause() override {
    if (local_) cluster::signal_commands(SIGSTOP);
  }
  void resume() override {
    if (local_) cluster::signal_commands(SIGCONT);
  }
  void stop(bool now) override {
    exchange_.close();
    if (now) now_.request_stop();
  }

 private:
  // Throws nothing: what goes wrong is the loop's failure. It is told before the results go: until
  // then a thread that waits for an order stays there.
  void run(cluster::Cluster& cluster, std::size_t at_once) {
    const parallel::MapOptions map{.chunk = 1, .workers = at_once, .stop = now_.get_token()};
    auto outcomes =
        parallel::lazy_map_collect_unordered(cluster, Orders(exchange_), kCommandTask, map);
    try {
      for (auto& outcome : outcomes) {
        exchange_.ended(end_of(outcome ? std::move(*outcome) : without_outcome(outcome.error())));
      }
    } catch (const pool::TaskError& error) {
      if (!now_.stop_requested()) exchange_.failed(explained(error.error()));
    }
    exchange_.close();
  }

  // Of a job that no worker could bring to an end.
  [[nodiscard]] CommandOutcome without_outcome(const parallel::ItemFailure& failure) const {
    const auto out = exchange_.out(failure.index);
    CommandOutcome outcome{.job = out.job,
                           .exit_status = kNoOutcome,
                           .started_wall_ns = out.begun_wall.count(),
                           .runtime_ns = (wall_now() - out.begun_wall).count()};
    std::tie(outcome.problem, outcome.host) = reason_of(failure);
    outcome.attempts = failure.attempts;
    return outcome;
  }

  const JobLoopOptions& options_;
  const bool local_;
  Exchange exchange_;
  std::stop_source now_;
  std::jthread thread_;
};

}  // namespace

Result<void> check_for_cluster(const JobLoopOptions& options,
                               const command::CommandTemplate& command) {
  const auto refuse = [](const std::string& what) {
    return fail(ErrorCode::invalid, what, "artel map --cluster");
  };
  if (options.halt.halt == command::Halt::now) {
    return refuse("--halt now: what runs elsewhere cannot be killed from here; use --halt soon");
  }
  if (!options.results.empty() || options.results_of || options.print_paths) {
    return refuse("--results: the outputs come back here; redirect them");
  }
  if (options.grouping != command::Grouping::job) {
    return refuse("--ungroup, --line-buffer, --tty: outputs come back when their jobs have ended");
  }
  if (options.retries > CommandOrder::kRetriesMax) {
    return refuse(fmt::format("--retries: at most {} on a cluster", CommandOrder::kRetriesMax));
  }
  if (options.nice != 0) return refuse("--nice: it is for the worker to be nice");
  if (options.slots_now) return refuse("--jobs: a number, not a file");
  if (command.uses_slot()) {
    return refuse("{%}: a cluster has no slots; {#} is the number of the job");
  }
  return {};
}

Result<command::RunSummary> run_on_cluster(const command::CommandTemplate& command,
                                           command::InputItems& items, JobLoopOptions options,
                                           const cluster::ClusterFlags& flags,
                                           const cluster::QueueOptions& queue,
                                           const std::string& metrics) {
  if (flags.local()) cluster::register_task<CommandTask>();
  const auto threads = options.slots > 0 ? static_cast<unsigned>(options.slots) : usable_cpus();
  auto used = UsedCluster::connect(flags, threads, "artel map", queue);
  if (!used) return fail(used);
  const auto served =
      serve_metrics(metrics, [&] { return master_metrics(used->cluster(), flags.pool); });
  if (!served) return fail(served);
  ClusterPlace place(used->cluster(), used->local(), options);
  options.slots = 1;  // the place knows how many
  auto summary = command::JobLoop(command, items, options, &place).run();
  place.stop(true);
  if (summary.interrupted || summary.failure) used->stop_now();
  return summary;
}

}  // namespace artel::app
