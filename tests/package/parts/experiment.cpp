#include <artel/experiment/run_experiment.hpp>
#include <artel/report/experiment_table.hpp>
#include <artel/scenario/study.hpp>
#include <cstdio>

int main() {
  const auto study = artel::scenario::parse_study(R"(
    workload = { arrivals = { kind = "poisson", load = 0.5 }, service = { distribution = "exponential", mean = 1 } }
    pool     = { workers = 2 }
    dispatch = { policies = ["central"] }
    run      = { tasks = 100, replications = 2 }
  )",
                                                  "inline");
  if (!study) return 1;
  std::puts(artel::report::experiment_table(*study, artel::experiment::run_experiment(*study, {}))
                .c_str());
}
