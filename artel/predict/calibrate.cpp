#include "artel/predict/calibrate.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/how_many.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/parse_number.hpp"
#include "artel/core/require.hpp"
#include "artel/dispatch/automatic_bound.hpp"
#include "artel/dispatch/membership.hpp"
#include "artel/dispatch/stealing.hpp"
#include "artel/dispatch/when_full.hpp"
#include "artel/predict/arrival_fit.hpp"
#include "artel/predict/contention_fit.hpp"
#include "artel/predict/detail/most_at_once.hpp"
#include "artel/predict/detail/recorded_fleet.hpp"
#include "artel/predict/overhead_fit.hpp"
#include "artel/predict/service_fit.hpp"
#include "artel/random/distribution.hpp"
#include "artel/scaling/timetable.hpp"
#include "artel/scenario/policy_names.hpp"
#include "artel/scenario/pool_settings.hpp"
#include "artel/scenario/workload.hpp"
#include "artel/scenario/workload_trace.hpp"
#include "artel/stat/moments.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::predict {
namespace {

constexpr std::uint32_t kWorkersMax = 100'000;  // as in scenarios

// dispatch::automatic_bound() at the mean service time, which need not be whole nanoseconds.
std::uint32_t automatic_bound(double mean_service_s) {
  constexpr double kMost = dispatch::kAutomaticCapacity;
  return static_cast<std::uint32_t>(
      std::min(kMost, to_seconds(dispatch::kBoundWork) / std::max(mean_service_s, 1e-9)));
}

// As many of them as a table may have, in order.
std::vector<Duration> fit_patience(std::vector<Duration> patience) {
  constexpr std::size_t kMost = 200;
  constexpr Duration kNoEnd = std::chrono::seconds(1'000'000'000);  // as long as scenarios have it
  std::ranges::sort(patience);
  std::vector<Duration> fitted;
  const auto most = std::min(kMost, patience.size());
  for (std::size_t i = 0; i < most; ++i)
    fitted.push_back(std::min(kNoEnd, patience[(2 * i + 1) * patience.size() / (2 * most)]));
  return fitted;
}

random::Distribution patience_law(const std::vector<Duration>& values) {
  std::vector<double> seconds;
  for (const auto value : values) seconds.push_back(to_seconds(value));
  auto law = random::Distribution::empirical(std::move(seconds));
  ARTEL_REQUIRE(law, "a table of times is a law", law.error().what);
  return *std::move(law);
}

/// Goes through a trace once per question and fills a Calibration.
class Calibrator {
 public:
  Calibrator(const trace::TaskTrace& trace, const CalibrateOptions& options)
      : trace_(trace), options_(options) {}

  Result<Calibration> run() {
    if (const auto chosen = choose_tasks(); !chosen) return fail(chosen);
    if (const auto counted = count_workers(); !counted) return fail(counted);
    made_.speeds = fit_speeds(ran_, workers_);
    fill_sizes();
    made_.overhead = fit_overhead(ran_, trace_.header.loop);
    if (trace_.header.starts_known()) made_.contention = fit_contention(ran_);
    fill_workload();
    fill_pool();
    if (const auto found = fill_policy(); !found) return fail(found);
    make_fitted();
    note_what_is_left_out();
    return std::move(made_);
  }

 private:
  [[nodiscard]] std::string_view setting(std::string_view name) const {
    return trace_.header.setting(name);
  }
  [[nodiscard]] bool refuses_when_full() const {
    const auto word = setting("pool.when_full");
    return word == "reject" || word == "fail";  // as 0.1 wrote it
  }

  Result<void> choose_tasks() {
    const bool refuses = refuses_when_full();
    for (const auto& task : trace_.tasks) {
      ++made_.outcomes[static_cast<std::size_t>(task.outcome)];
      const bool refused = refuses && task.outcome == trace::TaskOutcome::rejected;
      const bool expired = task.outcome == trace::TaskOutcome::expired && task.patience < kForever;
      if (trace::ran(task.outcome)) ran_.push_back(task);
      if (trace::ran(task.outcome) || refused || expired) arrived_.push_back(task);
    }
    if (ran_.size() < 2) {
      return fail(ErrorCode::invalid, fmt::format("{} of the trace ran; expected at least 2",
                                                  how_many(ran_.size(), "task")));
    }
    if (arrived_.back().submitted == arrived_.front().submitted) {
      return fail(ErrorCode::invalid,
                  "all tasks of the trace were submitted at once; expected arrivals over time");
    }
    return {};
  }

  Result<void> count_workers() {
    const auto fleet = detail::recorded_fleet(trace_, ran_);
    if (!fleet) return fail(fleet);
    workers_ = options_.workers.value_or(fleet->workers);
    if (!options_.workers && !fleet->note.empty()) made_.notes.push_back(fleet->note);
    if (workers_ == 0 || workers_ > kWorkersMax) {
      return fail(ErrorCode::invalid,
                  fmt::format("found {} workers; allowed: 1 to {}", workers_, kWorkersMax));
    }
    return {};
  }

  // A pool that was resized: by the clock.
  void fill_sizes() {
    const auto first = arrived_.front().submitted;
    scaling::Timetable table{.day = kYear, .entries = {{{}, workers_}}};
    dispatch::SizeLimits limits{workers_, workers_};
    for (const auto& change : trace_.sizes) {
      if (options_.workers || change.at <= first || change.at - first >= kYear) continue;
      table.entries.push_back({change.at - first, change.workers});
      limits = {std::min(limits.min, change.workers), std::max(limits.max, change.workers)};
    }
    if (table.entries.size() == 1) return;
    made_.recorded.pool.scaling =
        scenario::ScalingSettings{.policy = std::move(table), .limits = limits};
    if (std::exchange(made_.speeds.differ, false))
      made_.notes.emplace_back("workers that come and go are taken to be equally fast");
    made_.speeds.speeds.assign(workers_, 1.0);
  }

  // Of the tasks that arrived, most urgent first; none if all are alike.
  void fill_kinds(scenario::WorkloadTrace& rows) {
    constexpr std::array<const char*, 3> kNames{"high", "normal", "low"};
    auto& workload = made_.recorded.workload;
    const bool lanes =
        setting("pool.common") != "0" && std::ranges::any_of(arrived_, [](const auto& task) {
          return task.priority != trace::TaskRecord{}.priority;
        });
    const auto& names = trace_.header.classes;
    if (!lanes && names.empty()) return;
    std::map<std::pair<std::size_t, std::size_t>, std::uint32_t> numbers;  // of class and priority
    const auto kind = [&](const trace::TaskRecord& task) {
      return std::pair(names.empty() ? 0 : std::min<std::size_t>(task.task_class, names.size() - 1),
                       lanes ? std::min<std::size_t>(task.priority, 2) : 1);
    };
    for (const auto& task : arrived_) ++numbers[kind(task)];
    for (auto& [key, number] : numbers) {
      const auto [of_class, priority] = key;
      const double share = number / static_cast<double>(arrived_.size());
      number = static_cast<std::uint32_t>(workload.classes.size());
      workload.classes.push_back(
          {.name = names.empty() ? kNames[priority]
                   : lanes       ? fmt::format("{}, {}", names[of_class], kNames[priority])
                                 : names[of_class],
           .share = share,
           .priority = 1 - static_cast<std::int32_t>(priority)});
      made_.classes.push_back(names.empty() ? 0 : static_cast<std::uint16_t>(of_class));
    }
    for (const auto& task : arrived_) rows.classes.push_back(numbers[kind(task)]);
  }

  void fill_patience(scenario::WorkloadTrace& rows) {
    if (std::ranges::any_of(arrived_, [](const auto& t) { return t.patience < kForever; })) {
      for (const auto& task : arrived_) rows.patience.push_back(task.patience);
      made_.patience = fit_patience(rows.patience);
      made_.recorded.workload.patience = patience_law(made_.patience);
    }
  }

  // Of each kind's own tasks, where they are enough for a law.
  void fit_kinds(const scenario::WorkloadTrace& rows) {
    if (trace_.header.classes.empty()) return;
    constexpr std::size_t kTasksMin = 20;
    std::vector<std::vector<Duration>> sizes(made_.recorded.workload.classes.size());
    for (std::size_t i = 0; i < arrived_.size(); ++i) {
      if (trace::ran(arrived_[i].outcome)) sizes[rows.classes[i]].push_back(rows.services[i]);
    }
    made_.class_service.resize(sizes.size());
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if (sizes[i].size() >= kTasksMin) made_.class_service[i] = fit_service(std::move(sizes[i]));
    }
  }

  [[nodiscard]] Duration size_of(const trace::TaskRecord& task) const {
    if (!made_.speeds.differ || index(task.worker) >= workers_) return task.service();
    return from_seconds(to_seconds(task.service()) * made_.speeds.speeds[index(task.worker)]);
  }

  void fill_workload() {
    scenario::WorkloadTrace rows;
    std::vector<Duration> sizes;
    stat::Moments hint_errors;
    const bool hinted = std::all_of(arrived_.begin(), arrived_.end(),
                                    [](const auto& task) { return task.size > Duration::zero(); });
    const auto first = arrived_.front().submitted;
    auto last_size = size_of(ran_.front());
    for (const auto& task : arrived_) {
      if (trace::ran(task.outcome)) {
        last_size = size_of(task);
        sizes.push_back(last_size);
        if (hinted && last_size > Duration::zero())
          hint_errors.add(std::log(to_seconds(task.size) / to_seconds(last_size)));
      }
      rows.arrivals.push_back(Instant{task.submitted - first});
      rows.services.push_back(last_size);
      if (hinted) rows.hints.push_back(task.size);
    }
    fill_kinds(rows);
    fill_patience(rows);
    fit_kinds(rows);
    made_.arrivals = fit_arrivals(rows.arrivals);
    made_.service = fit_service(std::move(sizes));
    auto& workload = made_.recorded.workload;
    workload.arrivals = scenario::TraceArrivals{};
    workload.service = scenario::TraceService{};
    workload.trace = std::make_shared<const scenario::WorkloadTrace>(std::move(rows));
    if (hint_errors.count() > 1) {
      // Errors too small to matter are those of rounding.
      constexpr double kSigmaMin = 1e-6, kSigmaMax = 10;
      const double sigma = hint_errors.stddev();
      workload.hint_error = sigma < kSigmaMin ? 0 : std::min(sigma, kSigmaMax);
    }
    workload.rate = made_.arrivals.rate;
    workload.mean_service_s = made_.service.mean_s;
  }

  void fill_pool() {
    auto& pool = made_.recorded.pool;
    pool.speeds = made_.speeds.speeds;
    pool.wake_ups = made_.overhead.wake_ups;
    pool.task_overhead = made_.overhead.task_overhead;
    if (const auto common = parse_number<std::uint32_t>(setting("pool.common")))
      pool.common_bound = *common;
    pool.when_full = refuses_when_full() ? dispatch::WhenFull::reject : dispatch::WhenFull::block;
    const bool long_tasks = made_.service.mean_s > to_seconds(dispatch::kBoundWork);
    pool.stealing = long_tasks ? dispatch::Stealing::before_held : dispatch::Stealing::after_held;
    pool.queue_bounds.assign(workers_, 1);
    const auto queue = parse_number<std::uint32_t>(setting("pool.queue"));
    if (!queue) return;
    const auto waiting = *queue != 0 ? *queue : automatic_bound(made_.service.mean_s);
    pool.queue_bounds.assign(workers_, waiting + 1);
    auto rest = setting("pool.queues");
    for (auto& bound : pool.queue_bounds) {
      const auto text = rest.substr(0, rest.find(','));
      if (const auto own = parse_number<std::uint32_t>(text)) bound = *own + 1;
      rest.remove_prefix(std::min(text.size() + 2, rest.size()));
    }
  }

  Result<void> fill_policy() {
    made_.policy = setting("policy");
    const auto& wanted = options_.policy.empty() ? made_.policy : options_.policy;
    if (wanted.empty())
      made_.notes.emplace_back("the trace does not name a policy: one common queue is taken");
    auto spec =
        scenario::parse_policy_spec(wanted.empty() ? scenario::kCentral : std::string_view(wanted));
    if (!spec) {
      return fail(spec.error().code,
                  options_.policy.empty()
                      ? "the trace's policy is not known here; say which to take instead: " +
                            spec.error().what
                      : spec.error().what,
                  spec.error().where);
    }
    made_.recorded.dispatch.policies.push_back(*std::move(spec));
    return {};
  }

  void make_fitted() {
    made_.recorded.name = options_.name;
    made_.recorded.run.replications = made_.recorded.run.replications_max = 1;
    made_.recorded.run.seed = options_.seed;
    made_.fitted = made_.recorded;
    auto& workload = made_.fitted.workload;
    workload.trace = nullptr;
    workload.arrivals = made_.arrivals.process;
    workload.service = made_.service.distribution();
    for (std::size_t i = 0; i < made_.class_service.size(); ++i) {
      if (const auto& own = made_.class_service[i])
        workload.classes[i].service = own->distribution();
    }
    made_.fitted.run.tasks = arrived_.size();
    made_.fitted.run.replications = made_.fitted.run.replications_max = kFittedReplications;
  }

  void note_what_is_left_out() {
    const auto count = [&](auto&& condition) {
      return std::count_if(arrived_.begin(), arrived_.end(), condition);
    };
    auto& notes = made_.notes;
    made_.dropped = trace_.dropped;
    made_.loop = trace_.header.loop;
    made_.source = setting("source");
    if (trace_.dropped > 0) {
      notes.push_back(fmt::format("the recorder dropped {} of {} tasks: the load is understated",
                                  trace_.dropped, trace_.dropped + trace_.tasks.size()));
    }
    if (!trace_.complete || !trace_.damage.empty())
      notes.emplace_back("the file is damaged or cut off: only what could be read is here");
    if (!trace_.header.responses_known()) {
      notes.emplace_back(
          "the trace does not say when tasks started: nothing was measured that this prediction "
          "could be compared with");
    } else if (setting("starts") == "in response") {
      notes.emplace_back(
          "the log has response times only: waiting counts as service, so that answers are on the "
          "safe side");
    } else if (setting("starts") == "inferred") {
      notes.emplace_back(
          "starts were inferred with one queue: that the same work agrees with the log then says "
          "nothing about the model");
    }
    if (made_.loop == trace::Loop::closed) {
      notes.emplace_back(
          "the loop was closed (arrivals waited for results): with other workers or another "
          "policy these arrivals would have come at other times");
    } else if (made_.loop == trace::Loop::unknown) {
      notes.emplace_back(
          "the trace does not say whether arrivals waited for results; that they "
          "did not is taken for granted");
    }
    const auto never_ran = trace_.tasks.size() - arrived_.size();
    if (never_ran > 0)
      notes.push_back(fmt::format("left out: {} that never ran", how_many(never_ran, "task")));
    const auto ended = [&](trace::TaskOutcome outcome, std::string_view one,
                           std::string_view several) {
      const auto tasks = count([&](const auto& task) { return task.outcome == outcome; });
      if (tasks == 0) return;
      notes.push_back(fmt::format("{} {} with the service time of the task before",
                                  how_many(tasks, "task"), tasks == 1 ? one : several));
    };
    ended(trace::TaskOutcome::rejected, "was refused: it arrives", "were refused: they arrive");
    ended(trace::TaskOutcome::expired, "expired: it arrives", "expired: they arrive");
    if (!made_.recorded.workload.classes.empty() && trace_.header.classes.empty())
      notes.emplace_back("fitted work draws priorities whatever the service time is");
    if (const auto tasks = detail::served_meanwhile(ran_); tasks > 0)
      notes.push_back(
          fmt::format("{} ran while another of the same worker waited inside, or stalled; here a "
                      "worker has one at a time, so that waits come out too long",
                      how_many(tasks, "task")));
    const auto outside = std::count_if(ran_.begin(), ran_.end(), [](const auto& task) {
      return task.worker == trace::TaskRecord::kNobody;
    });
    if (outside > 0 && static_cast<std::size_t>(outside) < ran_.size()) {
      notes.push_back(
          fmt::format("{} run by threads that waited for the result; here workers run all",
                      how_many(outside, "task")));
    }
    if (!setting("pool.weights").empty())
      notes.emplace_back("weights of workers are taken to be their measured speeds");
  }

  static constexpr std::uint32_t kFittedReplications = 10;
  static constexpr Duration kYear = std::chrono::hours(24 * 365);

  const trace::TaskTrace& trace_;
  const CalibrateOptions& options_;
  std::vector<trace::TaskRecord> ran_;
  std::vector<trace::TaskRecord> arrived_;
  std::uint32_t workers_ = 0;  // at the first task
  Calibration made_;
};

}  // namespace

Result<Calibration> calibrate(const trace::TaskTrace& trace, const CalibrateOptions& options) {
  return Calibrator(trace, options).run();
}

}  // namespace artel::predict
