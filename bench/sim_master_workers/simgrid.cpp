#include "bench/sim_master_workers/simgrid.hpp"

#include <cstdint>
#include <simgrid/s4u.hpp>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/indexed_loads.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/policy.hpp"
#include "bench/measure.hpp"
#include "bench/simgrid_engine.hpp"
#include "examples/master_workers/model/master.hpp"
#include "examples/master_workers/model/waiting_tasks.hpp"
#include "examples/master_workers/model/workload.hpp"

namespace artel::bench {
namespace {

namespace s4u = simgrid::s4u;
using master_workers::HostSpec;
using master_workers::TaskSpec;
using master_workers::Workload;

struct Completed {
  std::uint32_t task;
  std::uint32_t host;
};

/// Hosts around one fat pipe, so that every transfer has the whole bandwidth.
std::vector<s4u::Host*> make_hosts(const Workload& workload) {
  const auto& common = workload.infrastructure;
  auto* zone = s4u::create_star_zone("zone");
  const auto fat_pipe = [&](const std::string& name, double bandwidth, Duration latency) {
    return s4u::LinkInRoute(zone->create_link(name, bandwidth)
                                ->set_latency(to_seconds(latency))
                                ->set_sharing_policy(s4u::Link::SharingPolicy::FATPIPE)
                                ->seal());
  };
  const auto between = fat_pipe("between", common.bandwidth, common.latency);
  const auto inside = fat_pipe("inside", common.local_bandwidth, Duration::zero());
  std::vector<s4u::Host*> hosts;
  for (std::uint32_t i = 0; i < workload.hosts.size(); ++i) {
    const HostSpec& spec = workload.hosts[i];
    auto* host = zone->create_host("host-" + std::to_string(i), spec.speed);
    host->set_core_count(static_cast<int>(spec.cores));
    host->create_disk("disk", common.disk_bandwidth, common.disk_bandwidth)->seal();
    host->seal();
    auto* point = host->get_netpoint();
    zone->add_route(point, nullptr, nullptr, nullptr, {between}, false);
    zone->add_route(nullptr, point, nullptr, nullptr, {}, false);
    zone->add_route(point, point, nullptr, nullptr, {inside}, false);
    hosts.push_back(host);
  }
  zone->seal();
  return hosts;
}

/// The master's rule of examples/master_workers, and the actors.
class Model {
 public:
  Model(const Workload& workload, std::vector<s4u::Host*> hosts)
      : workload_(workload),
        hosts_(std::move(hosts)),
        master_(s4u::Mailbox::by_name("master")),
        policy_(master_workers::most_free_memory()),
        loads_(dispatch::needs(policy_)) {
    loads_.resize(hosts_.size());
    for (std::uint32_t i = 0; i < hosts_.size(); ++i) {
      free_.push_back({workload.hosts[i].cores, workload.hosts[i].memory});
      boxes_.push_back(s4u::Mailbox::by_name("worker-" + std::to_string(i)));
      show(i);
    }
    for (std::uint32_t task = 0; task < workload.tasks.size(); ++task) {
      waiting_.add(task, workload.tasks[task].memory);
    }
  }

  void start() {
    s4u::Actor::create("master", hosts_[0], [this] { run_master(); });
    s4u::Actor::create("rounds", hosts_[0], [this] { run_rounds(); })->daemonize();
    for (std::uint32_t i = 0; i < hosts_.size(); ++i) {
      for (std::uint32_t core = 0; core < workload_.hosts[i].cores; ++core) {
        s4u::Actor::create("core", hosts_[i], [this, i] { run_core(i); })->daemonize();
      }
    }
  }

  [[nodiscard]] std::uint32_t completed() const { return completed_; }
  [[nodiscard]] double scheduling_seconds() const { return scheduling_seconds_; }

 private:
  struct Free {
    std::uint32_t cores;
    std::uint32_t memory;
  };

  void run_master() {
    while (completed_ < workload_.tasks.size()) {
      const auto done = master_->get_unique<Completed>();
      Free& free = free_[done->host];
      ++free.cores;
      free.memory += workload_.tasks[done->task].memory;
      show(done->host);
      ++completed_;
      if (--assigned_ == 0) schedule();
    }
  }

  void run_rounds() {
    s4u::this_actor::sleep_for(1);
    while (true) {
      schedule();
      s4u::this_actor::sleep_for(10);
    }
  }

  void run_core(std::uint32_t host) {
    const auto disk = hosts_[host]->get_disks().front();
    while (true) {
      const std::uint32_t number = *boxes_[host]->get_unique<std::uint32_t>();
      const TaskSpec& task = workload_.tasks[number];
      s4u::Comm::sendto(hosts_[0], hosts_[host], task.input_bytes);
      disk->read(task.input_bytes);
      s4u::this_actor::execute(task.flops);
      disk->write(task.output_bytes);
      s4u::Comm::sendto(hosts_[host], hosts_[0], task.output_bytes);
      master_->put_init(new Completed{number, host}, 0)->detach();
    }
  }

  void schedule() {
    scheduling_seconds_ += seconds_of([&] {
      while (!waiting_.empty()) {
        const auto worker = dispatch::choose(policy_, loads_, dispatch::Draw{});
        if (!worker) break;
        const auto host = static_cast<std::uint32_t>(index(*worker));
        const auto task = waiting_.take_first_fitting(free_[host].memory);
        if (!task) break;
        --free_[host].cores;
        free_[host].memory -= workload_.tasks[*task].memory;
        ++assigned_;
        show(host);
        sent_.push_back({host, *task});
      }
    });
    for (const auto& [host, task] : sent_) {
      boxes_[host]->put_init(new std::uint32_t(task), 0)->detach();
    }
    sent_.clear();
  }

  void show(std::uint32_t number) {
    const HostSpec& host = workload_.hosts[number];
    const Free& free = free_[number];
    const std::uint32_t used = host.memory - free.memory;
    loads_.set(dispatch::worker(number),
               {.queued = used,
                .capacity = free.cores > 0 ? host.memory : used,
                .weight = static_cast<float>(1000 * free.cores + host.speed)});
  }

  const Workload& workload_;
  std::vector<s4u::Host*> hosts_;
  s4u::Mailbox* master_;
  std::vector<s4u::Mailbox*> boxes_;
  dispatch::Policy policy_;
  dispatch::IndexedLoads loads_;
  std::vector<Free> free_;
  master_workers::WaitingTasks waiting_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> sent_;
  std::uint32_t assigned_ = 0;
  std::uint32_t completed_ = 0;
  double scheduling_seconds_ = 0;
};

}  // namespace

SimGridReport run_simgrid(const Workload& workload) {
  SimGridEngine engine{"network/model:CM02",  // without the corrections for TCP that follow
                       "network/latency-factor:1", "network/bandwidth-factor:1",
                       "network/TCP-gamma:0",      "network/weight-S:0",
                       "network/crosstraffic:0",   "contexts/stack-size:64"};
  Model model(workload, make_hosts(workload));
  model.start();
  const double seconds = seconds_of([&] { engine.run(); });
  return {seconds, model.scheduling_seconds(), model.completed()};
}

}  // namespace artel::bench
