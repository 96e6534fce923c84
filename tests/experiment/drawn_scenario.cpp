#include "tests/experiment/drawn_scenario.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/random/stream.hpp"

namespace artel::experiment {
namespace {

class Draw {
 public:
  explicit Draw(std::uint64_t number) : dice_(Seed{1}, "drawn scenario", number) {}

  [[nodiscard]] DrawnScenario scenario(std::uint64_t tasks, std::uint32_t replications) {
    const auto workers = one_of<unsigned>({2, 3, 4, 6, 8, 12, 16, 24});
    workload();
    pool(workers);
    dispatch();
    if (!has("callers") && feature("stages", 0.25)) stages();
    found_.text =
        "[workload]\n" + workload_ + fmt::format("[pool]\nworkers = {}\n", workers) + pool_ +
        stages_ + "[dispatch]\npolicies = ['random']\n" + dispatch_ +
        fmt::format("[run]\ntasks = {}\nwarm_up = '20%'\nreplications = {}\n", tasks, replications);
    return std::move(found_);
  }

 private:
  [[nodiscard]] bool chance(double share) { return dice_.uniform() < share; }
  template <class T>
  [[nodiscard]] T one_of(std::initializer_list<T> values) {
    return values.begin()[dice_.below(values.size())];
  }
  [[nodiscard]] bool has(const std::string& feature) const { return found_.has(feature); }
  bool feature(const std::string& name, double share) {
    const bool drawn = chance(share);
    if (drawn) found_.features.push_back(name);
    return drawn;
  }

  // Times are a second on average.
  [[nodiscard]] std::string law() {
    return one_of<const char*>({"{ distribution = 'exponential', mean = 1 }",
                                "{ distribution = 'constant', value = 1 }",
                                "{ distribution = 'lognormal', mean = 1, scv = 4 }",
                                "{ distribution = 'uniform', low = 0.5, high = 1.5 }",
                                "{ distribution = 'gamma', shape = 0.3, scale = 3.333 }"});
  }

  void workload() {
    const auto load = one_of({0.3, 0.5, 0.7, 0.8, 0.9});
    rate_ = load;
    std::string arrivals = fmt::format("kind = 'poisson', load = {}", load);
    if (feature("bursts", 0.2)) {
      arrivals = one_of<std::string>(
          {fmt::format("kind = 'renewal', load = {}, gap = {{ distribution = 'gamma', shape = 0.3, "
                       "scale = 1 }}",
                       load),
           fmt::format("kind = 'mmpp', load = {}, states = [{{ rate = 1, mean_duration = 20 }}, {{ "
                       "rate = 3, mean_duration = 5 }}]",
                       load),
           arrivals + ", batch = [1, 4]"});
    }
    workload_ = fmt::format("arrivals = {{ {} }}\nservice = {}\n", arrivals, law());
    if (feature("fork", 0.3)) {
      const auto parts = one_of({2, 3, 4, 6});
      workload_ += fmt::format("fork = {}\n", parts);
      rate_ /= parts;
    }
    workload_ += "keys = { count = 100 }\n";
    if (feature("hint_error", 0.2)) workload_ += "hint_error = 0.5\n";
    if (feature("patience", 0.15))
      workload_ += "patience = { distribution = 'exponential', mean = 8 }\n";
    if (feature("callers", 0.2)) {
      workload_ += one_of<const char*>({"callers = { timeout = 12, retries = 1, cancel = 'all' }\n",
                                        "callers = { hedge = 3, tied = true, budget = 0.1 }\n",
                                        "callers = { copies = 2, tied = true }\n"});
    }
  }

  void pool(unsigned workers) {
    rate_ *= workers;
    if (feature("batch", 0.1)) {
      pool_ += "batch = { most = 4, fixed = 0.3, per_work = 0.2 }\n";
      rate_ *= 4 / (0.3 + 4 * 0.2);
    } else if (feature("slots", 0.15)) {
      const auto slots = one_of({2, 3});
      pool_ += fmt::format("slots = {}\n", slots);
      rate_ *= slots;
    } else if (feature("discipline", 0.25)) {
      pool_ += fmt::format("discipline = '{}'\n",
                           one_of<const char*>({"ps", "las", "sjf", "srpt", "lifo"}));
    }
    if (feature("speeds", 0.2)) {
      pool_ += "speeds = [";
      for (unsigned w = 0; w < workers; ++w) pool_ += w % 2 == 0 ? "2, " : "1, ";
      pool_ += "]\n";
      rate_ *= 1.5;
    }
    if (feature("bounds", 0.2)) {
      pool_ += fmt::format("queue_bound = {}\n", one_of({4, 5, 8}));
      if (feature("common_bound", 0.5))
        pool_ += fmt::format("common_bound = {}\n", one_of({0, 2, 10}));
    }
    if (feature("failures", 0.15)) {
      pool_ += fmt::format("failures = {{ mtbf = 200, mttr = 10, task = '{}' }}\n",
                           one_of<const char*>({"restart", "resume", "lose"}));
    }
    if (feature("start_up", 0.1)) pool_ += "start_up = 0.5\nkeep_warm = 2\n";
  }

  void dispatch() {
    if (feature("dispatchers", 0.2)) dispatch_ += fmt::format("dispatchers = {}\n", one_of({2, 5}));
    if (feature("network_delay", 0.2))
      dispatch_ += fmt::format("network_delay = {}\n", one_of({0.02, 0.3}));
  }

  void stages() {
    const auto count = one_of({1, 2});
    for (int number = 0; number < count; ++number) {
      const auto workers = one_of({4, 10});
      const auto calls = one_of({1, 3, 5});
      const auto load = one_of({0.4, 0.8});
      stages_ += fmt::format(
          "[[stages]]\nname = 's{}'\ncalls = {}\nservice = {{ distribution = 'exponential', mean = "
          "{} }}\npool = {{ workers = {} }}\n",
          number, calls, load * workers / calls / rate_, workers);
    }
  }

  random::Stream dice_;
  double rate_ = 0;  // of tasks, nearly
  std::string workload_, pool_, stages_, dispatch_;
  DrawnScenario found_;
};

}  // namespace

bool DrawnScenario::has(const std::string& feature) const {
  return std::ranges::find(features, feature) != features.end();
}

DrawnScenario draw_scenario(std::uint64_t number, std::uint64_t tasks, std::uint32_t replications) {
  return Draw(number).scenario(tasks, replications);
}

}  // namespace artel::experiment
