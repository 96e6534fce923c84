// The rival: SimGrid's s4u actors and mailboxes over its constant network. An actor per process, a
// mailbox for each, messages that travel as soon as they are put. Sizes are cut to what it can do
// in seconds: at most 10 000 actors (each needs a stack of its own) and 20 000 round trips in all.
// SimGrid's engine exists once per program: every run is a program of its own, forked from this
// one.

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <simgrid/s4u.hpp>
#include <string>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/random/stream.hpp"
#include "bench/measure.hpp"
#include "bench/own_process.hpp"
#include "bench/sim_ping_pong/workload.hpp"
#include "bench/simgrid_engine.hpp"

namespace artel::bench::ping_pong {
namespace {

namespace s4u = simgrid::s4u;

struct Message {
  bool is_ping;
  std::uint32_t src;
  double sent;
};

/// What a run tells the program that started it.
struct Report {
  double seconds = 0;
  std::uint64_t events = 0;
  double end_s = 0;
};

class Model {
 public:
  explicit Model(const Workload& workload)
      : workload_(workload), peers_(choose_peers(workload)), dice_(Seed{1}, "model") {
    mailboxes_.reserve(workload.processes);
    for (std::uint32_t i = 0; i < workload.processes; ++i) {
      mailboxes_.push_back(s4u::Mailbox::by_name(std::to_string(i)));
    }
  }

  void run_process(std::uint32_t self) {
    mailboxes_[self]->set_receiver(s4u::Actor::self());  // messages need not wait for a get
    std::uint32_t left = workload_.iterations;
    ++events_;  // Start
    ping(self);
    while (true) {
      const auto message = mailboxes_[self]->get_unique<Message>();
      ++events_;
      if (message->is_ping) {
        send(message->src, {false, self, s4u::Engine::get_clock()});
      } else if (--left != 0) {
        ping(self);
      } else if (++finished_ == workload_.processes) {
        end_s_ = s4u::Engine::get_clock();
        s4u::Actor::kill_all();
        return;
      }
    }
  }

  [[nodiscard]] std::uint64_t events() const { return events_; }
  [[nodiscard]] double end_s() const { return end_s_; }

 private:
  void ping(std::uint32_t self) {
    const std::size_t choice = workload_.peers == 1 ? 0 : dice_.below(workload_.peers);
    send(peers_[std::size_t{self} * workload_.peers + choice],
         {true, self, s4u::Engine::get_clock()});
  }
  void send(std::uint32_t dst, const Message& message) {
    constexpr std::uint64_t kBytes = 1;
    mailboxes_[dst]->put_init(new Message(message), kBytes)->detach();
  }

  Workload workload_;
  std::vector<std::uint32_t> peers_;
  random::Stream dice_;
  std::vector<s4u::Mailbox*> mailboxes_;
  std::uint32_t finished_ = 0;
  std::uint64_t events_ = 0;
  double end_s_ = 0;
};

Report run_engine(const Workload& workload) {
  SimGridEngine engine{"network/model:Constant",
                       "network/latency-factor:1",  // every message: 1 s
                       "contexts/stack-size:64", "contexts/guard-size:0"};
  auto* zone = s4u::create_full_zone("zone");
  s4u::Host* host = zone->create_host("host", 1e9)->seal();
  zone->seal();
  Model model(workload);
  for (std::uint32_t i = 0; i < workload.processes; ++i) {
    s4u::Actor::create(std::to_string(i), host, [&model, i] { model.run_process(i); });
  }
  Report report;
  report.seconds = seconds_of([&] { engine.run(); });
  report.events = model.events();
  report.end_s = model.end_s();
  return report;
}

}  // namespace

Outcome run_simgrid(const Workload& workload) {
  const Report report = in_own_process<Report>([&](auto tell) { tell(run_engine(workload)); });
  // Shorter than the others' run, so its answer is checked here.
  const bool right =
      report.events == workload.events() && report.end_s == 2.0 * workload.iterations;
  return {
      .figures = {{.metric = "events_per_s",
                   .unit = "1/s",
                   .value = static_cast<double>(report.events) / report.seconds}},
      .answer = right ? "" : fmt::format("{} events, end at {} s", report.events, report.end_s)};
}

}  // namespace artel::bench::ping_pong
