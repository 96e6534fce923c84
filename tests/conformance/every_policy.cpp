#include "tests/conformance/every_policy.hpp"

#include <cctype>
#include <optional>
#include <string>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/busyness.hpp"
#include "artel/dispatch/dice.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/policy_input.hpp"

namespace artel::conformance {
namespace {

using dispatch::Measure;

/// A user's policy that asks everything there is to ask.
dispatch::Custom busiest_of_two() {
  return {.function = [](const dispatch::AnyLoads& loads,
                         const dispatch::Draw& draw) -> std::optional<WorkerId> {
            dispatch::Dice dice(draw);
            if (dice.below(4) == 0) return std::nullopt;
            const auto a = dispatch::worker(dice.below(loads.size()));
            const auto b = dispatch::worker(dice.below(loads.size()));
            return loads.load(a).queued > loads.load(b).queued ? a : b;
          },
          .name = "busiest-of-two"};
}

}  // namespace

std::vector<dispatch::Policy> every_policy() {
  const dispatch::Busyness longest([](const dispatch::Load& load) { return -1.0 * load.queued; });
  std::vector<dispatch::Policy> all{
      dispatch::Random{},
      dispatch::RoundRobin{},
      dispatch::WeightedRoundRobin{},
      dispatch::LeastLoaded{longest},
      dispatch::Jsq{.d = 1},
      dispatch::Jsq{.d = 2},
      dispatch::Jsq{.d = dispatch::Jsq::kAll},
      dispatch::Jsq{.d = 2, .different = true},
      dispatch::Jiq{},
      dispatch::LeastWorkLeft{},
      dispatch::Sita{.cutoffs = {Duration{10}, Duration{30}}},
      dispatch::PeakEwma{.decay = Duration{100}, .initial = Duration{9}},
      dispatch::PeakEwma{.d = dispatch::Jsq::kAll},
      dispatch::Rendezvous{},
      dispatch::Rendezvous{.bound = 1.25, .subset = 2},
      dispatch::Maglev{.places = 101},
      dispatch::C3{.clients = 3, .decay = Duration{100}, .initial = Duration{9}},
      dispatch::C3{.d = 2},
      dispatch::WeightedLeastRequest{},
      dispatch::WeightedLeastRequest{.bias = 0},
      dispatch::Jbt{.threshold = 1},
      dispatch::Jbt{.threshold = 3},
      dispatch::Jbt{.threshold = dispatch::kUnbounded},
      dispatch::Affinity{.beta = 0.5},
      dispatch::CacheAware{.balance_abs = 1},
      dispatch::Prequal{},
      dispatch::Prequal{.pool = 3,
                        .r_probe = 0.75,
                        .r_remove = 0.25,
                        .q_rif = 0.5,
                        .max_age = Duration{100},
                        .initial = Duration{9}},
      busiest_of_two()};
  for (const auto measure :
       {Measure::queued, Measure::occupancy, Measure::weighted, Measure::work, Measure::delay}) {
    all.emplace_back(dispatch::LeastLoaded{measure});
    all.emplace_back(dispatch::Jsq{.d = 3, .busyness = measure});
  }
  for (const dispatch::Law law : {dispatch::Law::level, dispatch::Law::yawp}) {
    all.emplace_back(dispatch::ClosedLoop{law, Duration{20}, Duration{10}});
  }
  return all;
}

std::vector<dispatch::Policy> every_policy_of_pools() {
  auto all = every_policy();
  std::erase_if(all, [](const dispatch::Policy& policy) {
    return !dispatch::check_inputs(
        policy, dispatch::PolicyInputs::all().without(dispatch::PolicyInput::matched), "a pool");
  });
  return all;
}

std::string identifier(const dispatch::Policy& policy) {
  std::string text = dispatch::name(policy);
  for (char& c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return text;
}

}  // namespace artel::conformance
