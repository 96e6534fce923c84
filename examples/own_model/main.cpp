// Two models as experiments: replications in parallel, intervals, variants on the same chance.
#include <string_view>

#include "artel/report/model_main.hpp"
#include "single_server.hpp"
#include "two_tiers.hpp"

using artel::report::model_main;

/// `example_own_model server --help`, `example_own_model tiers --sweep load=0.1..0.9:0.1`; without
/// arguments both, as they are.
int main(int argc, char** argv) {
  const std::string_view which = argc > 1 ? argv[1] : "";
  if (which == "server") return model_main(single_server(), argc - 1, argv + 1);
  if (which == "tiers") return model_main(two_tiers(), argc - 1, argv + 1);
  const int failed = model_main(single_server(), argc, argv);
  return failed != 0 ? failed : model_main(two_tiers(), argc, argv);
}
