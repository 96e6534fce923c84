// The rival: SimGrid's network model CM02 without corrections for TCP, on the same links and
// routes. One actor makes the changes and sleeps for a microsecond after each, so that the engine
// brings the rates up to date. SimGrid's engine exists once per program: every run is a program of
// its own, forked from this one.

#include <simgrid/forward.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <map>
#include <set>
#include <simgrid/s4u/Actor.hpp>
#include <simgrid/s4u/Comm.hpp>
#include <simgrid/s4u/Host.hpp>
#include <simgrid/s4u/Link.hpp>
#include <simgrid/s4u/NetZone.hpp>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/sim/model/max_min.hpp"
#include "bench/measure.hpp"
#include "bench/own_process.hpp"
#include "bench/sim_network/workload.hpp"
#include "bench/simgrid_engine.hpp"

namespace artel::bench::network {
namespace {

namespace s4u = simgrid::s4u;

/// What a run tells the program that started it.
struct Report {
  double seconds = 0;
  double sum_of_rates = 0;
};

// The routes' first links are those of their first hosts, and the last links of their last.
class Model {
 public:
  Model(const Workload& workload, const Problem& problem)
      : workload_(workload), problem_(problem), zone_(s4u::create_full_zone("zone")) {
    for (std::size_t i = 0; i < problem.capacities.size(); ++i) {
      links_.push_back(zone_->create_link(std::to_string(i), problem.capacities[i])->seal());
    }
    for (const auto& route : problem.routes) add_route(route);
    zone_->seal();
  }

  /// `tell` gets the report, and ends the program.
  template <class Tell>
  void run(SimGridEngine& engine, Tell tell) {
    s4u::Actor::create("changes", senders_.begin()->second, [&] { tell(change()); });
    engine.run();
  }

 private:
  void add_route(const std::vector<sim::LinkId>& route) {
    const auto ends = std::pair(route.front(), route.back());
    if (!routed_.insert(ends).second) return;
    std::vector<s4u::LinkInRoute> over;
    for (const sim::LinkId link : route) over.emplace_back(links_[index(link)]);
    zone_->add_route(host(senders_, "from", ends.first)->get_netpoint(),
                     host(receivers_, "to", ends.second)->get_netpoint(), nullptr, nullptr, over,
                     false);
  }

  s4u::Host* host(std::map<sim::LinkId, s4u::Host*>& hosts, const std::string& prefix,
                  sim::LinkId own) {
    s4u::Host*& host = hosts[own];
    if (host == nullptr) {
      host = zone_->create_host(prefix + std::to_string(index(own)), 1e9)->seal();
    }
    return host;
  }

  s4u::CommPtr start(const std::vector<sim::LinkId>& route) {
    constexpr std::uint64_t kBytes = 1'000'000'000'000;  // none ends meanwhile
    return s4u::Comm::sendto_async(senders_.at(route.front()), receivers_.at(route.back()), kBytes);
  }

  Report change() {
    Report report;
    constexpr double kShortly = 1e-6;
    for (std::size_t i = 0; i < workload_.transfers; ++i) {
      transfers_.push_back(start(problem_.routes[i]));
    }
    s4u::this_actor::sleep_for(kShortly);
    std::size_t next = workload_.transfers;
    report.seconds = seconds_of([&] {
      for (std::size_t change = 0; change < workload_.changes; ++change) {
        if (change % 2 == 0) {
          transfers_.front()->cancel();
          transfers_.pop_front();
        } else {
          transfers_.push_back(start(problem_.routes[next++]));
        }
        s4u::this_actor::sleep_for(kShortly);
      }
    });
    for (const auto& transfer : transfers_) report.sum_of_rates += transfer->get_remaining();
    s4u::this_actor::sleep_for(1);
    for (const auto& transfer : transfers_) report.sum_of_rates -= transfer->get_remaining();
    return report;
  }

  Workload workload_;
  const Problem& problem_;
  s4u::NetZone* zone_;
  std::vector<s4u::Link*> links_;
  std::map<sim::LinkId, s4u::Host*> senders_;    // by their own link
  std::map<sim::LinkId, s4u::Host*> receivers_;  // the same
  std::set<std::pair<sim::LinkId, sim::LinkId>> routed_;
  std::deque<s4u::CommPtr> transfers_;
};

}  // namespace

Outcome run_simgrid(const Workload& workload) {
  const Problem problem = make_problem(workload);
  const auto report = in_own_process<Report>([&](auto tell) {
    SimGridEngine engine{"network/model:CM02", "network/TCP-gamma:0", "network/crosstraffic:0"};
    Model(workload, problem).run(engine, tell);
  });
  // Fewer changes than the others make, so its answer is checked here.
  const double ours = sum_of_rates(workload);
  constexpr double kAgree = 1e-6;
  const bool agrees = std::abs(report.sum_of_rates - ours) <= kAgree * ours;
  return outcome(report.seconds, workload.changes, agrees ? 0 : report.sum_of_rates);
}

}  // namespace artel::bench::network
