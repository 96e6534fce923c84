#include "tests/verify/fleet_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <regex>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/least_loaded.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/random.hpp"
#include "artel/dispatch/round_robin.hpp"
#include "artel/random/distribution.hpp"
#include "artel/scaling/timetable.hpp"
#include "artel/scenario/admission_settings.hpp"
#include "artel/scenario/caller_settings.hpp"
#include "artel/scenario/pool_settings.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/stage_settings.hpp"
#include "artel/scenario/worker_settings.hpp"
#include "artel/scenario/workload.hpp"
#include "tests/verify/system.hpp"

namespace artel::verify {
namespace {

using random::Distribution;
using scenario::Discipline;
using namespace std::chrono_literals;

// A system in the words of fleet.csv, read from the left.
class Words {
 public:
  explicit Words(std::string text) : rest_(std::move(text)) {}

  // Whether the text goes on like that; then its groups can be asked for.
  bool take(const std::string& pattern) {
    if (!std::regex_search(rest_, match_, std::regex("^(?:" + pattern + ")(?:, |; |$)")))
      return false;
    groups_ = {match_.begin(), match_.end()};
    rest_ = std::string(match_.suffix());
    return true;
  }
  [[nodiscard]] std::uint32_t whole(std::size_t group) const {
    return static_cast<std::uint32_t>(std::stoul(groups_[group]));
  }
  [[nodiscard]] double number(std::size_t group) const { return std::stod(groups_[group]); }
  [[nodiscard]] std::chrono::seconds seconds(std::size_t group) const {
    return std::chrono::seconds(whole(group));
  }
  [[nodiscard]] bool done() const { return rest_.empty(); }
  [[nodiscard]] const std::string& rest() const { return rest_; }

 private:
  std::string rest_;
  std::smatch match_;
  std::vector<std::string> groups_;
};

void two_classes(scenario::Scenario& scenario) {
  scenario.workload.classes = {{.name = "high", .share = 0.5, .priority = 1},
                               {.name = "low", .share = 0.5, .priority = 0}};
}

bool read_discipline(Words& words, scenario::Scenario& scenario) {
  auto& worker = scenario.pool.worker;
  if (words.take("processor sharing")) {
    worker.discipline = Discipline::ps;
  } else if (words.take("n tasks together n times as fast up to 4")) {
    worker.total_speed = {1, 2, 3, 4};
  } else if (words.take("lcfs preemptive resume")) {
    worker.discipline = Discipline::lifo;
    worker.preemptive = true;
  } else if (words.take("srpt")) {
    worker.discipline = Discipline::srpt;
  } else if (words.take("sjf without preemption")) {
    worker.discipline = Discipline::sjf;
  } else if (words.take(R"(las \(foreground-background\))")) {
    worker.discipline = Discipline::las;
  } else if (words.take("2 classes of equal share")) {
    worker.discipline = Discipline::priority;
    two_classes(scenario);
  } else if (words.take("earliest deadline first")) {
    worker.discipline = Discipline::edf;
  } else if (words.take("deadlines 1 and 1e7")) {
    scenario.workload.classes[0].deadline = 1s;
    scenario.workload.classes[1].deadline = 10'000'000s;
  } else if (words.take("priority without preemption")) {
    worker.preemptive = false;
  } else if (words.take(R"(priority with preemption \(resume\))")) {
    worker.preemptive = true;
  } else {
    return false;
  }
  return true;
}

bool read_service(Words& words, scenario::Scenario& scenario) {
  auto& service = scenario.workload.service;
  if (words.take("exponential")) {
    service = *Distribution::exponential(1);
  } else if (words.take(R"(hyperexponential\(scv=4\))")) {
    service = *Distribution::hyperexponential({.mean = 1, .scv = 4});
  } else if (words.take(R"(uniform\(0,2\))")) {
    service = *Distribution::uniform({.low = 0, .high = 2});
  } else if (words.take("constant")) {
    service = *Distribution::constant(1);
  } else {
    return false;
  }
  return true;
}

// Stages, all with exponential services of mean 1.
bool read_stages(Words& words, scenario::Scenario& scenario) {
  scenario::StageSettings stage{.name = "second", .service = *Distribution::exponential(1)};
  std::uint32_t workers = 1;
  if (words.take(R"(the second for (\d+) calls at once to (\d+) workers)")) {
    stage.calls = words.whole(1);
    workers = words.whole(2);
    scenario.dispatch.policies = {labelled(dispatch::RoundRobin{})};
  } else if (words.take(R"(the second with probability ([0-9.]+))")) {
    stage.probability = words.number(1);
  } else if (!words.take("two stages in sequence")) {
    return false;
  }
  stage.pool.speeds.assign(workers, 1.0);
  stage.pool.queue_bounds.assign(workers, dispatch::kUnbounded);
  scenario.stages = {stage};
  return true;
}

bool read_workers(Words& words, scenario::Scenario& scenario) {
  auto& pool = scenario.pool;
  if (words.take(R"((\d+) workers? x (\d+) slots)")) {
    pool.speeds.assign(words.whole(1), 1.0);
    pool.worker.slots = words.whole(2);
  } else if (words.take(R"((\d+) workers?(?: each)?)")) {
    pool.speeds.assign(words.whole(1), 1.0);
  } else if (words.take("(?:one )?central queue")) {
    pool.queue_bounds.assign(pool.speeds.size(), 1);
  } else {
    return false;
  }
  return true;
}

// Arrivals at a rate of 1, if they are not Poisson.
bool read_arrivals(Words& words, scenario::Scenario& scenario) {
  auto& arrivals = scenario.workload.arrivals;
  auto& batch = scenario.workload.batch;
  if (words.take(R"(gaps gamma\(shape ([0-9.]+)\))")) {
    const double shape = words.number(1);
    arrivals =
        scenario::RenewalArrivals{*Distribution::gamma({.shape = shape, .scale = 1 / shape})};
  } else if (words.take(R"(gaps weibull\(shape 0.5\))")) {
    arrivals = scenario::RenewalArrivals{*Distribution::weibull({.shape = 0.5, .scale = 0.5})};
  } else if (words.take("gaps ([0-9.]+) or ([0-9.]+) times the mean")) {
    arrivals =
        scenario::RenewalArrivals{*Distribution::empirical({words.number(1), words.number(2)})};
  } else if (words.take(R"(batches of (\d+) arrive at once)")) {
    batch = {words.whole(1)};
  } else if (words.take(R"(batches of (\d+) or (\d+) arrive at once)")) {
    batch = {words.whole(1), words.whole(2)};
  } else if (words.take("half of the tasks singly")) {
    const scenario::ArrivalSource half{.arrivals = scenario::PoissonArrivals{0.5}, .rate = 0.5};
    arrivals = scenario::SummedArrivals{{half, half}};
  } else if (words.take(R"(half in batches of (\d+))")) {
    std::get<scenario::SummedArrivals>(arrivals).sources.back().batch = {words.whole(1)};
  } else {
    return false;
  }
  return true;
}

// Users of closed arrivals; how long they think depends on the load.
bool read_users(Words& words, scenario::Scenario& scenario, double load) {
  if (!words.take(R"(closed: (\d+) users think exponentially \(mean (\d+)/load\))")) return false;
  scenario.workload.arrivals = scenario::ClosedArrivals{
      .users = words.whole(1), .think = *Distribution::exponential(words.number(2) / load)};
  return true;
}

// What befalls workers, and arrivals, by the clock.
bool read_timetables(Words& words, scenario::Scenario& scenario) {
  auto& worker = scenario.pool.worker;
  if (words.take("at speed 1 for 50, then at 0.2 for 10, by the clock")) {
    worker.speed_timetable = scenario::SpeedTimetable{
        .points = {{.at = 0s, .speed = 1}, {.at = 50s, .speed = 0.2}}, .day = 60s};
  } else if (words.take("arrivals as much slower")) {
    // In a straight line from point to point: the jumps take a nanosecond.
    scenario.workload.arrivals =
        scenario::TimetableArrivals{.points = {{.at = 0s, .rate = 1},
                                               {.at = 50s - 1ns, .rate = 1},
                                               {.at = 50s, .rate = 0.2},
                                               {.at = 60s - 1ns, .rate = 0.2}},
                                    .day = 60s};
    scenario.workload.rate = 52.0 / 60;
  } else if (words.take("for 60, then one for 60")) {
    const auto size = static_cast<std::uint32_t>(scenario.pool.speeds.size());
    scenario.pool.scaling = scenario::ScalingSettings{
        .policy = scaling::Timetable{.day = 120s,
                                     .entries = {{.from = 0s, .workers = size},
                                                 {.from = 60s, .workers = 1}}},
        .limits = {.min = 1, .max = size}};
  } else if (words.take("one of them out of service all the time")) {
    auto& failures = worker.failures.emplace();
    failures.outages = {
        {.at = Instant{}, .lasts = 100'000'000s, .workers = {0}, .drain = Duration::zero()}};
  } else {
    return false;
  }
  return true;
}

// Who is let in, and who is served together.
bool read_admission_and_batches(Words& words, scenario::Scenario& scenario) {
  auto& worker = scenario.pool.worker;
  if (words.take(R"(admission by aimd that stays at (\d+))")) {
    scenario.pool.admission.aimd =
        scenario::AimdSettings{.target = 1s, .min = words.number(1), .max = words.number(1)};
  } else if (words.take(R"(admission by gradient that stays at (\d+))")) {
    scenario.pool.admission.gradient =
        scenario::GradientSettings{.min = words.number(1), .max = words.number(1)};
  } else if (words.take(R"(steps of 0.15 and 0.025 for each of up to (\d+))")) {
    worker.batch = scenario::BatchSettings{.most = words.whole(1),
                                           .fixed = *Distribution::constant(0.15),
                                           .per_task = 0.025,
                                           .per_work = 0,
                                           .step = 250ms};
  } else if (words.take(R"(one at a time in 0.5 and exponential\(0.5\) as it joins)")) {
    worker.batch = scenario::BatchSettings{.most = 1,
                                           .fixed = *Distribution::constant(0.5),
                                           .per_work = 0,
                                           .per_join = *Distribution::exponential(0.5),
                                           .step = 1s};
    scenario.workload.service = *Distribution::constant(1);
  } else if (worker.batch && words.take("as the memory has room for one")) {
    worker.batch->most = 16;
    worker.batch->memory = 1s;
  } else if (words.take(R"(batches of up to (\d+) in 0.5)")) {
    worker.batch = scenario::BatchSettings{
        .most = words.whole(1), .fixed = *Distribution::constant(0.5), .per_work = 0};
    scenario.workload.service = *Distribution::constant(1);
  } else if (worker.batch && words.take(R"(the first waits up to (\d+))")) {
    worker.batch->longest_wait = words.seconds(1);
  } else if (words.take(R"(batches of up to (\d+))")) {
    worker.batch = scenario::BatchSettings{
        .most = words.whole(1), .fixed = *Distribution::exponential(1), .per_work = 0};
    scenario.workload.service = *Distribution::constant(1);
  } else {
    return false;
  }
  return true;
}

// Workers that break, and those that get cold.
bool read_failures(Words& words, scenario::Scenario& scenario) {
  using TaskFate = scenario::FailureSettings::TaskFate;
  auto& worker = scenario.pool.worker;
  if (words.take(R"(fails at rate 0.02 \(also idle\))")) {
    worker.failures = scenario::FailureSettings{.mtbf = 50s, .mttr = 5s};
  } else if (worker.failures && words.take("the task begins again afterwards")) {
    worker.failures->task = TaskFate::restart;
  } else if (worker.failures && words.take("the task is lost")) {
    worker.failures->task = TaskFate::lose;
  } else if (worker.failures && words.take(R"(known after (\d+))")) {
    worker.failures->detection = words.seconds(1);
  } else if (words.take("nobody waits elsewhere")) {
    scenario.pool.common_bound = 0;
  } else if (words.take("cold start exponential of mean 5 whenever it was idle")) {
    worker.start_up = scenario::StartUpSettings{.time = *Distribution::exponential(5)};
  } else if (words.take(R"(cold start exponential of mean 5 after (\d+) without work)")) {
    worker.start_up = scenario::StartUpSettings{.time = *Distribution::exponential(5),
                                                .keep_warm = words.seconds(1)};
  } else if (worker.start_up && words.take("then at half its speed for good")) {
    worker.slow_start = scenario::SlowStart{.time = 100'000'000s, .speed = 0.5};
  } else {
    return false;
  }
  return true;
}

// Callers who do not wait for ever.
bool read_callers(Words& words, scenario::Scenario& scenario) {
  auto& callers = scenario.workload.callers;
  if (words.take(R"(callers wait up to ([0-9.]+) for the answer)")) {
    callers.timeout = *Distribution::constant(words.number(1));
  } else if (words.take(R"(callers wait for an exponential time of mean (\d+) for the answer)")) {
    callers.timeout = *Distribution::exponential(words.number(1));
  } else if (words.take("those waiting then leave")) {
    callers.cancel = scenario::Spared::waiting;
  } else if (words.take("all leave then")) {
    callers.cancel = scenario::Spared::all;
  } else if (words.take(R"(drawn anew for each of up to (\d+) tries of (\d+))")) {
    callers.retry.most = words.whole(1) - 1;
    callers.timeout = *Distribution::constant(words.number(2));
    callers.cancel = scenario::Spared::all;
    callers.redraw = true;
  } else if (words.take("backoff 0.5")) {
    callers.retry.backoff = 500ms;
  } else if (words.take("never more than that")) {
    callers.retry.longest = callers.retry.backoff;
  } else if (words.take("any part of it equally likely")) {
    callers.retry.jitter = scenario::Jitter::full;
  } else if (words.take(R"(after (\d+) without an answer nobody asks for (\d+))")) {
    callers.breaker =
        scenario::BreakerSettings{.failures = 1, .tries = words.whole(1), .open = words.seconds(2)};
  } else if (words.take(R"(answers after (\d+) are late)")) {
    scenario.workload.deadline = words.seconds(1);
  } else if (words.take(R"(callers give up after exponential patience of mean ([0-9.]+))")) {
    scenario.workload.patience = *Distribution::exponential(words.number(1));
  } else {
    return false;
  }
  return true;
}

// What only some systems have.
bool read_special(Words& words, scenario::Scenario& scenario) {
  auto& worker = scenario.pool.worker;
  auto& callers = scenario.workload.callers;
  if (words.take(R"(every task copied to (\d+) random ones)")) {
    callers.copies = words.whole(1);
    scenario.dispatch.policies = {labelled(dispatch::Random{})};
  } else if (words.take("first to finish cancels the rest")) {
    callers.cancel = scenario::Spared::all;
  } else if (words.take("first to begin takes the rest back")) {
    callers.tied = true;
  } else if (words.take("exponential and independent")) {
    scenario.workload.service = *Distribution::exponential(1);
    callers.redraw = true;
  } else if (words.take("at speed 1 for a mean of 50, then at 0.2 for a mean of 10")) {
    worker.speed_states = {{.speed = 1, .mean_duration = 50s},
                           {.speed = 0.2, .mean_duration = 10s}};
  } else if (words.take(
                 "speeds 1, 0.5 and 0.1 for means of 20, 8 and 4 that follow each other with "
                 "probabilities 0 0.8 0.2, 0.6 0 0.4 and 0.3 0.7 0")) {
    worker.speed_states = {
        {1, 20s, {0, 0.8, 0.2}}, {0.5, 8s, {0.6, 0, 0.4}}, {0.1, 4s, {0.3, 0.7, 0}}};
  } else {
    // What is so already, in words.
    return words.take("starts with whoever waits") ||
           words.take("exponential time of mean 1 for the whole batch") ||
           words.take("repair exponential of mean 5") || words.take("own queues") ||
           words.take("0.25 of service in each") || words.take("the task goes on afterwards") ||
           words.take("arrival rate load/1.1") || words.take("arrival rate load x mean speed") ||
           words.take(R"(arrival rate load x \d+)");
  }
  return true;
}

}  // namespace

Result<scenario::Scenario> fleet_scenario(const std::string& system, double load) {
  scenario::Scenario scenario;
  scenario.workload.mean_service_s = 1;
  scenario.workload.arrivals = scenario::PoissonArrivals{1};
  scenario.workload.rate = 1;
  scenario.dispatch.policies = {labelled(dispatch::LeastLoaded{})};
  Words words(system);
  double factor = 1;
  while (!words.done()) {
    if (words.take("arrival rate 1.2 x load x workers")) {
      factor = 1.2;
    } else if (!read_users(words, scenario, load) && !read_stages(words, scenario) &&
               !read_workers(words, scenario) && !read_discipline(words, scenario) &&
               !read_special(words, scenario) && !read_timetables(words, scenario) &&
               !read_failures(words, scenario) && !read_callers(words, scenario) &&
               !read_admission_and_batches(words, scenario) && !read_arrivals(words, scenario) &&
               !read_service(words, scenario)) {
      return fail(ErrorCode::unsupported, fmt::format("no such system here: '{}'", words.rest()));
    }
  }
  auto& pool = scenario.pool;
  const bool closed = std::holds_alternative<scenario::ClosedArrivals>(scenario.workload.arrivals);
  if (pool.queue_bounds.empty())
    pool.queue_bounds.assign(pool.speeds.size(), closed ? 1 : dispatch::kUnbounded);
  const double rate = factor * load * pool.capacity(1);
  scenario::make_faster(scenario.workload.arrivals, rate / scenario.workload.rate);
  scenario.workload.rate = rate;
  const double idle = std::max(0.01, 1 - load);  // at 1 and beyond something else bounds the queue
  const double memory = 1 / (idle * idle);
  const bool moody = pool.worker.failures || !pool.worker.speed_states.empty();
  const double tasks = 400 * memory * (moody ? 10 : 1);
  scenario.run.tasks = static_cast<std::uint64_t>(std::max(2e4, tasks));
  return scenario;
}

}  // namespace artel::verify
