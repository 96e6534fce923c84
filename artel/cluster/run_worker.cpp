#include "artel/cluster/run_worker.hpp"

#include <fmt/core.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <iterator>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "artel/cluster/cluster_flags.hpp"
#include "artel/cluster/cluster_options.hpp"
#include "artel/cluster/protocol/task_key.hpp"
#include "artel/cluster/protocol/worker_report.hpp"
#include "artel/cluster/task_registry.hpp"
#include "artel/cluster/worker_node.hpp"
#include "artel/core/error.hpp"
#include "artel/core/how_many.hpp"
#include "artel/core/join.hpp"

namespace artel::cluster {
namespace {

constexpr int kFailed = 1;
constexpr int kBadInput = 2;
constexpr int kSignalled = 128;  // plus its number

template <class... Args>
void say(fmt::format_string<Args...> text, Args&&... args) {
  fmt::print(stderr, "artel: {}\n", fmt::format(text, std::forward<Args>(args)...));
}

// "thumbnail v1, resize v2"
std::string task_names() {
  std::vector<std::string> names;
  for (const auto& task : TaskRegistry::linked().catalogue()) names.push_back(to_string(task));
  return names.empty() ? "nothing" : join(names, ", ");
}

// SIGTERM and SIGINT wait for whoever asks for them.
class Signals {
 public:
  // Before any other thread starts, so that they inherit it.
  Signals() {
    sigemptyset(&set_);
    for (const int signal : {SIGTERM, SIGINT, kWake}) sigaddset(&set_, signal);
    pthread_sigmask(SIG_BLOCK, &set_, nullptr);
  }
  // 0: wake() was called.
  [[nodiscard]] int wait() const {
    int signal = 0;
    while (sigwait(&set_, &signal) != 0) {
    }
    return signal == kWake ? 0 : signal;
  }
  // Ends a wait() of that thread.
  static void wake(pthread_t waiting) { pthread_kill(waiting, kWake); }

 private:
  static constexpr int kWake = SIGUSR1;
  sigset_t set_{};
};

// What the last chunk took the next one will need. Given back to the system meanwhile, as malloc
// does with more than 128 KiB, every page of it costs a fault.
void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int kKept = 4 << 20;     // bytes, of each arena
  constexpr int kMapped = 32 << 20;  // what is larger goes back at once; malloc's own highest limit
  static_cast<void>(mallopt(M_TRIM_THRESHOLD, kKept));
  static_cast<void>(mallopt(M_MMAP_THRESHOLD, kMapped));
#endif
}

void add(CLI::App& app, const FlagSpec& flag) {
  auto* const option = std::visit(
      [&](auto* value) { return app.add_option(flag.names, *value, flag.help); }, flag.value);
  if (!flag.type.empty()) option->type_name(flag.type);
  if (!flag.group.empty()) option->group(flag.group);
  if (flag.most > 0) option->check(CLI::Range(std::uint32_t{1}, flag.most));
  if (flag.default_shown) option->capture_default_str();
}

}  // namespace

std::vector<FlagSpec> flag_specs(WorkerFlags& flags) {
  std::vector<FlagSpec> specs{
      {.names = "-j,--jobs",
       .value = &flags.threads,
       .help = "Tasks at once; default: as many as there are usable processors",
       .most = 4096},
      {.names = "--tags",
       .value = &flags.tags,
       .help = "What it has that not all have, for 'artel map --needs': gpu,big-memory",
       .type = "TAG,…"}};
  std::ranges::move(flag_specs(flags.cluster, "Servers: nats://host:port[,…], or tls://…"),
                    std::back_inserter(specs));
  return specs;
}

int run_worker(const WorkerFlags& flags, const BesideWorker& beside) {
  const Signals signals;
  keep_freed_memory();
  if (flags.cluster.local()) {
    say("--cluster: a local cluster has workers of its own; give a server's address");
    return kBadInput;
  }
  const auto options = cluster_options(flags.cluster);
  if (!options) {
    say("{}", to_string(options.error()));
    return kBadInput;
  }
  const auto node =
      WorkerNode::connect({.cluster = *options,
                           .threads = flags.threads,
                           .tags = tags_after_commas(flags.tags),
                           .on_problem = [](const Error& error) { say("{}", to_string(error)); }});
  if (!node) {
    say("{}", to_string(node.error()));
    return kFailed;
  }
  std::shared_ptr<void> besides;
  if (beside) {
    auto begun = beside(**node);
    if (!begun) {
      say("{}", to_string(begun.error()));
      return begun.error().code == ErrorCode::invalid ? kBadInput : kFailed;
    }
    besides = *std::move(begun);
  }
  if (const std::string remark = (*node)->server_remark(); !remark.empty()) say("{}", remark);
  const auto report = (*node)->report();
  say("worker {} of pool '{}' at {} runs {}; {} at once", report.worker, options->pool,
      server_list(*options), task_names(), report.threads);

  std::atomic<bool> over = false;
  WorkerReport last;
  const pthread_t waiting = pthread_self();
  std::jthread working([&](const std::stop_token& stop) {
    last = (*node)->run(stop);
    over = true;
    Signals::wake(waiting);
  });
  for (int asked = 0; !over;) {
    const int signal = signals.wait();
    if (signal == 0) continue;
    if (++asked > 1) {
      (*node)->hand_back_all();
      say("handed back what had begun");
      ::_exit(kSignalled + signal);
    }
    say("leaving when what has begun is done; again: hand it back and leave now");
    working.request_stop();
  }
  working.join();
  say("worker {} left: {} done, {} failed, {} handed back", last.worker,
      how_many(last.done, "chunk"), last.failed, last.returned);
  return (*node)->shut() ? kFailed : 0;
}

int serve(int argc, char** argv) {
  WorkerFlags flags;
  CLI::App app("Works for a cluster of artel.");
  for (const auto& flag : flag_specs(flags)) add(app, flag);
  app.footer(fmt::format("Tasks: {}", task_names()));
  try {
    app.parse(argc, argv);
    return run_worker(flags);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    say("{}", error.what());
    return kBadInput;
  } catch (const std::exception& error) {
    say("{}", error.what());
    return kFailed;
  }
}

}  // namespace artel::cluster
