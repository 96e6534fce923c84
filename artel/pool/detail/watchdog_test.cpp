#include "artel/pool/detail/watchdog.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "tests/pool/watchdog_state.hpp"

namespace artel::pool::detail {
namespace {

using namespace watchdog_model;  // NOLINT(google-build-using-namespace)

struct Edge {
  std::uint32_t from;
  std::uint32_t to;
};

// Takes every step that anybody can take, in every state that can be reached.
class WatchdogModel {
 public:
  explicit WatchdogModel(Protocol protocol, Scene scene)
      : protocol_(protocol), scene_(std::move(scene)) {
    State start;
    start.busy.fill(true);
    for (std::size_t a = 0; a < kAgents; ++a) {
      const bool worker = a < scene_.workers;
      const bool submitter = a >= kWorkers && a - kWorkers < scene_.targets.size();
      start.agents[a].step = worker ? Step::look : submitter ? Step::put : Step::done;
    }
    start.agents[0].step = Step::long_task;
    visit(start);
    for (std::size_t i = 0; i < states_.size() && ends_well_; ++i) {
      const State state = states_[i];
      bool moves = false;
      for (std::size_t a = 0; a < kAgents; ++a) {
        State next = state;
        if (!step(next, a)) continue;
        moves = true;
        edges_.push_back({static_cast<std::uint32_t>(i), visit(next)});
      }
      if (moves) continue;
      ends_.push_back(static_cast<std::uint32_t>(i));
      ends_well_ = good_end(state);
    }
  }

  // Every way ends, with all tasks taken, nobody on watch, and no token left over.
  [[nodiscard]] bool sound() const {
    if (!ends_well_) return false;
    // Whence each state is reached, one after the other: those of n from first[n] to first[n + 1].
    std::vector<std::size_t> first(states_.size() + 2);
    for (const Edge& edge : edges_) ++first[edge.to + 2];
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<std::uint32_t> whence(edges_.size());
    for (const Edge& edge : edges_) whence[first[edge.to + 1]++] = edge.from;

    std::vector<bool> can_end(states_.size());
    std::vector<std::uint32_t> todo = ends_;
    while (!todo.empty()) {
      const std::uint32_t n = todo.back();
      todo.pop_back();
      if (can_end[n]) continue;
      can_end[n] = true;
      for (std::size_t k = first[n]; k < first[n + 1]; ++k) {
        if (!can_end[whence[k]]) todo.push_back(whence[k]);
      }
    }
    return std::all_of(can_end.begin(), can_end.end(), [](bool can) { return can; });
  }
  [[nodiscard]] std::size_t size() const { return states_.size(); }

 private:
  [[nodiscard]] bool good_end(const State& state) const {
    return state.taken == scene_.targets.size() && !state.anything_queued() &&
           state.holder == kNobody && state.tokens == std::array<std::uint8_t, kWorkers>{};
  }

  // Forgets what no later step asks for, so that states with the same future are one.
  static void forget(Agent& agent) {
    const bool withdraws = agent.step >= Step::withdraw && agent.step < Step::watching;
    const bool summons = agent.step >= Step::summon_present && agent.step < Step::put;
    const bool will_summon = withdraws && agent.after_withdrawing == Step::summon_present;
    if (!withdraws) agent.after_withdrawing = {};
    if (!summons && !will_summon) agent.after_summoning = {};
    if (agent.step != Step::summon_token) agent.victim = 0;
  }

  std::uint32_t visit(State state) {
    for (Agent& agent : state.agents) forget(agent);
    const auto [at, added] = numbers_.emplace(state, static_cast<std::uint32_t>(states_.size()));
    if (added) states_.push_back(state);
    return at->second;
  }

  // One step of an agent; false: it cannot move.
  [[nodiscard]] bool step(State& state, std::size_t a) const {
    const Step now = state.agents[a].step;
    if (now >= Step::put) return step_submitter(state, a);
    if (now >= Step::summon_present) return step_summoner(state, state.agents[a]);
    if (now >= Step::watching) return step_watcher(state, a);
    return step_worker(state, a);
  }

  // Takes a task if it may; where it goes on then.
  [[nodiscard]] bool take_task(State& state, std::size_t w) const {
    for (std::size_t v = 0; v < kWorkers; ++v) {
      if (state.queue[v] == 0 || (v != w && !state.rescues[w])) continue;
      --state.queue[v];
      ++state.taken;
      state.has_long_task[w] = scene_.long_tasks && v == 1;
      return true;
    }
    return false;
  }

  [[nodiscard]] bool step_worker(State& state, std::size_t w) const {
    Agent& agent = state.agents[w];
    switch (agent.step) {
      case Step::look:
        if (state.has_long_task[w]) {
          agent.step = Step::long_task;
        } else if (take_task(state, w)) {
          const bool fresh = state.fresh[w];
          state.fresh[w] = false;
          agent.step = fresh && protocol_.leaves_successor ? Step::queues_watched_any : Step::look;
        } else {
          state.rescues[w] = false;
          agent.step = Step::say_idle;
        }
        return true;
      case Step::queues_watched_any:
        agent.step = state.any_bit() ? Step::queues_watched_present : Step::look;
        return true;
      case Step::queues_watched_present:
        agent.step = state.holder == kNobody ? Step::queues_watched_queued : Step::look;
        return true;
      case Step::queues_watched_queued:
        return go_summon(agent, state.anything_queued(), Step::look);
      case Step::say_idle:
        state.busy[w] = false;
        agent.step = Step::set_bit;
        return true;
      case Step::set_bit:
        state.bit[w] = true;
        agent.step = Step::look_again;
        return true;
      case Step::look_again:
        agent.after_withdrawing = Step::say_busy;
        agent.step = state.queue[w] > 0 ? Step::withdraw : Step::others_awake;
        return true;
      case Step::others_awake: {
        const bool all = std::all_of(state.bit.begin(), state.bit.begin() + scene_.workers,
                                     [](bool bit) { return bit; });
        agent.step = all || !protocol_.takes_role_when_parking ? Step::asleep : Step::take_role;
        return true;
      }
      case Step::take_role:
        return take_role(state, w, Step::watching);
      case Step::asleep:
        return take_token(state, w, Step::answer);
      case Step::answer:
        if (state.holder == kSummoned) state.holder = kNobody;
        agent.step = Step::say_busy;
        return true;
      case Step::say_busy:
        state.busy[w] = state.fresh[w] = true;
        agent.step = Step::look;
        return true;
      case Step::withdraw:
        agent.step = state.bit[w] ? agent.after_withdrawing : Step::withdraw_wait;
        state.bit[w] = false;
        return true;
      case Step::withdraw_wait:
        return take_token(
            state, w,
            protocol_.answers_when_withdrawing ? Step::withdraw_answer : agent.after_withdrawing);
      case Step::withdraw_answer:
        if (state.holder == kSummoned) state.holder = kNobody;
        agent.step = agent.after_withdrawing;
        return true;
      default:
        return false;
    }
  }

  [[nodiscard]] bool step_watcher(State& state, std::size_t w) const {
    Agent& agent = state.agents[w];
    switch (agent.step) {
      case Step::watching:
        if (take_token(state, w, Step::woken_resign)) return true;
        if (!protocol_.resigns && !state.anything_queued())
          return false;                // another look: no change
        agent.step = Step::idle_look;  // the timeout
        return true;
      case Step::woken_resign:
        state.holder = kNobody;
        agent.step = Step::woken_queued;
        return true;
      case Step::woken_queued:
        return go_summon(agent, state.anything_queued() && protocol_.leaves_successor,
                         Step::answer);
      case Step::idle_look:
        // In this model nobody takes what waits but the watchdog: all that waits is stuck.
        agent.step = state.anything_queued() ? Step::rescue_resign : Step::idle_resign;
        return true;
      case Step::idle_resign:
        state.holder = kNobody;
        agent.step = protocol_.looks_after_resigning ? Step::idle_look_again : Step::asleep;
        return true;
      case Step::idle_look_again:
        agent.step = state.anything_queued() ? Step::idle_retake : Step::asleep;
        return true;
      case Step::idle_retake:
        return take_role(state, w, Step::rescue_resign);
      case Step::rescue_resign:
        state.holder = kNobody;
        state.rescues[w] = true;
        agent.step = Step::withdraw;
        agent.after_withdrawing = protocol_.leaves_successor ? Step::summon_present : Step::answer;
        agent.after_summoning = Step::answer;
        return true;
      default:
        return false;
    }
  }

  [[nodiscard]] bool step_summoner(State& state, Agent& agent) const {
    switch (agent.step) {
      case Step::summon_present:
        agent.step = state.holder == kNobody ? Step::summon : agent.after_summoning;
        return true;
      case Step::summon:
        agent.step = state.holder == kNobody ? Step::summon_wake : agent.after_summoning;
        if (state.holder == kNobody) state.holder = kSummoned;
        return true;
      case Step::summon_wake: {
        const auto found = std::find(state.bit.begin(), state.bit.end(), true);
        if (found == state.bit.end()) {
          agent.step =
              protocol_.takes_back_unheard_summons ? Step::summon_take_back : agent.after_summoning;
          return true;
        }
        agent.victim = static_cast<std::uint8_t>(found - state.bit.begin());
        state.bit[agent.victim] = false;
        agent.step = Step::summon_token;
        return true;
      }
      case Step::summon_token:
        give_token(state, agent);
        agent.step = agent.after_summoning;
        return true;
      case Step::summon_take_back:
        if (state.holder == kSummoned) state.holder = kNobody;
        agent.step = protocol_.looks_after_taking_back ? Step::summon_again : agent.after_summoning;
        return true;
      case Step::summon_again:
        agent.step = state.any_bit() ? Step::summon_present : agent.after_summoning;
        return true;
      default:
        return false;
    }
  }

  [[nodiscard]] bool step_submitter(State& state, std::size_t a) const {
    Agent& agent = state.agents[a];
    if (a - kWorkers >= scene_.targets.size()) return false;  // nobody has this part
    const std::uint8_t target = scene_.targets[a - kWorkers];
    switch (agent.step) {
      case Step::put:
        ++state.queue[target];
        agent.step = Step::read_own_bit;
        return true;
      case Step::read_own_bit:
        agent.step = state.bit[target] ? Step::claim_own_bit : Step::read_any_bit;
        return true;
      case Step::claim_own_bit:
        agent.victim = target;
        agent.after_summoning = Step::done;
        agent.step = state.bit[target] ? Step::summon_token : Step::done;
        state.bit[target] = false;
        return true;
      case Step::read_any_bit:
        agent.step = state.any_bit() ? Step::read_busy : Step::done;
        return true;
      case Step::read_busy:
        return go_summon(agent, state.busy[target] && protocol_.submitter_summons, Step::done);
      default:
        return false;
    }
  }

  static bool go_summon(Agent& agent, bool needed, Step after) {
    agent.after_summoning = after;
    agent.step = needed ? Step::summon_present : after;
    return true;
  }
  static bool take_role(State& state, std::size_t w, Step taken) {
    const bool free = state.holder == kNobody;
    if (free) state.holder = static_cast<std::uint8_t>(w);
    state.agents[w].step = free ? taken : Step::asleep;
    return true;
  }
  static bool take_token(State& state, std::size_t w, Step then) {
    if (state.tokens[w] == 0) return false;
    --state.tokens[w];
    state.agents[w].step = then;
    return true;
  }
  static void give_token(State& state, const Agent& agent) {
    state.busy[agent.victim] = true;
    ++state.tokens[agent.victim];
  }

  Protocol protocol_;
  Scene scene_;
  std::unordered_map<State, std::uint32_t, HashBytes> numbers_;
  std::vector<State> states_;
  std::vector<Edge> edges_;
  std::vector<std::uint32_t> ends_;  // states in which nobody can move
  bool ends_well_ = true;
};

std::vector<Scene> scenes() {
  return {{.workers = 3, .targets = {0}},
          {.workers = 2, .targets = {0, 0}},
          {.workers = 2, .targets = {0, 1}},
          {.workers = 3, .targets = {0, 1}, .long_tasks = true}};
}

bool sound(Protocol protocol) {
  const auto all = scenes();
  return std::all_of(all.begin(), all.end(), [protocol](const Scene& scene) {
    return WatchdogModel(protocol, scene).sound();
  });
}

TEST(WatchdogProtocol, RescuesWhatIsStuckAndThenSleepsInAnyInterleaving) {
  for (const Scene& scene : scenes()) {
    const WatchdogModel model({}, scene);
    EXPECT_TRUE(model.sound()) << scene.workers << " workers, " << scene.targets.size() << " tasks";
    EXPECT_GT(model.size(), 1000U);
  }
}

TEST(WatchdogProtocol, EveryPartOfItIsNeeded) {
  EXPECT_FALSE(sound({.takes_role_when_parking = false}));
  EXPECT_FALSE(sound({.submitter_summons = false}));
  EXPECT_FALSE(sound({.looks_after_resigning = false}));
  EXPECT_FALSE(sound({.leaves_successor = false}));
  EXPECT_FALSE(sound({.resigns = false}));
  EXPECT_FALSE(sound({.answers_when_withdrawing = false}));
  EXPECT_FALSE(sound({.takes_back_unheard_summons = false}));
  EXPECT_FALSE(sound({.looks_after_taking_back = false}));
}

TEST(Watchdog, HasOneHolderOrOneSummons) {
  Watchdog watchdog;
  EXPECT_FALSE(watchdog.present());
  EXPECT_TRUE(watchdog.take(WorkerId{0}));
  EXPECT_FALSE(watchdog.take(WorkerId{1}));
  EXPECT_FALSE(watchdog.summon());
  watchdog.answer();  // not summoned: no effect
  EXPECT_TRUE(watchdog.present());
  watchdog.resign();
  EXPECT_TRUE(watchdog.summon());
  EXPECT_FALSE(watchdog.take(WorkerId{1}));
  watchdog.answer();
  EXPECT_FALSE(watchdog.present());
}

}  // namespace
}  // namespace artel::pool::detail
